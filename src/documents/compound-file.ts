/**
 * The little that must be known of OLE compound files, the container of Office 97-2003 and of encrypted Office documents:
 * whether a file is one and which streams it names. Names stand as UTF-16LE in 128-byte directory entries (MS-CFB 2.6.1).
 */

const MAGIC = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const DIRECTORY_ENTRY_BYTES = 128;

export function isCompoundFile(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, index) => bytes[index] === byte);
}

/** Whether a directory entry has this name. Entries lie at multiples of their size in any such file. */
export function holdsStream(bytes: Uint8Array, name: string): boolean {
  const needle = Buffer.from(`${name}\0`, "utf16le");
  const haystack = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + 1)) {
    if (at % DIRECTORY_ENTRY_BYTES === 0) return true;
  }
  return false;
}
