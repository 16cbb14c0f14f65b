/** MP4, M4A and QuickTime: the first track of sound, and tracks of text, with the places of their samples. */
import { aacFormat, decodeAac } from "./aac.ts";
import { type ByteSource, ByteWindow } from "../byte-source.ts";
import { streamInfo, decodeFlac } from "./flac.ts";
import { decodeMp3 } from "./mp3.ts";
import { type Box, boxAt, boxesIn } from "./mp4-boxes.ts";
import { mp4Samples, type TrackTable } from "./mp4-samples.ts";
import { mp4Cues } from "./mp4-text.ts";
import { decodeOpus, opusHead } from "./opus.ts";
import { type PcmFormat, readPcmPackets, type SampleKind } from "./pcm.ts";
import { CONVERSION, type Packet, RecordingFault, type SoundStream, type TextCue, unreadCodec } from "./sound.ts";

/** Of a track's entries; a film has a handful. */
const MOST_TRACKS = 100;

const TEXT_ENTRIES = new Set(["tx3g", "text", "wvtt"]);
const NAMES: Readonly<Record<string, string>> = {
  alac: "Apple Lossless",
  "ac-3": "AC-3",
  "ec-3": "E-AC-3",
  samr: "AMR",
  sawb: "AMR",
};
const PCM: Readonly<Record<string, readonly [SampleKind, number, boolean]>> = {
  sowt: ["signed", 16, false],
  twos: ["signed", 16, true],
  in24: ["signed", 24, true],
  in32: ["signed", 32, true],
  fl32: ["float", 32, true],
  fl64: ["float", 64, true],
  alaw: ["a-law", 8, true],
  ulaw: ["mu-law", 8, true],
  "raw ": ["unsigned", 8, true],
};

interface Track extends TrackTable {
  readonly handler: string;
  readonly language: string | null;
  readonly entry: Box;
}

export const isMp4 = (head: Uint8Array): boolean =>
  /^(?:ftyp|moov|mdat|wide|free|skip)$/.test(String.fromCharCode(...head.subarray(4, 8)));

export interface Mp4 {
  readonly stream: SoundStream | null;
  readonly seconds: number | null;
  readonly hasPictures: boolean;
  readonly texts: ReadonlyArray<{ readonly language: string | null; cues(): Iterable<TextCue> }>;
}

/** Throws RecordingFault. */
export function readMp4(source: ByteSource, ffmpeg: string | null): Mp4 {
  const window = new ByteWindow(source);
  const whole = { start: 0, end: source.size };
  const moov = boxAt(window, whole, "moov");
  if (moov === null)
    throw new RecordingFault(
      "it is cut off, or was never finished: the table that says where its sound lies is missing",
    );
  const tracks = tracksIn(window, moov);
  const sounds = tracks.filter(({ handler }) => handler === "soun");
  const sound = sounds[0];
  return {
    stream: sound === undefined ? null : streamOf(source, window, sound, ffmpeg),
    seconds: sound === undefined ? null : durationOf(window, moov),
    hasPictures: tracks.some(({ handler }) => handler === "vide"),
    texts: tracks
      .filter(({ entry }) => TEXT_ENTRIES.has(entry.type))
      .map((track) => ({
        language: track.language,
        cues: () => mp4Cues(mp4Samples(source, track), track.entry.type as "tx3g" | "text" | "wvtt"),
      })),
  };
}

function tracksIn(window: ByteWindow, moov: Box): Track[] {
  const tracks: Track[] = [];
  for (const box of boxesIn(window, moov.start, moov.end)) {
    if (box.type !== "trak" || tracks.length >= MOST_TRACKS) continue;
    const mdhd = boxAt(window, box, "mdia", "mdhd");
    const hdlr = boxAt(window, box, "mdia", "hdlr");
    const table = boxAt(window, box, "mdia", "minf", "stbl");
    const stsd = table && boxAt(window, table, "stsd");
    const tkhd = boxAt(window, box, "tkhd");
    if (mdhd === null || hdlr === null || table === null || !stsd || tkhd === null) continue;
    const [entry] = boxesIn(window, stsd.start + 8, stsd.end);
    if (entry === undefined) continue;
    const isLong = window.view(mdhd.start, 1).getUint8(0) === 1;
    const timescale = window.view(mdhd.start + (isLong ? 20 : 12), 4).getUint32(0);
    const isLongHead = window.view(tkhd.start, 1).getUint8(0) === 1;
    if (timescale === 0) continue;
    tracks.push({
      id: window.view(tkhd.start + (isLongHead ? 20 : 12), 4).getUint32(0),
      handler: window.letters(hdlr.start + 8, 4),
      language: languageOf(window.view(mdhd.start + (isLong ? 32 : 20), 2).getUint16(0)),
      timescale,
      table,
      entry,
      moov,
    });
  }
  return tracks;
}

/** Three letters of five bits each. */
function languageOf(packed: number): string | null {
  const letters = [10, 5, 0].map((shift) => String.fromCharCode(0x60 + ((packed >> shift) & 31))).join("");
  return /^[a-z]{3}$/.test(letters) && letters !== "und" ? letters : null;
}

