/** Bits of a FLAC frame, the highest first. */
export class FrameBits {
  private position = 0;
  private readonly end: number;

  constructor(private readonly bytes: Uint8Array) {
    this.end = bytes.length * 8;
  }

  /** The next so many bits (at most 32) as a number without a sign. Throws a RangeError at the end. */
  unsigned(count: number): number {
    if (this.position + count > this.end) throw new RangeError("a FLAC frame is cut off");
    let value = 0;
    let left = count;
    while (left > 0) {
      const free = 8 - (this.position & 7);
      const taken = Math.min(free, left);
      const byte = this.bytes[this.position >> 3]!;
      value = value * 2 ** taken + ((byte >> (free - taken)) & ((1 << taken) - 1));
      this.position += taken;
      left -= taken;
    }
    return value;
  }

  signed(count: number): number {
    if (count === 0) return 0;
    const value = this.unsigned(count);
    return value >= 2 ** (count - 1) ? value - 2 ** count : value;
  }

  /** Zeros up to the next one. */
  unary(): number {
    let zeros = 0;
    for (;;) {
      if (this.position >= this.end) throw new RangeError("a FLAC frame is cut off");
      const byte = this.bytes[this.position >> 3]! & (0xff >> (this.position & 7));
      const rest = 8 - (this.position & 7);
      if (byte === 0) {
        zeros += rest;
        this.position += rest;
        continue;
      }
      const leading = Math.clz32(byte) - (32 - rest);
      this.position += leading + 1;
      return zeros + leading;
    }
  }

  /** Whole bytes behind what was read, the one that is begun included. */
  get bytesRead(): number {
    return (this.position + 7) >> 3;
  }
}
