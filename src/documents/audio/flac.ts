/** FLAC: files of its own, and frames that lie in other containers. */
import { type ByteSource, ByteWindow } from "../byte-source.ts";
import { type FlacStream, frameHead, readFrame } from "./flac-frame.ts";
import { checkedSound, type Packet, RecordingFault, type Sound, type SoundStream } from "./sound.ts";

/** Bytes of a frame at most: 65536 samples of 8 channels of 32 bits, with a little more. */
const MOST_FRAME_BYTES = 2_200_000;
/** Frames that are tried with this many bytes first. */
const USUAL_FRAME_BYTES = 64 * 1024;
const STREAM_INFO_BYTES = 34;

export const isFlac = (head: Uint8Array): boolean => String.fromCharCode(...head.subarray(0, 4)) === "fLaC";

/** What the first block of a stream's head says. */
export function streamInfo(bytes: Uint8Array): (FlacStream & { samples: number }) | null {
  if (bytes.length < STREAM_INFO_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const packed = view.getUint32(10);
  const sampleRate = packed >>> 12;
  if (sampleRate === 0) return null;
  return {
    sampleRate,
    channels: ((packed >>> 9) & 7) + 1,
    bits: ((packed >>> 4) & 31) + 1,
    samples: (packed & 15) * 2 ** 32 + view.getUint32(14),
  };
}

/** Throws RecordingFault. */
export function readFlac(source: ByteSource): { stream: SoundStream; seconds: number | null } {
  const window = new ByteWindow(source);
  let info: ReturnType<typeof streamInfo> = null;
  let offset = 4;
  for (let isLast = false; !isLast; ) {
    const head = window.read(offset, 4);
    if (head.length < 4) throw new RecordingFault("it is cut off before its sound begins");
    isLast = (head[0]! & 0x80) !== 0;
    const length = (head[1]! << 16) | (head[2]! << 8) | head[3]!;
    if ((head[0]! & 0x7f) === 0) info = streamInfo(window.read(offset + 4, STREAM_INFO_BYTES));
    offset += 4 + length;
  }
  const seconds = info === null || info.samples === 0 ? null : info.samples / info.sampleRate;
  return { stream: framesFrom(source, offset, info), seconds };
}

/** Frames one after the other; bytes that are none, where a file is damaged, are passed over. */
function* framesFrom(source: ByteSource, start: number, stream: FlacStream | null): Generator<Sound> {
  const window = new ByteWindow(source);
  let offset = start;
  while (offset < source.size) {
    const frame = frameAt(window, offset, stream);
    if (frame === null) offset = nextSync(window, offset + 1, stream);
    else {
      yield soundOf(frame, null);
      offset += frame.length;
    }
  }
}

function frameAt(window: ByteWindow, offset: number, stream: FlacStream | null) {
  for (const length of [USUAL_FRAME_BYTES, MOST_FRAME_BYTES]) {
    try {
      return readFrame(window.read(offset, length), stream);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      if (offset + length >= window.size || !error.message.endsWith("cut off")) return null;
    }
  }
  return null;
}

/** Where the next frame may begin, or the end. */
function nextSync(window: ByteWindow, from: number, stream: FlacStream | null): number {
  for (let offset = from; offset < window.size; ) {
    const bytes = window.read(offset, USUAL_FRAME_BYTES);
    for (let index = bytes.indexOf(0xff); index >= 0; index = bytes.indexOf(0xff, index + 1)) {
      if (index + 32 > bytes.length && offset + bytes.length < window.size) break;
      if (frameHead(bytes.subarray(index, index + 32), stream) !== null) return offset + index;
    }
    offset += Math.max(1, bytes.length - 32);
  }
  return window.size;
}

/** Frames that a container holds, with the head of their stream as some put it among them, or beside them. */
export function* decodeFlac(packets: Iterable<Packet>, head: FlacStream | null): Generator<Sound> {
  let stream = head;
  for (const { data, time } of packets) {
    // In Ogg the first packet is "\x7fFLAC", its version, the number of heads, "fLaC" and the first head.
    if (data[0] === 0x7f && data.length >= 17 + STREAM_INFO_BYTES) stream = streamInfo(data.subarray(17)) ?? stream;
    if (data[0] !== 0xff) continue;
    let sound: Sound;
    try {
      sound = soundOf(readFrame(data, stream), time);
    } catch (error) {
      if (error instanceof RangeError) continue;
      throw error;
    }
    yield sound;
  }
}

function soundOf({ channels, sampleRate, bits }: ReturnType<typeof readFrame>, time: number | null): Sound {
  checkedSound(sampleRate, channels.length);
  const scale = 2 ** (1 - bits);
  return {
    sampleRate,
    time,
    channels: channels.map((samples) => Float32Array.from(samples, (value) => value * scale)),
  };
}
