/**
 * AAC by a program of the machine's own, ffmpeg: what could be carried along is not free. It is given frames alone, through a pipe, and told
 * what they are, so that it opens nothing and guesses nothing; it ends with this process, whose pipes it holds.
 */
import { CONVERSION, type Packet, RecordingFault, type Sound } from "./sound.ts";
import { SPEECH_RATE } from "./resample.ts";

/** Bytes that are handed over at a time. */
const PIECE_BYTES = 64 * 1024;
const MOST_FRAME_BYTES = 8191;
const ADTS_HEAD_BYTES = 7;

const RATES = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];

/** What a frame's head must say, of the few bytes by which containers describe the codec. */
export interface AacFormat {
  /** 1: Main, 2: LC, 3: SSR, 4: LTP. */
  readonly objectType: number;
  readonly rateIndex: number;
  readonly channels: number;
}

/** AudioSpecificConfig (ISO 14496-3). Null for kinds of AAC that no frame's head can name. */
export function aacFormat(bytes: Uint8Array): AacFormat | null {
  let position = 0;
  const take = (count: number): number => {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1, position += 1)
      value = value * 2 + (((bytes[position >> 3] ?? 0) >> (7 - (position & 7))) & 1);
    return value;
  };
  const type = (): number => {
    const short = take(5);
    return short === 31 ? 32 + take(6) : short;
  };
  const rate = (): number => {
    const index = take(4);
    return index === 15 ? RATES.indexOf(take(24)) : index;
  };
  let objectType = type();
  const rateIndex = rate();
  const channels = take(4);
  // High-efficiency AAC says what it extends behind.
  if (objectType === 5 || objectType === 29) {
    rate();
    objectType = type();
  }
  if (objectType < 1 || objectType > 4 || rateIndex < 0 || rateIndex >= RATES.length || channels > 7) return null;
  return { objectType, rateIndex, channels };
}

/** Sound of frames without heads. Throws RecordingFault where there is no ffmpeg, or it fails. */
export function decodeAac(packets: Iterable<Packet>, format: AacFormat, ffmpeg: string | null): AsyncGenerator<Sound> {
  return decodeAdts(withHeads(packets, format), ffmpeg);
}

function* withHeads(packets: Iterable<Packet>, { objectType, rateIndex, channels }: AacFormat): Generator<Packet> {
  for (const { data, time } of packets) {
    const length = data.length + ADTS_HEAD_BYTES;
    if (data.length === 0 || length > MOST_FRAME_BYTES) continue;
    const framed = new Uint8Array(length);
    framed.set([
      0xff,
      0xf1,
      ((objectType - 1) << 6) | (rateIndex << 2) | (channels >> 2),
      ((channels & 3) << 6) | (length >> 11),
      (length >> 3) & 0xff,
      ((length & 7) << 5) | 0x1f,
      0xfc,
    ]);
    framed.set(data, ADTS_HEAD_BYTES);
    yield { data: framed, time };
  }
}

/** Sound of frames with heads, or of pieces of a file of them. */
export async function* decodeAdts(packets: Iterable<Packet>, ffmpeg: string | null): AsyncGenerator<Sound> {
  if (ffmpeg === null)
    throw new RecordingFault(
      `its sound is coded as AAC, and this server has no ffmpeg to decode it with; install ffmpeg on the server, or ${CONVERSION}`,
    );
  const child = Bun.spawn({
    cmd: [
      ffmpeg,
      ...["-hide_banner", "-loglevel", "error", "-nostdin", "-threads", "1"],
      ...["-protocol_whitelist", "pipe", "-f", "aac", "-i", "pipe:0"],
      ...["-vn", "-ac", "1", "-ar", String(SPEECH_RATE), "-f", "f32le", "pipe:1"],
    ],
    env: {},
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  let first: number | null = null;
  let heard = false;
  const feeding = (async () => {
    let pieces: Uint8Array[] = [];
    let bytes = 0;
    const send = async (): Promise<void> => {
      child.stdin.write(Buffer.concat(pieces));
      pieces = [];
      bytes = 0;
      await child.stdin.flush();
    };
    for (const { data, time } of packets) {
      first ??= time;
      pieces.push(data.slice());
      bytes += data.length;
      if (bytes >= PIECE_BYTES) await send();
    }
    await send();
    await child.stdin.end();
  })();
  // A program that ends early closes its pipe; what it has said by then is what there is.
  const fed = feeding.then(
    () => null,
    (error: unknown) => error,
  );
  try {
    let rest = new Uint8Array(0);
    for await (const bytes of child.stdout) {
      const joined = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      const whole = joined.length - (joined.length % 4);
      rest = joined.slice(whole);
      if (whole === 0) continue;
      const samples = new Float32Array(joined.slice(0, whole).buffer, 0, whole / 4);
      yield { sampleRate: SPEECH_RATE, channels: [samples], time: heard ? null : first };
      heard = true;
    }
    const fault = await fed;
    if (fault instanceof RecordingFault) throw fault;
    await child.exited;
    if (!heard) throw new RecordingFault("it is damaged: ffmpeg makes no sound of its AAC");
  } finally {
    child.kill("SIGKILL");
  }
}
