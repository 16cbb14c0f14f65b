/** Bytes of a recording, read a piece at a time: of a file on disk, so that it never lies in memory whole, or of bytes that are there already. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

export interface ByteSource {
  readonly size: number;
  /** So many bytes from an offset on; fewer at the end. They stay as they are until the next call. */
  read(offset: number, length: number): Uint8Array;
}

/** How much of a file is read ahead, so that many small pieces are one call. */
const AHEAD_BYTES = 256 * 1024;

export function bytesSource(given: Uint8Array): ByteSource {
  // Node's buffers share their memory with what is sliced of them.
  const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  return {
    size: bytes.length,
    read: (offset, length) => bytes.subarray(Math.min(offset, bytes.length), Math.min(offset + length, bytes.length)),
  };
}

/** A file, open until `close`. */
export class FileSource implements ByteSource {
  readonly size: number;
  private readonly descriptor: number;

  constructor(path: string) {
    this.descriptor = openSync(path, "r");
    this.size = fstatSync(this.descriptor).size;
  }

  read(offset: number, length: number): Uint8Array {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, this.size - offset)));
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(this.descriptor, bytes, filled, bytes.length - filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
    return filled === bytes.length ? bytes : bytes.subarray(0, filled);
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** Reads one source in small steps that mostly go forward; each table or stream has one of its own. */
export class ByteWindow implements ByteSource {
  readonly size: number;
  private start = 0;
  private bytes = new Uint8Array(0);

  constructor(private readonly source: ByteSource) {
    this.size = source.size;
  }

  read(offset: number, length: number): Uint8Array {
    const from = offset - this.start;
    if (from < 0 || from + length > this.bytes.length) {
      if (length >= AHEAD_BYTES) return this.source.read(offset, length);
      this.start = offset;
      this.bytes = this.source.read(offset, AHEAD_BYTES) as Uint8Array<ArrayBuffer>;
      return this.bytes.subarray(0, length);
    }
    return this.bytes.subarray(from, from + length);
  }

  /** The same as a view for numbers. Throws a RangeError when one lies beyond the end. */
  view(offset: number, length: number): DataView {
    const bytes = this.read(offset, length);
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** A few bytes as Latin letters; shorter at the end. */
  letters(offset: number, length: number): string {
    return String.fromCharCode(...this.read(offset, length));
  }
}

/** A part of a source, as a source of its own. */
export function part(source: ByteSource, start: number, length: number): ByteSource {
  const size = Math.max(0, Math.min(length, source.size - start));
  return { size, read: (offset, count) => source.read(start + offset, Math.max(0, Math.min(count, size - offset))) };
}
