/**
 * A backup as one file: a tar of the manifest and the parts, compressed by zstd, and behind it a seal, the SHA-256 of every byte before. The
 * seal lies in a frame that zstd skips (RFC 8878, section 3.1.2), so that `tar --zstd` reads the file, too.
 *
 * Names in it are all of one form, and what is not of that form is refused: a reader of a few lines, for files that a stranger may have
 * written. Sizes beyond 8 GiB are base-256, as GNU tar writes them.
 */

export const BLOCK_BYTES = 512;
export const MANIFEST = "manifest";

const SEAL_MAGIC = 0x184d2a50;
const SEAL_LABEL = Buffer.from("LECTERN\0", "latin1");
const HASH_BYTES = 32;
const SEAL_HEADER_BYTES = 8;
export const SEAL_BYTES = SEAL_HEADER_BYTES + SEAL_LABEL.length + HASH_BYTES;

const NAME_BYTES = 100;
const SIZE_AT = 124;
const CHECKSUM_AT = 148;
const LARGEST_OCTAL = 8 ** 11 - 1;

export function sealOf(sha256: Buffer): Buffer {
  const header = Buffer.alloc(SEAL_HEADER_BYTES);
  header.writeUInt32LE(SEAL_MAGIC, 0);
  header.writeUInt32LE(SEAL_BYTES - SEAL_HEADER_BYTES, 4);
  return Buffer.concat([header, SEAL_LABEL, sha256]);
}

/** The hash that a seal holds; null where the bytes are none. */
export function readSeal(bytes: Buffer): Buffer | null {
  const sha256 = bytes.subarray(-HASH_BYTES);
  return bytes.length === SEAL_BYTES && sealOf(sha256).equals(bytes) ? sha256 : null;
}

/** The header of a file, 0600. */
export function tarHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, 0, NAME_BYTES, "latin1");
  header.write("0000600\0" + "0000000\0" + "0000000\0", 100, "latin1");
  if (size <= LARGEST_OCTAL) header.write(`${size.toString(8).padStart(11, "0")}\0`, SIZE_AT, "latin1");
  else {
    header[SIZE_AT] = 0x80;
    header.writeBigUInt64BE(BigInt(size), SIZE_AT + 4);
  }
  header.write("00000000000\0", 136, "latin1");
  header.write("0", 156, "latin1");
  header.write("ustar\0" + "00", 257, "latin1");
  header.write(`${checksumOf(header).toString(8).padStart(6, "0")}\0 `, CHECKSUM_AT, "latin1");
  return header;
}

/** Of a header that this program writes; "end" of the zeros behind the last; null of anything else. */
export function readTarHeader(header: Buffer): { name: string; size: number } | "end" | null {
  if (header.every((byte) => byte === 0)) return "end";
  const name = header.toString("latin1", 0, NAME_BYTES).replace(/\0+$/, "");
  const size =
    header[SIZE_AT] === 0x80
      ? Number(header.readBigUInt64BE(SIZE_AT + 4))
      : Number.parseInt(header.toString("latin1", SIZE_AT, SIZE_AT + 11), 8);
  const isOurs = Number.isSafeInteger(size) && size >= 0 && tarHeader(name, size).equals(header);
  return isOurs ? { name, size } : null;
}

/** Zeros behind a content of so many bytes. */
export const paddingOf = (size: number): Buffer => Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);

function checksumOf(header: Buffer): number {
  let sum = 0;
  for (let at = 0; at < BLOCK_BYTES; at++) sum += at >= CHECKSUM_AT && at < CHECKSUM_AT + 8 ? 0x20 : header[at]!;
  return sum;
}
