/** A recording of any kind that is read: what is said in it as one channel of sound at 16 kHz, piece by piece, and the subtitles it carries. */
import { type ByteSource, ByteWindow, part } from "../byte-source.ts";
import { decodeAdts } from "./aac.ts";
import type { Container } from "./containers.ts";
import { decodeFlac, readFlac } from "./flac.ts";
import { readMatroska } from "./matroska.ts";
import { decodeMp3 } from "./mp3.ts";
import { id3Length, mp3Frames, mpegHead } from "./mp3-frames.ts";
import { readMp4 } from "./mp4.ts";
import { lastGranule, oggCodec, oggPackets } from "./ogg.ts";
import { decodeOpus } from "./opus.ts";
import { mixed, Resampler, SPEECH_RATE } from "./resample.ts";
import { checkedSound, type Packet, type Sound, type SoundStream, type TextCue } from "./sound.ts";
import { decodeVorbis } from "./vorbis.ts";
import { readWav } from "./wav.ts";

export interface Recording {
  /** Null where there is none. */
  readonly sound: SoundStream | null;
  /** About how long it is; null where that is not known before its end. */
  readonly seconds: number | null;
  readonly hasPictures: boolean;
  readonly texts: ReadonlyArray<{ readonly language: string | null; cues(): Iterable<TextCue> }>;
}

/** One channel at 16 kHz. */
export interface SpeechSound {
  readonly samples: Float32Array;
  /** The second of the first sample. */
  readonly time: number;
}

const OPUS_GRANULE_RATE = 48_000;
/** Frames of MPEG audio by whose average rate a file's length is told. */
const SAMPLED_FRAMES = 200;
/** A container's times are followed when they leave those of its sound by more than this. */
const MOST_DRIFT_SECONDS = 0.3;
/** Bytes of a file of AAC that are handed over at a time. */
const PIECE_BYTES = 64 * 1024;

/** Opens a recording. Throws RecordingFault. `ffmpeg`: the program that decodes AAC; null: none. */
export function openRecording(source: ByteSource, container: Container, ffmpeg: string | null): Recording {
  const audio = (sound: SoundStream, seconds: number | null): Recording => ({
    sound,
    seconds,
    hasPictures: false,
    texts: [],
  });
  switch (container) {
    case "mp4": {
      const { stream, ...rest } = readMp4(source, ffmpeg);
      return { sound: stream, ...rest };
    }
    case "matroska": {
      const { stream, ...rest } = readMatroska(source, ffmpeg);
      return { sound: stream, ...rest };
    }
    case "wav": {
      const { stream, seconds } = readWav(source);
      return audio(stream, seconds);
    }
    case "flac": {
      const tag = id3Length(source.read(0, 10));
      const { stream, seconds } = readFlac(part(source, tag, source.size));
      return audio(stream, seconds);
    }
    case "ogg":
      return audio(...readOgg(source));
    case "mp3":
      return audio(decodeMp3(mp3Frames(source)), mp3Seconds(source));
    case "aac":
      return audio(decodeAdts(pieces(source), ffmpeg), null);
  }
}

function readOgg(source: ByteSource): [SoundStream, number | null] {
  const codec = oggCodec(source);
  const packets = (): Iterable<Packet> => oggPackets(source, codec);
  const granule = lastGranule(source);
  const seconds = (rate: number): number | null => (granule === null || rate === 0 ? null : granule / rate);
  if (codec === "opus") return [decodeOpus(packets(), null), seconds(OPUS_GRANULE_RATE)];
  const [head] = packets();
  const view = head === undefined ? null : new DataView(head.data.buffer, head.data.byteOffset, head.data.byteLength);
  if (codec === "vorbis")
    return [decodeVorbis(packets()), seconds(view === null || view.byteLength < 16 ? 0 : view.getUint32(12, true))];
  return [decodeFlac(packets(), null), seconds(view === null || view.byteLength < 31 ? 0 : view.getUint32(27) >>> 12)];
}

/** By the average of the first frames; rates that vary make it a guess. */
function mp3Seconds(source: ByteSource): number | null {
  let [bytes, seconds, count] = [0, 0, 0];
  for (const { data } of mp3Frames(source)) {
    const head = mpegHead(data)!;
    bytes += data.length;
    seconds += head.samples / head.sampleRate;
    count += 1;
    if (count >= SAMPLED_FRAMES) break;
  }
  return bytes === 0 ? null : (source.size / bytes) * seconds;
}

function* pieces(source: ByteSource): Generator<Packet> {
  const window = new ByteWindow(source);
  for (let offset = id3Length(source.read(0, 10)); offset < source.size; offset += PIECE_BYTES)
    yield { data: window.read(offset, PIECE_BYTES), time: null };
}

/** The sound of a recording as it is listened to. Times never go back. */
export async function* speechSound(stream: SoundStream): AsyncGenerator<SpeechSound> {
  let resampler: Resampler | null = null;
  let time = 0;
  const cut = function* (samples: Float32Array): Generator<SpeechSound> {
    if (samples.length === 0) return;
    yield { samples, time };
    time += samples.length / SPEECH_RATE;
  };
  for await (const sound of stream as AsyncIterable<Sound>) {
    checkedSound(sound.sampleRate, sound.channels.length);
    const said = sound.time !== null && Number.isFinite(sound.time) ? sound.time : null;
    if (resampler !== null && resampler.sampleRate !== sound.sampleRate) {
      yield* cut(resampler.end());
      resampler = null;
    }
    if (said !== null && said > time + MOST_DRIFT_SECONDS) {
      if (resampler !== null) yield* cut(resampler.end());
      resampler = null;
      time = Math.max(time, said);
    }
    resampler ??= new Resampler(sound.sampleRate);
    yield* cut(resampler.push(mixed(sound.channels)));
  }
  if (resampler !== null) yield* cut(resampler.end());
}
