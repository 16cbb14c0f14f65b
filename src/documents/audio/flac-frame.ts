/** One frame of FLAC (RFC 9639): its head, its subframes, and what becomes of two channels that were coded together. */
import { FrameBits } from "./flac-bits.ts";

/** What the stream's head says, for frames that leave it out. */
export interface FlacStream {
  readonly sampleRate: number;
  readonly channels: number;
  readonly bits: number;
}

export interface FlacFrame {
  readonly sampleRate: number;
  readonly bits: number;
  readonly channels: readonly Int32Array[];
  /** Bytes of the frame, its check sums included. */
  readonly length: number;
}

const RATES = [0, 88200, 176400, 192000, 8000, 16000, 22050, 24000, 32000, 44100, 48000, 96000];
const SAMPLE_BITS = [0, 8, 12, 0, 16, 20, 24, 32];
const MOST_SAMPLES = 65536;
/** The fixed predictors of order 0 to 4. */
const FIXED: readonly (readonly number[])[] = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]];

export interface FrameHead {
  readonly samples: number;
  readonly sampleRate: number;
  readonly bits: number;
  /** The number of channels less one, or 8 to 10 for two that were coded as one and the difference. */
  readonly assignment: number;
}

/** Null where no frame begins: its head has a check sum of eight bits. */
export function frameHead(bytes: Uint8Array, stream: FlacStream | null): { head: FrameHead; bits: FrameBits } | null {
  if (bytes[0] !== 0xff || (bytes[1]! & 0xfe) !== 0xf8) return null;
  const bits = new FrameBits(bytes);
  try {
    bits.unsigned(16);
    const [sizeCode, rateCode, assignment, bitsCode, reserved] = [
      bits.unsigned(4),
      bits.unsigned(4),
      bits.unsigned(4),
      bits.unsigned(3),
      bits.unsigned(1),
    ];
    if (sizeCode === 0 || rateCode === 15 || assignment > 10 || bitsCode === 3 || reserved === 1) return null;
    skipNumber(bits);
    const samples =
      sizeCode === 1
        ? 192
        : sizeCode <= 5
          ? 576 << (sizeCode - 2)
          : sizeCode === 6
            ? bits.unsigned(8) + 1
            : sizeCode === 7
              ? bits.unsigned(16) + 1
              : 256 << (sizeCode - 8);
    const rate =
      rateCode === 12
        ? bits.unsigned(8) * 1000
        : rateCode === 13
          ? bits.unsigned(16)
          : rateCode === 14
            ? bits.unsigned(16) * 10
            : RATES[rateCode]!;
    const sum = checkSum(bytes.subarray(0, bits.bytesRead));
    if (bits.unsigned(8) !== sum || samples > MOST_SAMPLES) return null;
    const head = {
      samples,
      assignment,
      sampleRate: rate || (stream?.sampleRate ?? 0),
      bits: SAMPLE_BITS[bitsCode]! || (stream?.bits ?? 0),
    };
    return head.sampleRate > 0 && head.bits > 0 ? { head, bits } : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The frame at the beginning of the bytes. Throws a RangeError when it is cut off or damaged. */
export function readFrame(bytes: Uint8Array, stream: FlacStream | null): FlacFrame {
  const found = frameHead(bytes, stream);
  if (found === null) throw new RangeError("no FLAC frame begins here");
  const { head, bits } = found;
  const { samples, assignment } = head;
  const count = assignment < 8 ? assignment + 1 : 2;
  const channels: Int32Array[] = [];
  for (let index = 0; index < count; index += 1) {
    const isDifference = assignment === 8 || assignment === 10 ? index === 1 : assignment === 9 && index === 0;
    channels.push(readSubframe(bits, samples, head.bits + (isDifference ? 1 : 0)));
  }
  if (assignment >= 8) partChannels(channels[0]!, channels[1]!, assignment);
  return { sampleRate: head.sampleRate, bits: head.bits, channels, length: bits.bytesRead + 2 };
}

/** A frame's or sample's number, in the manner of UTF-8. */
function skipNumber(bits: FrameBits): void {
  const first = bits.unsigned(8);
  let more = 0;
  while (more < 7 && (first & (0x80 >> more)) !== 0) more += 1;
  for (let index = 1; index < more; index += 1) bits.unsigned(8);
}

function checkSum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum & 0x80) !== 0 ? ((sum << 1) ^ 0x07) & 0xff : sum << 1;
  }
  return sum;
}

