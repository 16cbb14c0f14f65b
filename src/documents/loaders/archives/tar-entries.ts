/**
 * The entries of a tar archive: POSIX ustar and pax, GNU's long names and large sizes, and what tar wrote before either.
 * Format: POSIX.1-2017, pax, "ustar Interchange Format" and "pax Header Block"; GNU tar manual, "Basic Tar Format".
 */

const BLOCK_BYTES = 512;
const CHECKSUM_AT = 148;
const SPACE = 0x20;

export interface TarEntry {
  readonly name: string;
  readonly isFile: boolean;
  readonly bytes: Uint8Array;
}

/** Thrown where the archive cannot be read on. `name` is the entry's, where there is one. */
export class TarDamage extends Error {
  constructor(
    message: string,
    readonly entryName: string | null = null,
  ) {
    super(message);
  }
}

/** Whether the bytes begin with a header whose checksum is right. */
export function isTar(bytes: Uint8Array): boolean {
  return bytes.length >= BLOCK_BYTES && bytes[0] !== 0 && hasRightChecksum(bytes.subarray(0, BLOCK_BYTES));
}

/** The entries in order, also those that are no files. Throws TarDamage at the first that is damaged or cut off. */
export function* tarEntries(bytes: Uint8Array): Generator<TarEntry> {
  let said: Named = {};
  for (let at = 0; at < bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK_BYTES);
    if (header.every((byte) => byte === 0)) return;
    if (header.length < BLOCK_BYTES) throw new TarDamage("it is cut off");
    if (!hasRightChecksum(header)) throw new TarDamage("it is damaged");
    const type = String.fromCharCode(header[156] ?? 0);
    const own = { name: nameOf(header), size: numberAt(header, 124, 12) };
    const isAbout = type === "x" || type === "g" || type === "L" || type === "K";
    const { name, size } = isAbout ? own : { ...own, ...said };
    const start = at + BLOCK_BYTES;
    if (!Number.isSafeInteger(size) || size < 0) throw new TarDamage("it is damaged", name);
    if (start + size > bytes.length) throw new TarDamage("it is cut off", name);
    const content = bytes.subarray(start, start + size);
    at = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
    if (type === "x") said = { ...said, ...paxRecords(content) };
    else if (type === "L") said = { ...said, name: textOf(content) };
    else if (!isAbout) {
      said = {};
      yield { name, isFile: type === "0" || type === "\0" || type === "7", bytes: content };
    }
  }
}

/** What stands before an entry and holds for it alone. */
interface Named {
  readonly name?: string;
  readonly size?: number;
}

function nameOf(header: Uint8Array): string {
  const name = textOf(header.subarray(0, 100));
  // GNU tar has times where POSIX has the beginning of long names.
  const isPosix = textOf(header.subarray(257, 263)) === "ustar" && header[262] === 0;
  const prefix = isPosix ? textOf(header.subarray(345, 500)) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** Records are "length key=value\n", the length that of the whole record in bytes. */
function paxRecords(content: Uint8Array): Named {
  let said: Named = {};
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(SPACE, at);
    const length = Number(space < 0 ? Number.NaN : textOf(content.subarray(at, space)));
    if (!Number.isSafeInteger(length) || length < space - at + 2 || at + length > content.length) break;
    const record = textOf(content.subarray(space + 1, at + length - 1));
    const [key, value] = [record.slice(0, record.indexOf("=")), record.slice(record.indexOf("=") + 1)];
    if (key === "path") said = { ...said, name: value };
    else if (key === "size") said = { ...said, size: Number(value) };
    at += length;
  }
  return said;
}

/** A number in octal digits, or in binary where its first bit is set. */
function numberAt(header: Uint8Array, start: number, length: number): number {
  const field = header.subarray(start, start + length);
  if (((field[0] ?? 0) & 0x80) === 0) return Number.parseInt(textOf(field).trim() || "0", 8);
  return field.reduce((number, byte, index) => number * 256 + (index === 0 ? byte & 0x7f : byte), 0);
}

/** The sum of the header's bytes with the sum's own field blank. Some old programs added signed bytes. */
function hasRightChecksum(header: Uint8Array): boolean {
  const declared = numberAt(header, CHECKSUM_AT, 8);
  let unsigned = 0;
  let signed = 0;
  for (let index = 0; index < BLOCK_BYTES; index += 1) {
    const byte = index >= CHECKSUM_AT && index < CHECKSUM_AT + 8 ? SPACE : (header[index] ?? 0);
    unsigned += byte;
    signed += byte < 0x80 ? byte : byte - 0x100;
  }
  return declared === unsigned || declared === signed;
}

function textOf(field: Uint8Array): string {
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
}
