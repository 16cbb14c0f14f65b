/** Files packed by bzip2. */
import { packedFileLoader, Unpacked } from "./packed-file.ts";

/** "BZh", the size of its blocks, and what begins the first of them, or the end where there is none. */
const MAGIC = /^BZh[1-9](?:1AY&SY|\x17rE8P\x90)/;
const MAGIC_BYTES = 10;
const PIECE_BYTES = 64 * 1024;

export const bz2Loader = packedFileLoader({
  id: "bz2",
  format: { mimeType: "application/x-bzip2", extensions: ["bz2", "bz", "tbz2", "tbz"] },
  tarEndings: ["tbz2", "tbz"],
  recognises: (bytes) => MAGIC.test(Buffer.from(bytes.subarray(0, MAGIC_BYTES)).toString("latin1")),
  unpack,
});

async function unpack(bytes: Uint8Array, most: number): Promise<Uint8Array> {
  const { default: bunzip } = await import("seek-bzip");
  const unpacked = new Unpacked(most);
  let piece = new Uint8Array(PIECE_BYTES);
  let length = 0;
  const writeByte = (byte: number): void => {
    piece[length] = byte;
    length += 1;
    if (length < PIECE_BYTES) return;
    unpacked.add(piece);
    piece = new Uint8Array(PIECE_BYTES);
    length = 0;
  };
  // Programs that pack on several processors write one stream after another.
  bunzip.decode(bytes, { writeByte }, true);
  unpacked.add(piece.subarray(0, length));
  return unpacked.bytes;
}
