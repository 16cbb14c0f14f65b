/** Frames of MPEG audio (MP3 and the layers before it) in a file, found by their heads. */
import { type ByteSource, ByteWindow } from "../byte-source.ts";
import type { Packet } from "./sound.ts";

export interface MpegHead {
  readonly bytes: number;
  readonly samples: number;
  readonly sampleRate: number;
  readonly channels: number;
  /** 1 to 3. */
  readonly layer: number;
  /** Where the side information of a layer 3 frame ends, and where notes about the file may lie instead of sound. */
  readonly sideEnd: number;
}

const KILOBITS: Readonly<Record<string, readonly number[]>> = {
  "1 1": [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  "1 2": [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  "1 3": [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  "2 1": [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  "2 2": [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  "2 3": [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const RATES = [44100, 48000, 32000];
/** Heads in a row that prove a stream, where it is not known to be one. */
const PROOF = 3;

/** The head at the beginning of the bytes; null where there is none. */
export function mpegHead(bytes: Uint8Array): MpegHead | null {
  if (bytes.length < 4 || bytes[0] !== 0xff || (bytes[1]! & 0xe0) !== 0xe0) return null;
  const version = (bytes[1]! >> 3) & 3;
  const layer = 4 - ((bytes[1]! >> 1) & 3);
  const rate = RATES[(bytes[2]! >> 2) & 3];
  if (version === 1 || layer === 4 || rate === undefined) return null;
  const kilobits = KILOBITS[`${version === 3 ? 1 : 2} ${layer}`]![bytes[2]! >> 4];
  if (kilobits === undefined || kilobits === 0) return null;
  const sampleRate = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4;
  const padding = (bytes[2]! >> 1) & 1;
  const samples = layer === 1 ? 384 : layer === 3 && version !== 3 ? 576 : 1152;
  const length =
    layer === 1
      ? (Math.floor((12000 * kilobits) / sampleRate) + padding) * 4
      : Math.floor((samples * 125 * kilobits) / sampleRate) + padding;
  const channels = bytes[3]! >> 6 === 3 ? 1 : 2;
  const side = version === 3 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
  const checked = (bytes[1]! & 1) === 0 ? 2 : 0;
  return { bytes: length, samples, sampleRate, channels, layer, sideEnd: 4 + checked + side };
}

/** Bytes of the tag of names and pictures in front; 0: there is none. */
export function id3Length(head: Uint8Array): number {
  if (String.fromCharCode(...head.subarray(0, 3)) !== "ID3" || head.length < 10) return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (head[at]! & 0x7f), 0);
  return 10 + size + ((head[5]! & 0x10) !== 0 ? 10 : 0);
}

/** Whether several heads follow each other from the offset on. */
export function isMpegAudio(source: ByteSource, offset: number): boolean {
  let at = offset;
  let first: MpegHead | null = null;
  for (let count = 0; count < PROOF; count += 1) {
    const head = mpegHead(source.read(at, 4));
    if (head === null) return count > 0 && at >= source.size;
    if (first !== null && (head.sampleRate !== first.sampleRate || head.layer !== first.layer)) return false;
    first ??= head;
    at += head.bytes;
  }
  return true;
}

/** Every whole frame. Bytes between them, and tags, are passed over, and so is a first frame that holds notes in place of sound. */
export function* mp3Frames(source: ByteSource): Generator<Packet> {
  const window = new ByteWindow(source);
  let isFirst = true;
  let isInStep = false;
  for (let offset = 0; offset + 4 <= source.size; ) {
    const tag = id3Length(window.read(offset, 10));
    if (tag > 0) {
      offset += tag;
      continue;
    }
    const head = mpegHead(window.read(offset, 4));
    // A head found after damage is believed when another follows where it says.
    if (head === null || (!isInStep && !isMpegAudio(window, offset))) {
      offset += 1;
      isInStep = false;
      continue;
    }
    isInStep = true;
    const data = window.read(offset, head.bytes);
    if (data.length < head.bytes) return;
    if (!(isFirst && isNotes(data, head))) yield { data: data.slice(), time: null };
    isFirst = false;
    offset += head.bytes;
  }
}

/** Encoders put the length of what follows into a frame without sound. */
function isNotes(frame: Uint8Array, { layer, sideEnd }: MpegHead): boolean {
  if (layer !== 3) return false;
  const name = (at: number): string => String.fromCharCode(...frame.subarray(at, at + 4));
  return ["Xing", "Info"].includes(name(sideEnd)) || name(36) === "VBRI";
}
