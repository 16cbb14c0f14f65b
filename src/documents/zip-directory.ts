/**
 * The directory of a zip container: what members it says it has. Nothing is unpacked here.
 * Format: PKWARE APPNOTE 6.3.10, sections 4.3.12, 4.3.14 to 4.3.16, 4.5.3 and appendix D; names also as Info-ZIP writes them.
 */
import { isUtf8 } from "node:buffer";
import type { ReadingLimits } from "./limits.ts";

const LOCAL_HEADER = 0x04034b50;
/** Before the first header of what was once to be split over several disks. */
const SPLIT_MARKS: ReadonlySet<number> = new Set([0x08074b50, 0x30304b50]);
const DIRECTORY_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const END_RECORD_BYTES = 22;
const MOST_COMMENT_BYTES = 0xffff;
const END_OF_DIRECTORY_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const LOCATOR_64_BYTES = 20;
/** Values that stand for "see the 64-bit field". */
const ELSEWHERE_16 = 0xffff;
const ELSEWHERE_32 = 0xffffffff;
const ENCRYPTED_FLAG = 1;
const UTF8_FLAG = 0x800;
const SIZES_64_FIELD = 1;
const UNICODE_NAME_FIELD = 0x7075;
/** The upper half of IBM's code page 437, in which the format takes names to be that do not say otherwise. */
const CP437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00A0";

export interface ZipMember {
  name: string;
  /** The name's bytes where nothing says in which encoding they are, and `name` is what the format takes them for. */
  undeclaredName: Uint8Array | null;
  encrypted: boolean;
  method: number;
  packedBytes: number;
  declaredBytes: number;
  checksum: number;
  headerOffset: number;
}

/** Why a container is refused, as the rest of a sentence about the file. */
export class ZipRefusal extends Error {}

export function isZip(bytes: Uint8Array): boolean {
  if (bytes.length < END_RECORD_BYTES) return false;
  const data = view(bytes);
  const first = data.getUint32(0, true);
  if (SPLIT_MARKS.has(first)) return data.getUint32(4, true) === LOCAL_HEADER;
  return first === LOCAL_HEADER || first === END_OF_DIRECTORY;
}

/** The members by the central directory. Throws ZipRefusal when that is damaged or over the limits. */
export function zipMembers(bytes: Uint8Array, limits: ReadingLimits): Map<string, ZipMember> {
  const data = view(bytes);
  const { count, start, end } = findDirectory(data);
  if (count > limits.maxMembers) throw new ZipRefusal(`its zip container has more than ${limits.maxMembers} members`);
  const members = new Map<string, ZipMember>();
  let at = start;
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > end || data.getUint32(at, true) !== DIRECTORY_HEADER)
      throw new ZipRefusal("its zip container is damaged");
    const flags = data.getUint16(at + 8, true);
    const nameEnd = at + 46 + data.getUint16(at + 28, true);
    const fieldsEnd = nameEnd + data.getUint16(at + 30, true);
    if (fieldsEnd > end) throw new ZipRefusal("its zip container is damaged");
    const fields = extraFields(data, nameEnd, fieldsEnd);
    const written = bytes.subarray(at + 46, nameEnd);
    const declared = declaredName(written, flags, fields);
    const name = declared ?? ibmName(written);
    const sizes = [data.getUint32(at + 24, true), data.getUint32(at + 20, true), data.getUint32(at + 42, true)];
    const [declaredBytes = 0, packedBytes = 0, headerOffset = 0] = wideSizes(sizes, fields.get(SIZES_64_FIELD));
    members.set(name, {
      name,
      undeclaredName: declared === null ? written : null,
      encrypted: (flags & ENCRYPTED_FLAG) !== 0,
      method: data.getUint16(at + 10, true),
      packedBytes,
      declaredBytes,
      checksum: data.getUint32(at + 16, true),
      headerOffset,
    });
    at = fieldsEnd + data.getUint16(at + 32, true);
  }
  return members;
}

function findDirectory(data: DataView): { count: number; start: number; end: number } {
  const end = findEndRecord(data);
  if (end === undefined) throw new ZipRefusal("its zip container is cut off or damaged");
  const count = data.getUint16(end + 10, true);
  const start = data.getUint32(end + 16, true);
  const locator = end - LOCATOR_64_BYTES;
  if ((count !== ELSEWHERE_16 && start !== ELSEWHERE_32) || locator < 0) return { count, start, end };
  if (data.getUint32(locator, true) !== LOCATOR_64) return { count, start, end };
  const wide = Number(data.getBigUint64(locator + 8, true));
  if (wide + 56 > locator || data.getUint32(wide, true) !== END_OF_DIRECTORY_64)
    throw new ZipRefusal("its zip container is damaged");
  return {
    count: Number(data.getBigUint64(wide + 32, true)),
    start: Number(data.getBigUint64(wide + 48, true)),
    end: wide,
  };
}

function findEndRecord(data: DataView): number | undefined {
  const first = Math.max(0, data.byteLength - END_RECORD_BYTES - MOST_COMMENT_BYTES);
  for (let at = data.byteLength - END_RECORD_BYTES; at >= first; at -= 1) {
    if (data.getUint32(at, true) === END_OF_DIRECTORY) return at;
  }
  return undefined;
}

/** What stands beside a directory entry, by the number of its kind. */
function extraFields(data: DataView, start: number, end: number): Map<number, DataView> {
  const fields = new Map<number, DataView>();
  for (let at = start; at + 4 <= end; ) {
    const size = data.getUint16(at + 2, true);
    if (at + 4 + size > end) break;
    fields.set(data.getUint16(at, true), new DataView(data.buffer, data.byteOffset + at + 4, size));
    at += 4 + size;
  }
  return fields;
}

/** Those of the numbers that do not fit into 32 bits stand in the field, one after the other. */
function wideSizes(sizes: readonly number[], field: DataView | undefined): number[] {
  let at = 0;
  return sizes.map((size) => {
    if (size !== ELSEWHERE_32 || field === undefined || at + 8 > field.byteLength) return size;
    at += 8;
    return Number(field.getBigUint64(at - 8, true));
  });
}

/** A member's name; null where nothing says in which encoding it is. */
function declaredName(name: Uint8Array, flags: number, fields: ReadonlyMap<number, DataView>): string | null {
  const field = fields.get(UNICODE_NAME_FIELD);
  // A version, and the checksum of the name for which this one stands.
  if (field !== undefined && field.byteLength > 5 && field.getUint32(1, true) === Bun.hash.crc32(name))
    return new TextDecoder().decode(new Uint8Array(field.buffer, field.byteOffset + 5, field.byteLength - 5));
  return (flags & UTF8_FLAG) !== 0 || isUtf8(name) ? new TextDecoder().decode(name) : null;
}

function ibmName(name: Uint8Array): string {
  return Array.from(name, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : (CP437[byte - 0x80] ?? ""))).join("");
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
