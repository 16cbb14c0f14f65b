/** Small pictures of text, and what is made of them: other formats, pages, scans in PDFs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";

/** What is written in english.* (in english.g4 as G4 of T.6, without a head) and, turned to the left, in sideways.jpg. */
export const english =
  "The lighthouse keeper climbed the stairs every evening and lit the lamps. Ships far out at sea knew then where the harbour was, and turned towards it.";
/** One of the files beside this one. */
export function picture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(join(import.meta.dir, name)));
}

/** A picture by its points, from 0, black, to 255. */
export interface Grey {
  readonly width: number;
  readonly height: number;
  readonly points: Uint8Array;
}

/** The points of a PNG with two bits a point, which stand for black, grey and white. */
export function greyOf(png: Uint8Array): Grey {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const width = view.getUint32(16);
  const height = view.getUint32(20);
  const packed: Uint8Array[] = [];
  for (let at = 8; at < png.length; at += 12 + view.getUint32(at)) {
    if (String.fromCharCode(...png.subarray(at + 4, at + 8)) !== "IDAT") continue;
    packed.push(png.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  const rows = inflateSync(Buffer.concat(packed));
  const stride = Math.ceil(width / 4);
  const points = new Uint8Array(width * height);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y += 1) {
    const [filter] = rows.subarray(y * (stride + 1));
    const row = Uint8Array.from(rows.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let x = 0; x < stride; x += 1) {
      const left = row[x - 1] ?? 0;
      const up = above[x] ?? 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, above[x - 1] ?? 0)][filter ?? 0] ?? 0;
      row[x] = (row[x] ?? 0) + guess;
    }
    for (let x = 0; x < width; x += 1)
      points[y * width + x] = Math.min(255, (((row[x >> 2] ?? 0) >> (6 - 2 * (x & 3))) & 3) * 128);
    above = row;
  }
  return { width, height, points };
}

function paeth(left: number, up: number, upLeft: number): number {
  const guess = left + up - upLeft;
  const distances = [left, up, upLeft].map((value) => Math.abs(guess - value));
  return [left, up, upLeft][distances.indexOf(Math.min(...distances))] ?? 0;
}

/** Turned by quarters to the right. */
export function turnedRight({ width, height, points }: Grey, quarters: number): Grey {
  if (quarters === 0) return { width, height, points };
  const turned = new Uint8Array(points.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) turned[x * height + (height - 1 - y)] = points[y * width + x] ?? 0;
  return turnedRight({ width: height, height: width, points: turned }, quarters - 1);
}

/** Below one another, as often as they are named. */
export function stacked(parts: readonly Grey[]): Grey {
  const width = Math.max(...parts.map((part) => part.width));
  const height = parts.reduce((sum, part) => sum + part.height, 0);
  const points = new Uint8Array(width * height).fill(255);
  let top = 0;
  for (const part of parts) {
    for (let y = 0; y < part.height; y += 1)
      points.set(part.points.subarray(y * part.width, (y + 1) * part.width), (top + y) * width);
    top += part.height;
  }
  return { width, height, points };
}

export function pgm({ width, height, points }: Grey): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), points]);
}

export function bmp({ width, height, points }: Grey): Uint8Array {
  const stride = Math.ceil(width / 4) * 4;
  const start = 14 + 40 + 1024;
  const file = Buffer.alloc(start + stride * height);
  file.write("BM");
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(start, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(8, 28);
  for (let grey = 0; grey < 256; grey += 1) file.fill(grey, 54 + grey * 4, 57 + grey * 4);
  for (let y = 0; y < height; y += 1)
    file.set(points.subarray(y * width, (y + 1) * width), start + (height - 1 - y) * stride);
  return file;
}

/** One page for each picture. */
export function tiff(pages: readonly Grey[]): Uint8Array {
  const parts: Buffer[] = [];
  let length = 8;
  const head = Buffer.from("II*\0\0\0\0\0", "latin1");
  let pointer = { buffer: head, at: 4 };
  for (const { width, height, points } of pages) {
    const entries: readonly (readonly [tag: number, value: number])[] = [
      [256, width],
      [257, height],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, length],
      [277, 1],
      [278, height],
      [279, points.length],
    ];
    const padded = Buffer.alloc(points.length + (points.length % 2));
    padded.set(points);
    length += padded.length;
    pointer.buffer.writeUInt32LE(length, pointer.at);
    const directory = Buffer.alloc(2 + entries.length * 12 + 4);
    directory.writeUInt16LE(entries.length, 0);
    for (const [index, [tag, value]] of entries.entries()) {
      directory.writeUInt16LE(tag, 2 + index * 12);
      directory.writeUInt16LE(4, 4 + index * 12);
      directory.writeUInt32LE(1, 6 + index * 12);
      directory.writeUInt32LE(value, 10 + index * 12);
    }
    pointer = { buffer: directory, at: directory.length - 4 };
    length += directory.length;
    parts.push(padded, directory);
  }
  return Buffer.concat([head, ...parts]);
}

/** A JPEG with the note how the camera was held, as EXIF numbers it. */
export function heldAs(jpeg: Uint8Array, orientation: number): Uint8Array {
  const notes = Buffer.from("Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\0\0\0\0\0\0\0\0", "latin1");
  notes.writeUInt16LE(orientation, 24);
  const length = Buffer.from([0xff, 0xe1, (notes.length + 2) >> 8, (notes.length + 2) & 255]);
  return Buffer.concat([jpeg.subarray(0, 2), length, notes, jpeg.subarray(2)]);
}

/** The head of a PNG of this size, without its points. */
export function pngHead(width: number, height: number): Uint8Array {
  const head = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0\0", "latin1");
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

/** The code stream alone of a picture in JPEG 2000. */
export function codeStream(jp2: Uint8Array): Uint8Array {
  return jp2.subarray(Buffer.from(jp2).indexOf(CODE_STREAM));
}

/** english.jp2, whose code stream says that it is of this size. */
export function largerJp2(width: number, height: number): Uint8Array {
  const bytes = Buffer.from(picture("english.jp2"));
  const at = bytes.indexOf(CODE_STREAM) + 8;
  bytes.writeUInt32BE(width, at);
  bytes.writeUInt32BE(height, at + 4);
  return bytes;
}

const CODE_STREAM = Buffer.from([0xff, 0x4f, 0xff, 0x51]);

/** JBIG2 as it lies in a PDF: one region of a page, packed as T.6 (G4) packs it. */
export function jbig2(g4: Uint8Array, { width, height }: Grey): Uint8Array {
  const page = Buffer.alloc(19);
  page.writeUInt32BE(width, 0);
  page.writeUInt32BE(height, 4);
  const region = Buffer.alloc(18);
  region.writeUInt32BE(width, 0);
  region.writeUInt32BE(height, 4);
  region[17] = 1;
  return Buffer.concat([segment(0, 48, page), segment(1, 38, Buffer.concat([region, g4]))]);
}

/** Of page 1. `type`: as JBIG2 numbers them. */
function segment(number: number, type: number, data: Uint8Array): Uint8Array {
  const head = Buffer.alloc(11);
  head.writeUInt32BE(number, 0);
  head[4] = type;
  head[6] = 1;
  head.writeUInt32BE(data.length, 7);
  return Buffer.concat([head, data]);
}
