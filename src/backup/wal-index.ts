/**
 * How far a database's write-ahead log reaches at a moment, as the shared memory beside it says.
 * Format: SQLite documentation, "WAL-mode File Format", section "The WAL-Index File Format"; numbers are the machine's own.
 */
import { readSync } from "node:fs";

const HEADER_BYTES = 136;
const VERSION = 3_007_000;
/** Where the second copy of the header begins; both are the same unless somebody is writing it. */
const COPY_AT = 48;

export interface WalMark {
  /** Committed frames. */
  readonly frames: number;
  /** Frames that are in the database file already. */
  readonly moved: number;
  /** Of the last frame; 8 bytes. */
  readonly checksum: Buffer;
  /** As the log's header and every frame has it; 8 bytes. */
  readonly salt: Buffer;
}

/** Only while nobody else may write the database. Throws where the file is not what it should be. */
export function readWalMark(descriptor: number): WalMark {
  const header = Buffer.alloc(HEADER_BYTES);
  const length = readSync(descriptor, header, 0, HEADER_BYTES, 0);
  if (
    length < HEADER_BYTES ||
    header.readUInt32LE(0) !== VERSION ||
    !header.subarray(0, COPY_AT).equals(header.subarray(COPY_AT, 2 * COPY_AT))
  )
    throw new Error("The shared memory beside the database cannot be read.");
  return {
    frames: header.readUInt32LE(16),
    moved: header.readUInt32LE(96),
    checksum: header.subarray(24, 32),
    salt: header.subarray(32, 40),
  };
}
