/**
 * Excel's binary records (BIFF 5 and 8; MS-XLS 2.1.4): each has a type and a length, and what does not fit into one goes on in others. Strings say in
 * a bit whether their characters have one byte or two, and say so again where they go on.
 */

const HEADER_BYTES = 4;
const CONTINUE = 0x3c;
const WIDE = 1;
const PHONETIC = 4;
const RICH = 8;

export interface BiffRecord {
  readonly type: number;
  /** Its data and that of the records in which it goes on. */
  readonly parts: readonly Buffer[];
  /** The first of them. */
  readonly data: Buffer;
  /** Where in the stream it begins. */
  readonly at: number;
}

/** The records from a place in the stream on; one that is cut off is left out. */
export function* biffRecords(stream: Buffer, from = 0): Generator<BiffRecord> {
  for (let at = from; at + HEADER_BYTES <= stream.length; ) {
    const parts: Buffer[] = [];
    const start = at;
    const type = stream.readUInt16LE(at);
    do {
      const end = at + HEADER_BYTES + stream.readUInt16LE(at + 2);
      if (end > stream.length) return;
      parts.push(stream.subarray(at + HEADER_BYTES, end));
      at = end;
    } while (at + HEADER_BYTES <= stream.length && stream.readUInt16LE(at) === CONTINUE);
    yield { type, parts, data: parts[0]!, at: start };
  }
}

/** Reads through the parts of a record. Throws a RangeError at their end. */
export class BiffReader {
  private part = 0;

  constructor(
    private readonly parts: readonly Buffer[],
    private at = 0,
  ) {}

  byte(): number {
    this.go();
    const value = this.parts[this.part]!.readUInt8(this.at);
    this.at += 1;
    return value;
  }

  short(): number {
    return this.byte() + this.byte() * 256;
  }

  long(): number {
    return this.short() + this.short() * 65_536;
  }

  skip(count: number): void {
    for (let left = count; left > 0; ) {
      this.go();
      const step = Math.min(left, this.left);
      this.at += step;
      left -= step;
    }
  }

  /** A string of BIFF 8 with so many characters, behind its length. */
  string(length: number): string {
    const flags = this.byte();
    const runs = (flags & RICH) === 0 ? 0 : this.short();
    const phonetic = (flags & PHONETIC) === 0 ? 0 : this.long();
    const text = this.characters(length, (flags & WIDE) === WIDE);
    this.skip(runs * 4 + phonetic);
    return text;
  }

  /** Characters, which may go on in the next part in bytes of another width. */
  characters(length: number, isWide: boolean): string {
    let text = "";
    let [left, bytes] = [length, isWide ? 2 : 1];
    while (left > 0) {
      if (this.left < bytes) {
        this.at = 0;
        this.part += 1;
        bytes = (this.byte() & WIDE) === WIDE ? 2 : 1;
      }
      const count = Math.min(left, Math.floor(this.left / bytes));
      const piece = this.parts[this.part]!.subarray(this.at, this.at + count * bytes);
      text += piece.toString(bytes === 2 ? "utf16le" : "latin1");
      this.at += count * bytes;
      left -= count;
    }
    return text;
  }

  private get left(): number {
    const part = this.parts[this.part];
    if (part === undefined) throw new RangeError("a record ends too early");
    return part.length - this.at;
  }

  /** On to the next part where this one has ended. */
  private go(): void {
    while (this.left <= 0) {
      this.part += 1;
      this.at = 0;
    }
  }
}
