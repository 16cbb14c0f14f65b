/**
 * The names in 7z archives as they are written there: libarchive, compiled as it is, gives "*" for every letter that is not ASCII. They stand in
 * the archive's header, which is packed mostly; then libarchive unpacks it as though it were a file. Format: 7zFormat.txt of the LZMA SDK.
 */
import { archivedFiles, LibarchiveRefusal } from "./libarchive.ts";

const START_BYTES = 32;
const START_CHECKSUM_AT = 8;
const NEXT_HEADER_AT = 12;
const Id = {
  end: 0x00,
  header: 0x01,
  mainStreams: 0x04,
  files: 0x05,
  subStreams: 0x08,
  names: 0x11,
  encodedHeader: 0x17,
} as const;
/** Bytes of an unpacked header: 10,000 names of usual length take one million. */
const LARGEST_HEADER = 16 * 1024 * 1024;

/** Gives a file's name for what libarchive makes of it; where that cannot be told, the same. To be asked in the archive's order. */
export async function sevenZipNames(archive: Uint8Array): Promise<(shown: string) => string> {
  const names = namesIn(await headerIn(archive));
  const byShown = new Map<string, string[]>();
  for (const name of names) {
    const shown = shownByLibarchive(name);
    const alike = byShown.get(shown);
    if (alike === undefined) byShown.set(shown, [name]);
    else alike.push(name);
  }
  return (shown) => byShown.get(shown)?.shift() ?? shown;
}

function shownByLibarchive(name: string): string {
  return name.replaceAll("\\", "/").replace(/[^\0-\x7f]/gu, "*");
}

/** The header, unpacked; empty where it cannot be: what is wrong with the archive is told by reading it. */
async function headerIn(archive: Uint8Array): Promise<Uint8Array> {
  try {
    return await headerOf(archive);
  } catch (error) {
    if (error instanceof LibarchiveRefusal) return new Uint8Array();
    throw error;
  }
}

async function headerOf(archive: Uint8Array): Promise<Uint8Array> {
  if (archive.length < START_BYTES) return new Uint8Array();
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const start = START_BYTES + Number(view.getBigUint64(NEXT_HEADER_AT, true));
  const header = archive.subarray(start, start + Number(view.getBigUint64(NEXT_HEADER_AT + 8, true)));
  if (header[0] !== Id.encodedHeader) return header;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const file of archivedFiles(asFile(archive.subarray(0, start), header)))
    for (const piece of file.pieces()) {
      length += piece.length;
      if (length > LARGEST_HEADER) return new Uint8Array();
      pieces.push(piece.slice());
    }
  return Buffer.concat(pieces);
}

/** An archive in which the packed header is the only file: what is said of how it is packed is said of that. */
function asFile(before: Uint8Array, packed: Uint8Array): Uint8Array {
  const name = [Id.names, 5, 0, 0x68, 0, 0, 0];
  const header = Buffer.concat([
    Buffer.of(Id.header, Id.mainStreams),
    packed.subarray(1, -1),
    Buffer.of(Id.subStreams, Id.end, Id.end),
    Buffer.of(Id.files, 1, ...name, Id.end, Id.end),
  ]);
  const archive = Buffer.concat([before, header]);
  archive.writeBigUInt64LE(BigInt(header.length), NEXT_HEADER_AT + 8);
  archive.writeUInt32LE(Bun.hash.crc32(header), NEXT_HEADER_AT + 16);
  archive.writeUInt32LE(Bun.hash.crc32(archive.subarray(NEXT_HEADER_AT, START_BYTES)), START_CHECKSUM_AT);
  return archive;
}

/** The longest list in the header that can be one of names: all that stands before it would have to be read to find it for sure. */
function namesIn(header: Uint8Array): string[] {
  let longest: Uint8Array = new Uint8Array();
  for (let at = header.indexOf(Id.names); at >= 0; at = header.indexOf(Id.names, at + 1)) {
    const { value: size, end } = numberAt(header, at + 1);
    // What stands in another file has no names here.
    if (header[end] !== 0 || end + size > header.length) continue;
    const list = header.subarray(end + 1, end + size);
    const isTerminated = list.length % 2 === 0 && list.at(-1) === 0 && list.at(-2) === 0;
    if (isTerminated && list.length > longest.length) longest = list;
  }
  const text = new TextDecoder("utf-16le").decode(longest);
  return text.split("\0").slice(0, -1);
}

/** A number whose first byte tells by its first bits how many follow it. */
function numberAt(bytes: Uint8Array, at: number): { readonly value: number; readonly end: number } {
  const first = bytes[at] ?? 0;
  const more = Math.clz32(~(first << 24) >>> 0);
  let value = more >= 7 ? 0 : (first & (0x7f >> more)) * 256 ** more;
  for (let index = 0; index < more; index += 1) value += (bytes[at + 1 + index] ?? 0) * 256 ** index;
  return { value, end: at + 1 + more };
}
