/** Opus (RFC 6716) by libopus, which gives sound at the rate that speech is recognised at. */
import EmscriptenWasm from "../../../node_modules/opus-decoder/src/EmscriptenWasm.js";
import { type DecoderModule, instantiate } from "./decoder-module.ts";
import { type Packet, RecordingFault, type Sound } from "./sound.ts";

const RATE = 16_000;
/** Of what heads say. */
const HEAD_RATE = 48_000;
/** 120 ms. */
const MOST_SAMPLES = (RATE * 120) / 1000;
/** 255 streams with three frames of 1275 bytes each would be more; those of sound for people have eight. */
const MOST_BYTES = 64 * 1024;

interface OpusModule extends DecoderModule {
  opus_frame_decoder_create(
    rate: number,
    channels: number,
    streams: number,
    coupled: number,
    mapping: number,
    skipped: number,
    isForcedStereo: number,
  ): number;
  opus_frame_decoder_destroy(decoder: number): void;
  opus_frame_decode_float_deinterleaved(decoder: number, input: number, length: number, output: number): number;
}

export interface OpusHead {
  readonly channels: number;
  readonly streams: number;
  readonly coupled: number;
  readonly mapping: readonly number[];
  /** Samples at 48 kHz that are dropped at the beginning. */
  readonly skipped: number;
}

/** The head as Ogg, Matroska and MP4 hold it (`dOps` without its first eight letters, and with the highest byte first). */
export function opusHead(bytes: Uint8Array, form: "OpusHead" | "dOps" = "OpusHead"): OpusHead | null {
  const start = form === "OpusHead" ? 8 : 0;
  if (bytes.length < start + 11) return null;
  const channels = bytes[start + 1]!;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const skipped = view.getUint16(start + 2, form === "OpusHead");
  const family = bytes[start + 10]!;
  if (channels === 0) return null;
  if (family === 0)
    return channels > 2
      ? null
      : { channels, streams: 1, coupled: channels - 1, mapping: [0, 1].slice(0, channels), skipped };
  const mapping = [...bytes.subarray(start + 13, start + 13 + channels)];
  const [streams = 0, coupled = 0] = bytes.subarray(start + 11, start + 13);
  if (mapping.length < channels || streams === 0 || coupled > streams || channels > 8) return null;
  return { channels, streams, coupled, mapping, skipped };
}

/** Sound of packets. Ogg has the head as its first packet; elsewhere it is given. Damaged packets are silence. */
export async function* decodeOpus(packets: Iterable<Packet>, head: OpusHead | null): AsyncGenerator<Sound> {
  let decoder = head === null ? null : await OpusDecoder.open(head);
  let skipped = Math.round(((head?.skipped ?? 0) * RATE) / HEAD_RATE);
  try {
    for (const { data, time } of packets) {
      const start = String.fromCharCode(...data.subarray(0, 8));
      if (start === "OpusTags") continue;
      if (start === "OpusHead") {
        const own = opusHead(data);
        if (own === null) throw new RecordingFault("it is damaged: the head of its Opus sound cannot be read");
        decoder?.close();
        decoder = await OpusDecoder.open(own);
        skipped = Math.round((own.skipped * RATE) / HEAD_RATE);
        continue;
      }
      if (decoder === null) throw new RecordingFault("it is damaged: its Opus sound has no head");
      if (data.length === 0 || data.length > MOST_BYTES) continue;
      const channels = decoder.decode(data);
      const dropped = Math.min(skipped, channels[0]?.length ?? 0);
      skipped -= dropped;
      const kept = dropped === 0 ? channels : channels.map((samples) => samples.subarray(dropped));
      if ((kept[0]?.length ?? 0) > 0) yield { sampleRate: RATE, channels: kept, time };
    }
  } finally {
    decoder?.close();
  }
}

class OpusDecoder {
  private constructor(
    private readonly module: OpusModule,
    private readonly decoder: number,
    private readonly input: number,
    private readonly output: number,
    private readonly channels: number,
  ) {}

  static async open({ channels, streams, coupled, mapping }: OpusHead): Promise<OpusDecoder> {
    const module = await instantiate<OpusModule>(EmscriptenWasm);
    const table = module.malloc(channels);
    new Uint8Array(module.HEAP, table, channels).set(mapping);
    const decoder = module.opus_frame_decoder_create(RATE, channels, streams, coupled, table, 0, 0);
    module.free(table);
    const output = module.malloc(4 * MOST_SAMPLES * channels);
    return new OpusDecoder(module, decoder, module.malloc(MOST_BYTES), output, channels);
  }

  /** Each channel's samples; silence of 20 ms for a packet that cannot be decoded. */
  decode(packet: Uint8Array): Float32Array[] {
    const { module, channels } = this;
    new Uint8Array(module.HEAP, this.input, packet.length).set(packet);
    const count = module.opus_frame_decode_float_deinterleaved(this.decoder, this.input, packet.length, this.output);
    const samples = count > 0 ? count : RATE / 50;
    return Array.from({ length: channels }, (_, channel) =>
      count > 0
        ? new Float32Array(module.HEAP, this.output + 4 * samples * channel, samples).slice()
        : new Float32Array(samples),
    );
  }

  /** Its memory goes with it. */
  close(): void {
    this.module.opus_frame_decoder_destroy(this.decoder);
  }
}
