/** Files packed by gzip (RFC 1952). */
import { gunzipSync } from "node:zlib";
import { packedFileLoader } from "./packed-file.ts";

/** Two bytes that say gzip, one for the only method there is. */
const MAGIC = [0x1f, 0x8b, 8];

export const gzLoader = packedFileLoader({
  id: "gz",
  format: { mimeType: "application/gzip", extensions: ["gz", "tgz"] },
  tarEndings: ["tgz"],
  recognises: (bytes) => MAGIC.every((byte, index) => bytes[index] === byte),
  unpack: (bytes, most) => gunzipSync(bytes, { maxOutputLength: most }),
});
