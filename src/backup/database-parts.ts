/** A database as parts: blocks of its pages. */
import { letOthersIn } from "../foundation/let-others-in.ts";
import { Blocks, type BlockRange, type PutBlocks } from "./blocks.ts";
import type { DatabaseImage } from "./database-image.ts";
import type { Entry, Head } from "./manifest.ts";
import type { PartWriter } from "./parts.ts";
import type { SecondThread } from "./second-thread.ts";

/**
 * Some pages each: where one document in a hundred changed, a backup then stores a sixteenth of the database anew, and half of it if a block
 * were a megabyte. Smaller ones would be more files, of which each costs a file system time. They are as large as it takes to be no more
 * than so many.
 */
const LEAST_BLOCK_BYTES = 48 * 1024;
const MOST_BLOCKS = 32_768;
const BYTES_BETWEEN_PAUSES = 512 * 1024;
/** A message for each of fewer would take longer than they do. */
const BYTES_ELSEWHERE = 4 * 1024 * 1024;

export interface DatabaseCopy {
  readonly path: string;
  readonly image: DatabaseImage;
  /** Of the same database in the earlier backup, with the same seeds. */
  readonly earlier: Entry | null;
  readonly seeds: Head["seeds"];
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** The backup's. */
  readonly folder: string;
  /** Takes some of the blocks. It knows nothing of an earlier backup. */
  readonly thread: SecondThread | null;
}

/** Makes parts of all blocks. `advance` is told how many bytes were read, and may throw. */
export async function putDatabase(
  writer: PartWriter,
  { path, image, earlier, seeds, modified, folder, thread }: DatabaseCopy,
  advance: (bytes: number) => void,
): Promise<Entry> {
  const partBytes = blockBytesFor(image.bytes, earlier);
  const shares = new Shares(image.bytes, partBytes, advance);
  const blocks = new Blocks(writer, image, { partBytes, seeds, earlier });
  const here = shares.takeAll(BYTES_BETWEEN_PAUSES, async (range) => {
    await letOthersIn();
    return blocks.put(range);
  });
  // Its failure is that of what is asked for next.
  thread?.copyFrom({ image: image.record, folder, settings: { partBytes, seeds, earlier: null } }).catch(() => {});
  const elsewhere =
    thread &&
    shares.takeAll(BYTES_ELSEWHERE, async (range) => {
      const done = await thread.putBlocks(range);
      writer.written += done.written;
      return done;
    });
  // Nobody reads the image any more when a failure is told.
  for (const end of await Promise.allSettled([here, elsewhere])) if (end.status === "rejected") throw end.reason;
  return { path, bytes: image.bytes, modified, partBytes, parts: shares.parts, fingerprints: shares.fingerprints };
}

/** The blocks of a database, of which whoever has the time takes the next. */
class Shares {
  readonly parts: string[] = [];
  readonly fingerprints: string[] = [];
  private next = 0;
  private readonly count: number;

  constructor(
    private readonly bytes: number,
    private readonly partBytes: number,
    private readonly advance: (bytes: number) => void,
  ) {
    this.count = Math.ceil(bytes / partBytes);
  }

  /** Resolves when none is left to take, some `bytes` at a time. What is thrown ends it for all. */
  async takeAll(bytes: number, put: (range: BlockRange) => Promise<PutBlocks>): Promise<void> {
    try {
      while (this.next < this.count) {
        const first = this.next;
        const end = Math.min(this.count, first + Math.ceil(bytes / this.partBytes));
        this.next = end;
        const done = await put({ first, end });
        for (let index = first; index < end; index++) {
          this.parts[index] = done.parts[index - first]!;
          this.fingerprints[index] = done.fingerprints[index - first]!;
        }
        this.advance(Math.min(this.bytes, end * this.partBytes) - first * this.partBytes);
      }
    } catch (error) {
      this.next = this.count;
      throw error;
    }
  }
}

/** The earlier backup's, as long as that does for what the database has become. */
function blockBytesFor(bytes: number, earlier: Entry | null): number {
  if (earlier !== null && bytes / earlier.partBytes <= 2 * MOST_BLOCKS) return earlier.partBytes;
  let blockBytes = LEAST_BLOCK_BYTES;
  while (bytes / blockBytes > MOST_BLOCKS) blockBytes *= 2;
  return blockBytes;
}
