/** Sound that is coded sample by sample: linear, floating point, and the two curves of telephony. */
import { type ByteSource, part } from "../byte-source.ts";
import { checkedSound, type Packet, type Sound, unreadCodec } from "./sound.ts";

export type SampleKind = "signed" | "unsigned" | "float" | "a-law" | "mu-law";

export interface PcmFormat {
  readonly kind: SampleKind;
  /** 8, 16, 24, 32 or 64. */
  readonly bits: number;
  readonly isBigEndian: boolean;
  readonly sampleRate: number;
  readonly channels: number;
}

/** Samples of each channel that are read at a time. */
const BLOCK_SAMPLES = 16 * 1024;

/** Sound of all bytes of a source. Throws RecordingFault for samples of another kind. */
export function* readPcm(source: ByteSource, format: PcmFormat): Generator<Sound> {
  const read = sampleReader(format);
  checkedSound(format.sampleRate, format.channels);
  const frame = (format.bits / 8) * format.channels;
  for (let offset = 0; offset + frame <= source.size; offset += BLOCK_SAMPLES * frame)
    yield decodeBlock(part(source, offset, BLOCK_SAMPLES * frame).read(0, BLOCK_SAMPLES * frame), format, read, null);
}

/** The same for packets of a container. */
export function* readPcmPackets(packets: Iterable<Packet>, format: PcmFormat): Generator<Sound> {
  const read = sampleReader(format);
  checkedSound(format.sampleRate, format.channels);
  for (const { data, time } of packets) yield decodeBlock(data, format, read, time);
}

function decodeBlock(bytes: Uint8Array, format: PcmFormat, read: ReadSample, time: number | null): Sound {
  const { channels: count, bits, sampleRate } = format;
  const step = bits / 8;
  const samples = Math.floor(bytes.length / (step * count));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const channels = Array.from({ length: count }, () => new Float32Array(samples));
  for (let channel = 0; channel < count; channel += 1) {
    const into = channels[channel]!;
    for (let index = 0, at = channel * step; index < samples; index += 1, at += step * count)
      into[index] = read(view, at);
  }
  return { sampleRate, channels, time };
}

type ReadSample = (view: DataView, at: number) => number;

function sampleReader({ kind, bits, isBigEndian }: PcmFormat): ReadSample {
  const little = !isBigEndian;
  const reader = readers[`${kind} ${bits}`];
  if (reader === undefined) throw unreadCodec(`${kind} samples of ${bits} bits`);
  return reader(little);
}

const readers: Readonly<Record<string, (little: boolean) => ReadSample>> = {
  "unsigned 8": () => (view, at) => (view.getUint8(at) - 128) / 128,
  "signed 8": () => (view, at) => view.getInt8(at) / 128,
  "signed 16": (little) => (view, at) => view.getInt16(at, little) / 32768,
  "signed 24": (little) => (view, at) =>
    (little
      ? view.getUint16(at, true) + view.getInt8(at + 2) * 65536
      : view.getUint8(at + 2) + view.getInt16(at) * 256) / 8388608,
  "signed 32": (little) => (view, at) => view.getInt32(at, little) / 2147483648,
  "float 32": (little) => (view, at) => finite(view.getFloat32(at, little)),
  "float 64": (little) => (view, at) => finite(view.getFloat64(at, little)),
  "a-law 8": () => (view, at) => aLaw(view.getUint8(at)),
  "mu-law 8": () => (view, at) => muLaw(view.getUint8(at)),
};

const finite = (value: number): number => (Number.isFinite(value) ? Math.max(-8, Math.min(8, value)) : 0);

/** ITU-T G.711. */
function aLaw(code: number): number {
  const value = code ^ 0x55;
  const exponent = (value >> 4) & 7;
  const mantissa = value & 15;
  const magnitude = exponent === 0 ? (mantissa << 4) + 8 : ((mantissa << 4) + 0x108) << (exponent - 1);
  return ((value & 0x80) === 0 ? -magnitude : magnitude) / 32768;
}

/** ITU-T G.711. */
function muLaw(code: number): number {
  const value = ~code & 0xff;
  const magnitude = ((((value & 15) << 3) + 0x84) << ((value >> 4) & 7)) - 0x84;
  return ((value & 0x80) === 0 ? magnitude : -magnitude) / 32768;
}