function durationOf(window: ByteWindow, moov: Box): number | null {
  const mvhd = boxAt(window, moov, "mvhd");
  if (mvhd === null) return null;
  const isLong = window.view(mvhd.start, 1).getUint8(0) === 1;
  const view = window.view(mvhd.start + (isLong ? 20 : 12), 12);
  const [scale, duration] = [view.getUint32(0), isLong ? Number(view.getBigUint64(4)) : view.getUint32(4)];
  return scale > 0 && duration > 0 ? duration / scale : null;
}

function streamOf(source: ByteSource, window: ByteWindow, track: Track, ffmpeg: string | null): SoundStream {
  const { entry } = track;
  const { type } = entry;
  if (/^(?:enca|drms|encv|drmi)$/.test(type))
    throw new RecordingFault("it is encrypted (DRM): its sound can be played by its seller's programs only");
  const view = window.view(entry.start, 28);
  if (view.byteLength < 28) throw new RecordingFault("it is damaged: its sound is not described");
  const version = view.getUint16(8);
  // QuickTime describes more of what it holds before the boxes come.
  const boxes = { start: entry.start + 28 + (version === 1 ? 16 : version === 2 ? 36 : 0), end: entry.end };
  const long = version === 2 ? window.view(entry.start + 28, 36) : null;
  const channels = long === null ? view.getUint16(16) : long.getUint32(12);
  const sampleRate = long === null ? view.getUint32(24) / 65536 : long.getFloat64(4);
  const bits = long === null ? view.getUint16(18) : long.getUint32(20);
  const packets = (): Iterable<Packet> => mp4Samples(source, track);
  const bytesOf = (...path: string[]): Uint8Array | null => {
    const box = boxAt(window, boxes, ...path);
    return box === null ? null : window.read(box.start, box.end - box.start).slice();
  };
  if (type === "Opus") {
    const head = opusHead(bytesOf("dOps") ?? new Uint8Array(), "dOps");
    if (head === null) throw new RecordingFault("it is damaged: its Opus sound is not described");
    return decodeOpus(packets(), head);
  }
  if (type === "fLaC") return decodeFlac(packets(), streamInfo((bytesOf("dfLa") ?? new Uint8Array()).subarray(8)));
  if (type === ".mp3" || type === "ms\0U") return decodeMp3(packets());
  if (type === "mp4a") {
    const described = elementaryStream(bytesOf("esds") ?? bytesOf("wave", "esds") ?? new Uint8Array());
    if (described !== null && (described.codec === 0x69 || described.codec === 0x6b)) return decodeMp3(packets());
    const format = described === null ? null : aacFormat(described.details);
    if (format === null) throw unreadCodec("a kind of AAC");
    return decodeAac(packets(), format, ffmpeg);
  }
  const plain = pcmFormat(type, bits, channels, sampleRate, long, bytesOf);
  if (plain !== null) return readPcmPackets(packets(), plain);
  throw unreadCodec(NAMES[type] ?? `"${type.replace(/[^\x20-\x7e]/g, "?")}"`);
}

type BytesOf = (...path: string[]) => Uint8Array | null;

function pcmFormat(
  type: string,
  bits: number,
  channels: number,
  sampleRate: number,
  long: DataView | null,
  bytesOf: BytesOf,
): PcmFormat | null {
  const common = { channels, sampleRate: Math.round(sampleRate) };
  if (type === "ipcm" || type === "fpcm") {
    const described = bytesOf("pcmC");
    const isLittle = ((described?.[4] ?? 0) & 1) === 1;
    return {
      kind: type === "ipcm" ? "signed" : "float",
      bits: described?.[5] ?? bits,
      isBigEndian: !isLittle,
      ...common,
    };
  }
  if (type === "lpcm" && long !== null) {
    const flags = long.getUint32(24);
    const kind = (flags & 1) !== 0 ? "float" : (flags & 4) !== 0 ? "signed" : "unsigned";
    return { kind, bits, isBigEndian: (flags & 2) !== 0, ...common };
  }
  const known = PCM[type];
  if (known === undefined) return null;
  const [kind, usual, isBigEndian] = known;
  const isEight = bits === 8 && (type === "sowt" || type === "twos");
  const isLittle = bytesOf("wave", "enda")?.[1] === 1;
  return { kind, bits: isEight ? 8 : usual, isBigEndian: isBigEndian && !isLittle, ...common };
}

/** Of a box `esds`: which codec, and what it says of itself (ISO 14496-1). */
function elementaryStream(bytes: Uint8Array): { codec: number; details: Uint8Array } | null {
  let at = 4;
  let codec: number | null = null;
  while (at + 2 <= bytes.length) {
    const tag = bytes[at]!;
    let length = 0;
    at += 1;
    for (let count = 0; count < 4; count += 1) {
      const byte = bytes[at] ?? 0;
      at += 1;
      length = length * 128 + (byte & 0x7f);
      if (byte < 128) break;
    }
    if (tag === 3) at += 3;
    else if (tag === 4) {
      codec = bytes[at] ?? null;
      if (codec !== null && codec !== 0x40 && codec !== 0x67) return { codec, details: new Uint8Array() };
      at += 13;
    } else if (tag === 5) return codec === null ? null : { codec, details: bytes.subarray(at, at + length) };
    else at += length;
  }
  return null;
}

/** What is said where a file has no sound. */
export const NO_SOUND = `it holds pictures without sound, and no subtitles; if it should have sound, ${CONVERSION}`;
