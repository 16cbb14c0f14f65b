/** Which kind of recording a file is, by its first bytes. */
import type { ByteSource } from "../byte-source.ts";
import { isFlac } from "./flac.ts";
import { isMatroska } from "./matroska.ts";
import { id3Length, isMpegAudio } from "./mp3-frames.ts";
import { isMp4 } from "./mp4.ts";
import { isOgg } from "./ogg.ts";
import { isWav } from "./wav.ts";

export type Container = "wav" | "flac" | "ogg" | "mp3" | "aac" | "mp4" | "matroska";

/** Bytes by which it is told. */
export const HEAD_BYTES = 64 * 1024;
/** MPEG audio has no mark in front; padding has been seen there. */
const MOST_PADDING = 4096;
/** Pictures that lie in the same container as films. */
const PICTURE_BRANDS = /^(?:heic|heix|heim|heis|hevc|mif1|msf1|avif|avis|crx |jp2 |jpm |jpx )$/;

export function containerOf(source: ByteSource): Container | null {
  const head = source.read(0, 64);
  if (head.length < 12) return null;
  if (isWav(head)) return "wav";
  if (isFlac(head)) return "flac";
  if (isOgg(head)) return "ogg";
  if (isMatroska(head)) return "matroska";
  // The first box is shorter than 16 MB, but for the sound itself.
  const brand = String.fromCharCode(...head.subarray(8, 12));
  const isFirstBox = head[0] === 0 || String.fromCharCode(...head.subarray(4, 8)) === "mdat";
  if (isMp4(head) && isFirstBox) return PICTURE_BRANDS.test(brand) ? null : "mp4";
  const tag = id3Length(head);
  if (tag > 0 && head[3]! < 10 && head[4]! < 255) {
    const behind = source.read(tag, 4);
    if (isFlac(behind)) return "flac";
    return isAdts(source, tag) ? "aac" : "mp3";
  }
  if (isAdts(source, 0)) return "aac";
  return isMpegAudio(source, paddingOf(source)) ? "mp3" : null;
}

function paddingOf(source: ByteSource): number {
  const start = source.read(0, MOST_PADDING);
  const first = start.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : first;
}

/** Whether three frames of AAC follow each other. */
function isAdts(source: ByteSource, offset: number): boolean {
  let at = offset;
  for (let count = 0; count < 3; count += 1) {
    const head = source.read(at, 6);
    if (count > 0 && head.length === 0) return true;
    if (head.length < 6 || head[0] !== 0xff || (head[1]! & 0xf6) !== 0xf0) return false;
    const length = ((head[3]! & 3) << 11) | (head[4]! << 3) | (head[5]! >> 5);
    if (length < 7) return false;
    at += length;
  }
  return true;
}
