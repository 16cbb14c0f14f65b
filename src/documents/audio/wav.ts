/** WAV files: RIFF, and RF64 and BW64 for those beyond four gigabytes. */
import { type ByteSource, ByteWindow, part } from "../byte-source.ts";
import { mp3Frames } from "./mp3-frames.ts";
import { decodeMp3 } from "./mp3.ts";
import { readPcm, type SampleKind } from "./pcm.ts";
import { RecordingFault, type SoundStream, unreadCodec } from "./sound.ts";

const EXTENSIBLE = 0xfffe;
const MPEG_LAYER_3 = 0x55;
/** Of a chunk whose length was not known when it was begun, or stands elsewhere. */
const UNKNOWN_LENGTH = 0xffffffff;

const KINDS: Readonly<Record<number, (bits: number) => SampleKind>> = {
  1: (bits) => (bits === 8 ? "unsigned" : "signed"),
  3: () => "float",
  6: () => "a-law",
  7: () => "mu-law",
};
const OTHER_NAMES: Readonly<Record<number, string>> = {
  2: "Microsoft ADPCM",
  17: "IMA ADPCM",
  49: "GSM 6.10",
  255: "AAC",
  353: "Windows Media Audio",
};

export function isWav(head: Uint8Array): boolean {
  const letters = String.fromCharCode(...head.subarray(0, 12));
  return /^(?:RIFF|RF64|BW64)[\s\S]{4}WAVE$/.test(letters);
}

/** Throws RecordingFault. What a file cut off still holds is read. */
export function readWav(source: ByteSource): { stream: SoundStream; seconds: number | null } {
  const window = new ByteWindow(source);
  let format: DataView | null = null;
  let longLength: number | null = null;
  for (let offset = 12; offset + 8 <= source.size; ) {
    const name = window.letters(offset, 4);
    const length = window.view(offset + 4, 4).getUint32(0, true);
    const start = offset + 8;
    if (name === "ds64" && length >= 16) longLength = Number(window.view(start + 8, 8).getBigUint64(0, true));
    if (name === "fmt ") {
      const bytes = window.read(start, Math.min(length, 64)).slice();
      format = new DataView(bytes.buffer);
    }
    if (name === "data") {
      if (format === null || format.byteLength < 16) break;
      const known = length === UNKNOWN_LENGTH ? longLength : length;
      // Programs that stream leave the length open.
      const data = part(source, start, known === null || known === 0 ? source.size : known);
      return soundOf(data, format);
    }
    offset = start + length + (length % 2);
  }
  throw new RecordingFault("it is damaged or cut off: a WAV file without its sound");
}

function soundOf(data: ByteSource, format: DataView): { stream: SoundStream; seconds: number | null } {
  const number = (at: number): number => format.getUint16(at, true);
  const tag = number(0) === EXTENSIBLE && format.byteLength >= 26 ? number(24) : number(0);
  const [channels, sampleRate, bytesPerSecond, bits] = [
    number(2),
    format.getUint32(4, true),
    format.getUint32(8, true),
    number(14),
  ];
  if (tag === MPEG_LAYER_3)
    return { stream: decodeMp3(mp3Frames(data)), seconds: bytesPerSecond > 0 ? data.size / bytesPerSecond : null };
  const kind = KINDS[tag]?.(bits);
  if (kind === undefined) throw unreadCodec(OTHER_NAMES[tag] ?? `WAVE format ${tag}`);
  // Samples of 12 or 20 bits lie in whole bytes, at their upper end.
  const frame = { kind, bits: Math.ceil(bits / 8) * 8, isBigEndian: false, sampleRate, channels };
  return {
    stream: readPcm(data, frame),
    seconds: data.size / Math.max(1, (frame.bits / 8) * channels * sampleRate),
  };
}
