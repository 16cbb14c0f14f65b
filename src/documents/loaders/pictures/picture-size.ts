/** How large a picture says it is, read from its head without decoding it. */

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Bytes at which marks of the formats are looked for. */
const PNG_SIZE = 16;
const GIF_SIZE = 6;
const BMP_HEADER = 14;
const WEBP_CHUNK = 12;
/** Two markers of JPEG 2000, and how far from the first the size is. */
const CODE_STREAM = Buffer.from([0xff, 0x4f, 0xff, 0x51]);
const CODE_STREAM_SIZE = 8;
/** Markers of a JPEG that begin a frame, which says the size: all of 0xC0-0xCF but tables and arithmetic coding conditions. */
const NO_FRAME: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);
/** Markers without a length. */
const BARE = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** Each throws RangeError where the head is cut off, and gives null where it says no size. */
export const sizeReaders = { png, jpeg, jpeg2000, gif, bmp, webp, pnm } as const;

function png(bytes: Uint8Array): PictureSize | null {
  const view = viewOf(bytes);
  return { width: view.getUint32(PNG_SIZE), height: view.getUint32(PNG_SIZE + 4) };
}

function gif(bytes: Uint8Array): PictureSize | null {
  const view = viewOf(bytes);
  return { width: view.getUint16(GIF_SIZE, true), height: view.getUint16(GIF_SIZE + 2, true) };
}

function bmp(bytes: Uint8Array): PictureSize | null {
  const view = viewOf(bytes);
  const isOld = view.getUint32(BMP_HEADER, true) === 12;
  if (isOld) return { width: view.getUint16(18, true), height: view.getUint16(20, true) };
  return { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) };
}

function jpeg(bytes: Uint8Array): PictureSize | null {
  for (const { marker, start } of jpegSegments(bytes)) {
    if (marker < 0xc0 || marker > 0xcf || NO_FRAME.has(marker)) continue;
    const view = viewOf(bytes);
    return { width: view.getUint16(start + 3), height: view.getUint16(start + 1) };
  }
  return null;
}

/** The code stream, wherever it lies in the file, begins with its size: where what is shown ends, and where it begins. */
function jpeg2000(bytes: Uint8Array): PictureSize | null {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(CODE_STREAM);
  if (at < 0) return null;
  const view = viewOf(bytes);
  const number = (index: number) => view.getUint32(at + CODE_STREAM_SIZE + index * 4);
  return { width: Math.max(0, number(0) - number(2)), height: Math.max(0, number(1) - number(3)) };
}

/** The segments of a JPEG up to the first scan: each with its marker, and where what follows its length begins and ends. */
export function* jpegSegments(bytes: Uint8Array): Generator<{ marker: number; start: number; end: number }> {
  const view = viewOf(bytes);
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (BARE(marker)) at += 2;
    else {
      const end = at + 2 + view.getUint16(at + 2);
      yield { marker, start: at + 4, end };
      if (marker === 0xda) return;
      at = end;
    }
  }
}

function webp(bytes: Uint8Array): PictureSize | null {
  const view = viewOf(bytes);
  const kind = String.fromCharCode(...bytes.subarray(WEBP_CHUNK, WEBP_CHUNK + 4));
  if (kind === "VP8 ") return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (kind === "VP8L") {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind !== "VP8X") return null;
  const of3 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000 + 1;
  return { width: of3(24), height: of3(27) };
}

function pnm(bytes: Uint8Array): PictureSize | null {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1024)).replace(/#[^\n]*/g, "");
  const [, width, height] = /^P[1-6]\s+(\d{1,9})\s+(\d{1,9})\s/.exec(head) ?? [];
  return width === undefined ? null : { width: Number(width), height: Number(height) };
}

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
