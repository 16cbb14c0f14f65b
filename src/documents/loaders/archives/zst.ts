/** Files packed by Zstandard (RFC 8878). */
import { constants, zstdDecompressSync } from "node:zlib";
import { packedFileLoader, Unpackable } from "./packed-file.ts";
import { checkZstFrames, isZst } from "./zst-frames.ts";

/** As `zstd` itself takes: more is only made by `--long`, and would have to be held in memory. */
const LARGEST_WINDOW_LOG = 27;
const WINDOW_TOO_LARGE = "ZSTD_error_frameParameter_windowTooLarge";

export const zstLoader = packedFileLoader({
  id: "zst",
  format: { mimeType: "application/zstd", extensions: ["zst", "tzst"] },
  tarEndings: ["tzst"],
  recognises: isZst,
  unpack,
});

function unpack(bytes: Uint8Array, most: number): Uint8Array {
  checkZstFrames(bytes);
  try {
    const params = { [constants.ZSTD_d_windowLogMax]: LARGEST_WINDOW_LOG };
    return zstdDecompressSync(bytes, { maxOutputLength: most, params });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== WINDOW_TOO_LARGE) throw error;
    throw new Unpackable("it is packed with a window of more than 128 MB; pack it again without --long", {
      cause: error,
    });
  }
}
