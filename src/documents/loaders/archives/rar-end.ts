/** Whether a RAR archive of version 5 has its end, which libarchive does not ask for; those before it need not have one. */

const MAGIC = Buffer.from("Rar!\x1a\x07\x01", "latin1");
const END_BLOCK = 5;
/** What may stand behind the end. */
const MOST_BEHIND = 4096;
const LONGEST_END = 64;

export function isCutOffRar({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  const data = Buffer.from(buffer, byteOffset, byteLength);
  if (!data.subarray(0, MAGIC.length).equals(MAGIC)) return false;
  for (let at = data.length - 7; at >= Math.max(MAGIC.length, data.length - MOST_BEHIND); at -= 1)
    if (isEnd(data, at)) return false;
  return true;
}

/** A block is a checksum, its size, its kind and more. */
function isEnd(data: Buffer, at: number): boolean {
  const size = data[at + 4]!;
  if (data[at + 5] !== END_BLOCK || size > LONGEST_END || at + 5 + size > data.length) return false;
  return Bun.hash.crc32(data.subarray(at + 4, at + 5 + size)) === data.readUInt32LE(at);
}
