/** The frames of one track of Matroska, out of its clusters. */
import { type ByteSource, ByteWindow } from "../byte-source.ts";
import { elementAt, unsignedOf, variableNumber } from "./ebml.ts";
import { MOST_PACKET_BYTES, type Packet } from "./sound.ts";

const CLUSTER = 0x1f43b675;
const TIMESTAMP = 0xe7;
const SIMPLE_BLOCK = 0xa3;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const BLOCK_DURATION = 0x9b;

export interface TrackFrame extends Packet {
  readonly time: number;
  /** Seconds; null where the block does not say it. */
  readonly duration: number | null;
}

/** From the first cluster on. Bytes that are no elements, where a file is damaged, are passed over up to the next cluster. */
export function* matroskaFrames(
  source: ByteSource,
  start: number,
  end: number,
  track: number,
  secondsPerUnit: number,
): Generator<TrackFrame> {
  const window = new ByteWindow(source);
  let clusterTime = 0;
  let group: { start: number; end: number; duration: number | null } | null = null;
  for (let offset = start; offset < end; ) {
    const element = elementAt(window, offset);
    if (element === null) {
      offset = nextCluster(window, offset + 1, end);
      continue;
    }
    const { id } = element;
    if (group !== null && offset >= group.end) group = null;
    // What lies in clusters and groups is looked at as if it lay beside them, so that open lengths do no harm.
    if (id === CLUSTER || id === BLOCK_GROUP) {
      if (id === BLOCK_GROUP) group = { start: element.start, end: element.end, duration: durationIn(window, element) };
      offset = element.start;
      continue;
    }
    if (id === TIMESTAMP) clusterTime = unsignedOf(window, element);
    if (
      (id === SIMPLE_BLOCK || id === BLOCK) &&
      element.end <= end &&
      element.end - element.start <= MOST_PACKET_BYTES
    ) {
      const duration = group?.duration ?? null;
      const seconds = duration === null ? null : duration * secondsPerUnit;
      yield* framesOf(
        window.read(element.start, element.end - element.start),
        track,
        clusterTime,
        secondsPerUnit,
        seconds,
      );
    }
    offset = element.end;
  }
}

function durationIn(window: ByteWindow, group: { start: number; end: number }): number | null {
  for (let offset = group.start; offset < group.end; ) {
    const element = elementAt(window, offset);
    if (element === null) return null;
    if (element.id === BLOCK_DURATION) return unsignedOf(window, element);
    offset = element.end;
  }
  return null;
}

function nextCluster(window: ByteWindow, from: number, end: number): number {
  for (let offset = from; offset < end; ) {
    const bytes = window.read(offset, 65536);
    const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(
      "\x1f\x43\xb6\x75",
      0,
      "latin1",
    );
    if (found >= 0) return offset + found;
    offset += Math.max(1, bytes.length - 3);
  }
  return end;
}

function* framesOf(
  block: Uint8Array,
  track: number,
  clusterTime: number,
  secondsPerUnit: number,
  duration: number | null,
): Generator<TrackFrame> {
  const number = variableNumber(block);
  if (number === null || number.value !== track || block.length < number.length + 3) return;
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  const time = (clusterTime + view.getInt16(number.length)) * secondsPerUnit;
  const lacing = (block[number.length + 2]! >> 1) & 3;
  const body = block.slice(number.length + 3);
  if (lacing === 0) {
    yield { data: body, time, duration };
    return;
  }
  const { lengths, start } = laceLengths(body, lacing);
  let at = start;
  for (const [index, length] of lengths.entries()) {
    if (length < 0 || at + length > body.length) return;
    // Of frames that share a block only the first has a time of its own.
    yield { data: body.subarray(at, at + length), time: index === 0 ? time : Number.NaN, duration: null };
    at += length;
  }
}

const [XIPH, FIXED] = [1, 2];

function laceLengths(body: Uint8Array, lacing: number): { lengths: number[]; start: number } {
  const count = (body[0] ?? 0) + 1;
  let at = 1;
  const lengths: number[] = [];
  if (lacing === FIXED) {
    const each = (body.length - at) / count;
    return { lengths: Number.isInteger(each) ? new Array<number>(count).fill(each) : [], start: at };
  }
  for (let index = 0; index < count - 1; index += 1) {
    if (lacing === XIPH) {
      let length = 0;
      while (body[at] === 255) {
        length += 255;
        at += 1;
      }
      lengths.push(length + (body[at] ?? 0));
      at += 1;
      continue;
    }
    const number = variableNumber(body.subarray(at));
    if (number === null) return { lengths: [], start: at };
    at += number.length;
    // The first as it is, each further one as what it is longer than the one before.
    const bias = 2 ** (7 * number.length - 1) - 1;
    lengths.push(index === 0 ? number.value : lengths.at(-1)! + number.value - bias);
  }
  const rest = body.length - at - lengths.reduce((sum, length) => sum + length, 0);
  return { lengths: [...lengths, rest], start: at };
}
