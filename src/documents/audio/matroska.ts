/** Matroska and WebM: the first track of sound, and tracks of text. */
import { aacFormat, decodeAac } from "./aac.ts";
import { type ByteSource, ByteWindow } from "../byte-source.ts";
import { type Element, elementAt, elementsIn, floatOf, textOf, unsignedOf } from "./ebml.ts";
import { decodeFlac, streamInfo } from "./flac.ts";
import { matroskaFrames, type TrackFrame } from "./matroska-frames.ts";
import { decodeMp3 } from "./mp3.ts";
import { linesOf } from "./mp4-text.ts";
import { decodeOpus, opusHead } from "./opus.ts";
import { readPcmPackets, type SampleKind } from "./pcm.ts";
import { RecordingFault, type SoundStream, type TextCue, unreadCodec } from "./sound.ts";
import { decodeVorbis, vorbisHeads } from "./vorbis.ts";

const IDS = {
  segment: 0x18538067,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  cluster: 0x1f43b675,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  track: 0xae,
  number: 0xd7,
  type: 0x83,
  codec: 0x86,
  codecPrivate: 0x63a2,
  language: 0x22b59c,
  languageTag: 0x22b59d,
  audio: 0xe1,
  sampleRate: 0xb5,
  channels: 0x9f,
  bits: 0x6264,
  encodings: 0x6d80,
  encoding: 0x6240,
  compression: 0x5034,
  compressionKind: 0x4254,
  compressionSettings: 0x4255,
  encryption: 0x5035,
} as const;

const [PICTURES, SOUND, SUBTITLES] = [1, 2, 17];
const HEADER_STRIPPING = 3;
/** Seconds a subtitle stays where nothing says how long. */
const USUAL_CUE_SECONDS = 3;

export const isMatroska = (head: Uint8Array): boolean =>
  head[0] === 0x1a && head[1] === 0x45 && head[2] === 0xdf && head[3] === 0xa3;

interface Track {
  number: number;
  type: number;
  codec: string;
  details: Uint8Array;
  language: string | null;
  sampleRate: number;
  channels: number;
  bits: number;
  isEncrypted: boolean;
  /** Bytes that were taken from the beginning of every frame. */
  stripped: Uint8Array;
  isPacked: boolean;
}

export interface Matroska {
  readonly stream: SoundStream | null;
  readonly seconds: number | null;
  readonly hasPictures: boolean;
  readonly texts: ReadonlyArray<{ readonly language: string | null; cues(): Iterable<TextCue> }>;
}

/** Throws RecordingFault. */
export function readMatroska(source: ByteSource, ffmpeg: string | null): Matroska {
  const window = new ByteWindow(source);
  const first = elementAt(window, 0);
  const segment = first === null ? null : elementAt(window, first.end);
  if (segment === null || segment.id !== IDS.segment)
    throw new RecordingFault("it is damaged or cut off before its sound begins");
  let scale = 1_000_000;
  let duration: number | null = null;
  const tracks: Track[] = [];
  const end = Math.min(segment.end, source.size);
  let clusters: number | null = null;
  for (let offset = segment.start; offset < end; ) {
    const element = elementAt(window, offset);
    if (element === null) break;
    if (element.id === IDS.info) {
      for (const child of elementsIn(window, element.start, Math.min(end, element.end))) {
        if (child.id === IDS.timestampScale) scale = unsignedOf(window, child);
        if (child.id === IDS.duration) duration = floatOf(window, child);
      }
    }
    if (element.id === IDS.tracks) {
      for (const child of elementsIn(window, element.start, Math.min(end, element.end)))
        if (child.id === IDS.track) tracks.push(trackOf(window, child));
    }
    if (element.id === IDS.cluster) {
      clusters = offset;
      break;
    }
    offset = element.end;
  }
  if (tracks.length === 0) throw new RecordingFault("it is damaged or cut off: it does not say what it holds");
  const sound = tracks.find(({ type }) => type === SOUND);
  const secondsPerUnit = scale / 1e9;
  const framesOf = (track: Track): Iterable<TrackFrame> =>
    clusters === null ? [] : restored(matroskaFrames(source, clusters, end, track.number, secondsPerUnit), track);
  return {
    stream: sound === undefined ? null : streamOf(sound, framesOf, ffmpeg),
    seconds: duration === null || !(duration > 0) ? null : duration * secondsPerUnit,
    hasPictures: tracks.some(({ type }) => type === PICTURES),
    texts: tracks
      .filter(({ type, codec }) => type === SUBTITLES && /^(?:S_TEXT\/|D_WEBVTT)/.test(codec))
      .map((track) => ({ language: track.language, cues: () => cuesOf(framesOf(track), track.codec) })),
  };
}

