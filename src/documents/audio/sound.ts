/** What recordings are read as: packets of a codec, and sound. */

/** A stretch of sound as it was coded. All channels are of one length; samples are about -1 to 1. */
export interface Sound {
  readonly sampleRate: number;
  readonly channels: readonly Float32Array[];
  /** The second of its first sample, where the container says it; null: it follows on what came before. */
  readonly time: number | null;
}

/** A piece of a codec's stream, as containers hold it. */
export interface Packet {
  readonly data: Uint8Array;
  /** Seconds; null where the container says nothing. */
  readonly time: number | null;
}

export type SoundStream = AsyncIterable<Sound> | Iterable<Sound>;

/** Something is said in a file at certain seconds, as its makers wrote it. */
export interface TextCue {
  startTime: number;
  endTime: number;
  lines: string[];
}

/** Why a recording cannot be read: a sentence's part after "cannot be read: ". */
export class RecordingFault extends Error {
  override readonly name = "RecordingFault";
}

/** What is done about sound that is coded in a way which is not read. */
export const CONVERSION =
  "convert it to another format, e.g. with: ffmpeg -i recording -vn -ac 1 -ar 16000 recording.flac";

export function unreadCodec(name: string): RecordingFault {
  return new RecordingFault(`its sound is coded as ${name}, which is not read; ${CONVERSION}`);
}

/** The figures that sound can have; others are damage. */
export function checkedSound(sampleRate: number, channels: number): void {
  if (!(sampleRate >= 1000 && sampleRate <= 1_000_000) || !(channels >= 1 && channels <= 64))
    throw new RecordingFault(`it is damaged: it claims ${channels} channels at ${sampleRate} Hz`);
}

/** Bytes of one packet at most; no codec has larger ones, pictures in the head of a FLAC stream included. */
export const MOST_PACKET_BYTES = 32 * 1024 * 1024;
