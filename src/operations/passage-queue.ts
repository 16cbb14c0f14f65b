/**
 * Passages between their reading and their embedding, which is often slower: a few in memory, the others laid by on disk, so that no
 * reader is held up and no text is held whole.
 */
import type { Passage } from "../documents/index.ts";
import { ItemStream } from "../remote/index.ts";
import { readSpool, spool } from "../store/index.ts";

/** A megabyte or two of text. */
const MOST_IN_MEMORY = 1024;

/** Stands for passages that are to be read from disk. */
const LAID_BY = Symbol("laid by");

/** Where something is laid by, beside what is uploaded. */
export interface SpoolPlace {
  /** Of a file that is not there yet; whoever named it removes it. */
  readonly path: string;
  /** Throws INSUFFICIENT_STORAGE. */
  checkRoom(): Promise<void>;
}

/** Passages of one document, for one reader. */
export class PassageQueue implements AsyncIterable<readonly Passage[]> {
  private readonly stream = new ItemStream<readonly Passage[] | typeof LAID_BY>();
  private inMemory = 0;
  private isNew = true;

  constructor(private readonly place: SpoolPlace) {}

  /** To be called anew when it has resolved. Throws INSUFFICIENT_STORAGE. */
  async push(passages: readonly Passage[]): Promise<void> {
    if (this.inMemory < MOST_IN_MEMORY) {
      this.inMemory += passages.length;
      return this.stream.push(passages);
    }
    await this.place.checkRoom();
    await spool(this.place.path, [passages], this.isNew);
    this.isNew = false;
    this.stream.push(LAID_BY);
  }

  end(): void {
    this.stream.end();
  }

  /** The reader gets what came before, then the error. */
  fail(error: unknown): void {
    this.stream.fail(error);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Passage[]> {
    const laidBy = readSpool<readonly Passage[]>(this.place.path);
    try {
      for await (const item of this.stream) {
        if (item !== LAID_BY) this.inMemory -= item.length;
        yield item === LAID_BY ? (laidBy.next().value as readonly Passage[]) : item;
      }
    } finally {
      laidBy.return(undefined);
    }
  }
}