function trackOf(window: ByteWindow, element: Element): Track {
  const track: Track = {
    number: 0,
    type: 0,
    codec: "",
    details: new Uint8Array(),
    language: null,
    sampleRate: 8000,
    channels: 1,
    bits: 16,
    isEncrypted: false,
    stripped: new Uint8Array(),
    isPacked: false,
  };
  const bytesOf = ({ start, end }: Element): Uint8Array => window.read(start, end - start).slice();
  const visit = (within: Element): void => {
    for (const child of elementsIn(window, within.start, within.end)) {
      if (child.id === IDS.number) track.number = unsignedOf(window, child);
      else if (child.id === IDS.type) track.type = unsignedOf(window, child);
      else if (child.id === IDS.codec) track.codec = textOf(window, child);
      else if (child.id === IDS.codecPrivate) track.details = bytesOf(child);
      else if (child.id === IDS.languageTag || (child.id === IDS.language && track.language === null))
        track.language = textOf(window, child);
      else if (child.id === IDS.sampleRate) track.sampleRate = Math.round(floatOf(window, child));
      else if (child.id === IDS.channels) track.channels = unsignedOf(window, child);
      else if (child.id === IDS.bits) track.bits = unsignedOf(window, child);
      else if (child.id === IDS.encryption) track.isEncrypted = true;
      else if (child.id === IDS.compressionKind && unsignedOf(window, child) !== HEADER_STRIPPING)
        track.isPacked = true;
      else if (child.id === IDS.compressionSettings) track.stripped = bytesOf(child);
      // Without a kind it is zlib.
      else if (child.id === IDS.compression) {
        const kinds = [...elementsIn(window, child.start, child.end)];
        track.isPacked = !kinds.some(({ id }) => id === IDS.compressionKind);
        visit(child);
      } else if (child.id === IDS.audio || child.id === IDS.encodings || child.id === IDS.encoding) visit(child);
    }
  };
  visit(element);
  if (track.language === "und") track.language = null;
  return track;
}

/** Frames with what the container took from them. */
function* restored(frames: Iterable<TrackFrame>, { stripped, isPacked }: Track): Generator<TrackFrame> {
  for (const frame of frames) {
    if (isPacked) {
      let data: Uint8Array;
      try {
        data = Bun.inflateSync(frame.data.slice(2) as Uint8Array<ArrayBuffer>);
      } catch {
        continue;
      }
      yield { ...frame, data };
    } else if (stripped.length > 0) yield { ...frame, data: Buffer.concat([stripped, frame.data]) };
    else yield frame;
  }
}

function streamOf(track: Track, framesOf: (track: Track) => Iterable<TrackFrame>, ffmpeg: string | null): SoundStream {
  const { codec, details, bits, channels, sampleRate } = track;
  if (track.isEncrypted)
    throw new RecordingFault("it is encrypted (DRM): its sound can be played by its seller's programs only");
  const frames = (): Iterable<TrackFrame> => framesOf(track);
  if (codec === "A_OPUS") {
    const head = opusHead(details);
    if (head === null) throw new RecordingFault("it is damaged: its Opus sound is not described");
    return decodeOpus(frames(), head);
  }
  if (codec === "A_VORBIS") return decodeVorbis(chained(vorbisHeads(details), frames()));
  if (codec === "A_FLAC") return decodeFlac(frames(), streamInfo(details.subarray(8)));
  if (codec.startsWith("A_MPEG/L")) return decodeMp3(frames());
  if (codec.startsWith("A_AAC")) {
    const format = aacFormat(details);
    if (format === null) throw unreadCodec("a kind of AAC");
    return decodeAac(frames(), format, ffmpeg);
  }
  if (codec.startsWith("A_PCM/")) {
    const kind: SampleKind = codec.includes("FLOAT") ? "float" : bits === 8 ? "unsigned" : "signed";
    return readPcmPackets(frames(), { kind, bits, isBigEndian: codec.endsWith("/BIG"), sampleRate, channels });
  }
  throw unreadCodec(
    codec
      .replace(/^A_/, "")
      .replace(/[^\x20-\x7e]/g, "?")
      .slice(0, 40) || "an unnamed codec",
  );
}

function* chained<Item>(...lists: Iterable<Item>[]): Generator<Item> {
  for (const list of lists) yield* list;
}

function* cuesOf(frames: Iterable<TrackFrame>, codec: string): Generator<TextCue> {
  const decoder = new TextDecoder();
  for (const { data, time, duration } of frames) {
    let text = decoder.decode(data);
    // An event of SubStation: its order, layer, style, speaker, three margins, an effect, and the text.
    if (/ASS|SSA/.test(codec))
      text = text
        .split(",")
        .slice(8)
        .join(",")
        .replace(/\\[Nn]/g, "\n");
    // WebVTT in WebM has two lines of its own in front.
    if (codec.startsWith("D_WEBVTT")) text = text.split("\n").slice(2).join("\n");
    const lines = linesOf(text);
    if (lines.length > 0) yield { startTime: time, endTime: time + (duration ?? USUAL_CUE_SECONDS), lines };
  }
}