function readSubframe(bits: FrameBits, samples: number, width: number): Int32Array {
  if (bits.unsigned(1) !== 0) throw new RangeError("a FLAC subframe is damaged");
  const type = bits.unsigned(6);
  const wasted = bits.unsigned(1) === 1 ? bits.unary() + 1 : 0;
  const kept = width - wasted;
  if (kept < 1 || kept > 33) throw new RangeError("a FLAC subframe is damaged");
  const out = new Int32Array(samples);
  if (type === 0) out.fill(wide(bits, kept));
  else if (type === 1) for (let index = 0; index < samples; index += 1) out[index] = wide(bits, kept);
  else if (type >= 8 && type <= 12) readPredicted(bits, out, kept, FIXED[type - 8]!, 0);
  else if (type >= 32) readLinear(bits, out, kept, type - 31);
  else throw new RangeError("a FLAC subframe is damaged");
  if (wasted > 0) for (let index = 0; index < samples; index += 1) out[index]! <<= wasted;
  return out;
}

/** The difference of two channels of 32 bits has 33. */
const wide = (bits: FrameBits, count: number): number =>
  count <= 32 ? bits.signed(count) : bits.signed(count - 32) * 2 ** 32 + bits.unsigned(32);

function readLinear(bits: FrameBits, out: Int32Array, width: number, order: number): void {
  if (order > out.length) throw new RangeError("a FLAC subframe is damaged");
  const first: number[] = [];
  for (let index = 0; index < order; index += 1) first.push(wide(bits, width));
  const precision = bits.unsigned(4) + 1;
  const shift = bits.signed(5);
  if (precision === 16 || shift < 0) throw new RangeError("a FLAC subframe is damaged");
  const weights = Array.from({ length: order }, () => bits.signed(precision));
  out.set(first);
  addResidual(bits, out, weights, shift);
}

function readPredicted(
  bits: FrameBits,
  out: Int32Array,
  width: number,
  weights: readonly number[],
  shift: number,
): void {
  if (weights.length > out.length) throw new RangeError("a FLAC subframe is damaged");
  for (let index = 0; index < weights.length; index += 1) out[index] = wide(bits, width);
  addResidual(bits, out, weights, shift);
}

/** Reads the residual, in Rice codes, and adds it to what the weights predict of the samples before. */
function addResidual(bits: FrameBits, out: Int32Array, weights: readonly number[], shift: number): void {
  const method = bits.unsigned(2);
  if (method > 1) throw new RangeError("a FLAC residual is damaged");
  const parameterBits = method === 0 ? 4 : 5;
  const partitions = 1 << bits.unsigned(4);
  const order = weights.length;
  const perPartition = out.length / partitions;
  if (!Number.isInteger(perPartition) || perPartition < order) throw new RangeError("a FLAC residual is damaged");
  const scale = 2 ** -shift;
  let index = order;
  for (let partition = 1; partition <= partitions; partition += 1) {
    const end = partition * perPartition;
    const parameter = bits.unsigned(parameterBits);
    const isPlain = parameter === (1 << parameterBits) - 1;
    const plainBits = isPlain ? bits.unsigned(5) : 0;
    for (; index < end; index += 1) {
      let residual: number;
      if (isPlain) residual = bits.signed(plainBits);
      else {
        const folded = bits.unary() * 2 ** parameter + bits.unsigned(parameter);
        residual = folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
      }
      // Sums have up to 54 bits, which doubles hold and integers of 32 bits do not.
      let sum = 0;
      for (let back = 0; back < order; back += 1) sum += weights[back]! * out[index - 1 - back]!;
      out[index] = residual + Math.floor(sum * scale);
    }
  }
}

function partChannels(one: Int32Array, two: Int32Array, assignment: number): void {
  for (let index = 0; index < one.length; index += 1) {
    const [a, b] = [one[index]!, two[index]!];
    if (assignment === 8) two[index] = a - b;
    else if (assignment === 9) one[index] = a + b;
    else {
      const middle = a * 2 + (b & 1);
      one[index] = (middle + b) / 2;
      two[index] = (middle - b) / 2;
    }
  }
}
