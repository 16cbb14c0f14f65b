/**
 * MPEG audio by minimp3 (CC0) in WebAssembly. It takes a whole file into its memory; it is given a few hundred frames at a time instead, with
 * the last ones of those before in front: a frame's data may begin in earlier ones.
 */
import decoderPath from "../../../node_modules/minimp3-wasm/dist/decoder.opt.wasm" with { type: "file" };
import { mpegHead } from "./mp3-frames.ts";
import { type Packet, type Sound, unreadCodec } from "./sound.ts";

/** The other two are older and rare, and this build of minimp3 leaves them out. */
const LAYER = 3;
const FRAMES_AT_A_TIME = 384;
/** Data may begin 511 bytes before its frame, which are several frames where these are short; one more warms the filters up. */
const FRAMES_BEFORE = 12;
/** Longer than any piece. */
const WHOLE_PIECE_SECONDS = 1e6;

interface Decoder {
  readonly memory: WebAssembly.Memory;
  decoder_init(): void;
  decoder_set_mp3_data_size(bytes: number): void;
  decoder_mp3_data_offset(): number;
  decoder_decode(seconds: number): void;
  decoder_pcm_data_offset(): number;
  decode_results_sampling_rate(): number;
  decode_results_num_channels(): number;
  /** Of all channels together. */
  decode_results_num_samples(): number;
}

/** Sound of whole frames. What cannot be decoded is silence of the same length. */
export async function* decodeMp3(frames: Iterable<Packet>): AsyncGenerator<Sound> {
  const module = await WebAssembly.compile(await Bun.file(decoderPath).bytes());
  let before: Uint8Array[] = [];
  let taken: Packet[] = [];
  for (const frame of frames) {
    const first = taken[0] === undefined ? null : mpegHead(taken[0].data);
    const head = mpegHead(frame.data);
    if (head === null) continue;
    if (head.layer !== LAYER) throw unreadCodec(`MPEG audio, layer ${head.layer}`);
    if (first !== null && first.sampleRate !== head.sampleRate) {
      yield await decodePiece(module, before, taken);
      before = [];
      taken = [];
    }
    taken.push(frame);
    if (taken.length < FRAMES_AT_A_TIME) continue;
    yield await decodePiece(module, before, taken);
    before = taken.slice(-FRAMES_BEFORE).map(({ data }) => data);
    taken = [];
  }
  if (taken.length > 0) yield await decodePiece(module, before, taken);
}

async function decodePiece(
  module: WebAssembly.Module,
  before: readonly Uint8Array[],
  taken: readonly Packet[],
): Promise<Sound> {
  const { samples, sampleRate } = mpegHead(taken[0]!.data)!;
  const piece = Buffer.concat([...before, ...taken.map(({ data }) => data)]);
  const expected = samples * taken.length;
  const mono = new Float32Array(expected);
  // Its memory only ever grows: a new one for each piece costs a millisecond.
  const decoder = (await WebAssembly.instantiate(module, {})).exports as unknown as Decoder;
  decoder.decoder_init();
  decoder.decoder_set_mp3_data_size(piece.length);
  new Uint8Array(decoder.memory.buffer, decoder.decoder_mp3_data_offset(), piece.length).set(piece);
  decoder.decoder_decode(WHOLE_PIECE_SECONDS);
  const count = Math.max(1, decoder.decode_results_num_channels());
  const length = Math.floor(decoder.decode_results_num_samples() / count);
  if (decoder.decode_results_sampling_rate() === sampleRate) {
    const pcm = new Int16Array(decoder.memory.buffer, decoder.decoder_pcm_data_offset(), length * count);
    // Frames at the beginning that lack what lies before them give nothing: samples are told by the end.
    const start = Math.max(0, length - expected);
    const shift = Math.max(0, expected - length);
    for (let index = start; index < length; index += 1) {
      let sum = 0;
      for (let channel = 0; channel < count; channel += 1) sum += pcm[index * count + channel]!;
      mono[index - start + shift] = sum / (32768 * count);
    }
  }
  return { sampleRate, channels: [mono], time: taken[0]!.time };
}
