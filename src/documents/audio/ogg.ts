/** Ogg (RFC 3533): the packets of the first stream of sound in a file. */
import { type ByteSource, ByteWindow } from "../byte-source.ts";
import { CONVERSION, MOST_PACKET_BYTES, type Packet, RecordingFault, unreadCodec } from "./sound.ts";

export type OggCodec = "opus" | "vorbis" | "flac";

const HEAD_BYTES = 27;
const FIRST_PAGES = 64;
const TAIL_BYTES = 128 * 1024;

const CODECS: ReadonlyArray<readonly [OggCodec, string]> = [
  ["opus", "OpusHead"],
  ["vorbis", "\x01vorbis"],
  ["flac", "\x7fFLAC"],
];
const OTHERS: ReadonlyArray<readonly [string, string]> = [
  ["Speex", "Speex   "],
  ["Skeleton", "fishead"],
];

interface Page {
  readonly serial: number;
  readonly isFirst: boolean;
  readonly isContinued: boolean;
  readonly granule: bigint;
  readonly segments: Uint8Array;
  readonly body: Uint8Array;
  readonly end: number;
}

export const isOgg = (head: Uint8Array): boolean => String.fromCharCode(...head.subarray(0, 4)) === "OggS";

/** Which codec the file's sound has. Throws RecordingFault where there is none that is read. */
export function oggCodec(source: ByteSource): OggCodec {
  const window = new ByteWindow(source);
  let other: string | undefined;
  let offset = 0;
  for (let count = 0; count < FIRST_PAGES; count += 1) {
    const page = pageAt(window, offset);
    if (page === null || !page.isFirst) break;
    const codec = codecOf(page.body);
    if (codec !== null) return codec;
    other ??= OTHERS.find(([, start]) => startsWith(page.body, start))?.[0];
    offset = page.end;
  }
  if (other === "Speex") throw unreadCodec(other);
  throw new RecordingFault(`it holds no sound that is read; ${CONVERSION}`);
}

/** The packets of every stream of the codec: where several follow each other, each begins with its own heads. */
export function* oggPackets(source: ByteSource, codec: OggCodec): Generator<Packet> {
  const window = new ByteWindow(source);
  let serial: number | null = null;
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  for (let offset = 0; offset < source.size; ) {
    const page = pageAt(window, offset);
    if (page === null) {
      offset = nextPage(window, offset + 1);
      pieces = [];
      bytes = 0;
      continue;
    }
    offset = page.end;
    if (page.isFirst && codecOf(page.body) === codec && (serial === null || serial !== page.serial)) {
      serial = page.serial;
      pieces = [];
      bytes = 0;
    }
    if (page.serial !== serial) continue;
    // A packet whose beginning is lost is no packet.
    let isLost = page.isContinued && pieces.length === 0;
    let at = 0;
    for (const length of page.segments) {
      pieces.push(page.body.slice(at, at + length));
      bytes += length;
      at += length;
      if (bytes > MOST_PACKET_BYTES) throw new RecordingFault("it is damaged: a packet of its sound has no end");
      if (length === 255) continue;
      if (!isLost) yield { data: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces), time: null };
      isLost = false;
      pieces = [];
      bytes = 0;
    }
  }
}

/** The position at the end of the last page, in the codec's own samples; null where it cannot be told. */
export function lastGranule(source: ByteSource): number | null {
  const start = Math.max(0, source.size - TAIL_BYTES);
  const window = new ByteWindow(source);
  let last: number | null = null;
  for (let offset = nextPage(window, start); offset < source.size; offset = nextPage(window, offset + 1)) {
    const page = pageAt(window, offset);
    if (page !== null && page.granule >= 0n) last = Number(page.granule);
  }
  return last;
}

function pageAt(window: ByteWindow, offset: number): Page | null {
  const head = window.read(offset, HEAD_BYTES);
  if (head.length < HEAD_BYTES || !isOgg(head) || head[4] !== 0) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const [flags, granule, serial, count] = [head[5]!, view.getBigInt64(6, true), view.getUint32(14, true), head[26]!];
  const segments = window.read(offset + HEAD_BYTES, count).slice();
  const length = segments.reduce((sum, segment) => sum + segment, 0);
  const start = offset + HEAD_BYTES + count;
  const body = window.read(start, length);
  if (segments.length < count || body.length < length) return null;
  return {
    serial,
    granule,
    segments,
    body,
    isContinued: (flags & 1) !== 0,
    isFirst: (flags & 2) !== 0,
    end: start + length,
  };
}

function nextPage(window: ByteWindow, from: number): number {
  for (let offset = from; offset < window.size; ) {
    const bytes = window.read(offset, 65536);
    const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf("OggS");
    if (found >= 0) return offset + found;
    offset += Math.max(1, bytes.length - 3);
  }
  return window.size;
}

function codecOf(body: Uint8Array): OggCodec | null {
  return CODECS.find(([, start]) => startsWith(body, start))?.[0] ?? null;
}

function startsWith(bytes: Uint8Array, start: string): boolean {
  return String.fromCharCode(...bytes.subarray(0, start.length)) === start;
}
