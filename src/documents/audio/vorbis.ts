/** Vorbis I by libvorbis. */
import EmscriptenWasm from "../../../node_modules/@wasm-audio-decoders/ogg-vorbis/src/EmscriptenWasm.js";
import { type DecoderModule, instantiate } from "./decoder-module.ts";
import { checkedSound, type Packet, RecordingFault, type Sound } from "./sound.ts";

/** Of a packet, and of the decoder's books. */
const INPUT_BYTES = 512 * 1024;
const MOST_ERRORS = 256;

interface VorbisModule extends DecoderModule {
  create_decoder(
    input: number,
    inputLength: number,
    outputs: number,
    channels: number,
    sampleRate: number,
    samples: number,
    errors: number,
    errorCount: number,
    mostErrors: number,
  ): number;
  destroy_decoder(decoder: number): void;
  send_setup(decoder: number, isFirst: boolean): void;
  init_dsp(decoder: number): void;
  decode_packets(decoder: number): void;
}

/** The three heads as Matroska holds them: their number less one, the lengths of the first two, then all of them. */
export function vorbisHeads(bytes: Uint8Array): Packet[] {
  if (bytes[0] !== 2) return [];
  const lengths: number[] = [];
  let at = 1;
  while (lengths.length < 2 && at < bytes.length) {
    let length = 0;
    while (bytes[at] === 255) {
      length += 255;
      at += 1;
    }
    length += bytes[at] ?? 0;
    at += 1;
    lengths.push(length);
  }
  const [first = 0, second = 0] = lengths;
  return [
    bytes.subarray(at, at + first),
    bytes.subarray(at + first, at + first + second),
    bytes.subarray(at + first + second),
  ].map((data) => ({ data, time: null }));
}

/** Sound of packets, their heads among them. Damaged packets give nothing. */
export async function* decodeVorbis(packets: Iterable<Packet>): AsyncGenerator<Sound> {
  let decoder: VorbisDecoder | null = null;
  try {
    for (const { data, time } of packets) {
      if (data.length === 0) continue;
      if (data.length > INPUT_BYTES) throw new RecordingFault("it is damaged: a packet of its sound is too long");
      const isHead = (data[0]! & 1) === 1 && String.fromCharCode(...data.subarray(1, 7)) === "vorbis";
      if (isHead && data[0] === 1) {
        const [channels, sampleRate] = vorbisFormat(data);
        checkedSound(sampleRate, channels);
        decoder?.close();
        decoder = await VorbisDecoder.open();
      }
      if (decoder === null) throw new RecordingFault("it is damaged: its Vorbis sound has no head");
      if (isHead) decoder.takeHead(data);
      else {
        const sound = decoder.decode(data, time);
        if (sound !== null) yield sound;
      }
    }
  } finally {
    decoder?.close();
  }
}

function vorbisFormat(head: Uint8Array): [channels: number, sampleRate: number] {
  if (head.length < 30) throw new RecordingFault("it is damaged: the head of its Vorbis sound is cut off");
  return [head[11]!, new DataView(head.buffer, head.byteOffset).getUint32(12, true)];
}

class VorbisDecoder {
  private isReady = false;

  private constructor(
    private readonly module: VorbisModule,
    private readonly decoder: number,
    private readonly input: number,
    /** Addresses of what the decoder says, a word each: length of the input, outputs, channels, rate, samples, errors. */
    private readonly words: number,
  ) {}

  static async open(): Promise<VorbisDecoder> {
    const module = await instantiate<VorbisModule>(EmscriptenWasm);
    const input = module.malloc(INPUT_BYTES);
    const words = module.malloc(4 * (6 + MOST_ERRORS));
    new Uint32Array(module.HEAP, words, 6).fill(0);
    const at = (index: number): number => words + 4 * index;
    const decoder = module.create_decoder(input, at(0), at(1), at(2), at(3), at(4), at(6), at(5), MOST_ERRORS);
    return new VorbisDecoder(module, decoder, input, words);
  }

  takeHead(packet: Uint8Array): void {
    // The second head holds remarks, which the decoder leaves out.
    if (packet[0] === 3) return;
    this.put(packet);
    this.module.send_setup(this.decoder, packet[0] === 1);
    if (packet[0] !== 5) return;
    this.module.init_dsp(this.decoder);
    this.isReady = true;
  }

  decode(packet: Uint8Array, time: number | null): Sound | null {
    if (!this.isReady) throw new RecordingFault("it is damaged: its Vorbis sound has no head");
    this.put(packet);
    this.module.decode_packets(this.decoder);
    const [, outputs = 0, count = 0, sampleRate = 0, samples = 0] = this.values;
    this.values[5] = 0;
    if (samples === 0) return null;
    checkedSound(sampleRate, count);
    const addresses = new Uint32Array(this.module.HEAP, outputs, count);
    const channels = Array.from(addresses, (address) => new Float32Array(this.module.HEAP, address, samples).slice());
    return { sampleRate, channels, time };
  }

  close(): void {
    this.module.destroy_decoder(this.decoder);
  }

  private get values(): Uint32Array {
    return new Uint32Array(this.module.HEAP, this.words, 6);
  }

  private put(packet: Uint8Array): void {
    new Uint8Array(this.module.HEAP, this.input, packet.length).set(packet);
    this.values[0] = packet.length;
  }
}
