/**
 * A database file as it would be if nothing but one moment's commits had ever been made: its pages, with those of the write-ahead log in
 * their places. Holds for as long as a transaction that began at that moment is open: until then no page of a later commit is moved into
 * the file, and no frame of the log is written over.
 */
import { readSync } from "node:fs";

/** No page lies where SQLite locks a file, at this byte. */
const LOCKED_BYTE = 0x4000_0000;

/** What another thread may make the same image of. */
export interface ImageRecord {
  /** Descriptors of the database file and of its log. */
  readonly file: number;
  readonly log: number;
  /** Where in the log each page lies that has its last version there, by the page's number. */
  readonly frames: ReadonlyMap<number, number>;
  readonly pageBytes: number;
  readonly pages: number;
}

export class DatabaseImage {
  constructor(readonly record: ImageRecord) {}

  get bytes(): number {
    return this.record.pages * this.record.pageBytes;
  }

  /** Fills `block` from a position that is a multiple of the page size, and returns how much of it is filled. Throws where the file is too short. */
  read(block: Buffer, position: number): number {
    const { file, frames, pageBytes } = this.record;
    const length = Math.min(block.length, this.bytes - position);
    const inFile = readSync(file, block, 0, length, position);
    for (let at = 0; at < length; at += pageBytes) {
      const page = (position + at) / pageBytes + 1;
      const frame = frames.get(page);
      if (frame !== undefined) this.readFrame(block.subarray(at, at + pageBytes), frame);
      else if (at + pageBytes > inFile) this.fillMissing(block.subarray(at, at + pageBytes), page);
    }
    return length;
  }

  private readFrame(page: Buffer, position: number): void {
    if (readSync(this.record.log, page, 0, page.length, position) < page.length)
      throw new Error("The write-ahead log of the database is not whole.");
  }

  private fillMissing(page: Buffer, number: number): void {
    if (number !== Math.floor(LOCKED_BYTE / this.record.pageBytes) + 1)
      throw new Error("The database file is too short.");
    page.fill(0);
  }
}
