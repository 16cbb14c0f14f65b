/**
 * Files for browsers that are part of the executable: compressed once, by the build, and sent as they lie there to whoever takes that.
 */
import { promisify } from "node:util";
import { brotliDecompress, gunzip, gzip, zstdCompress, zstdDecompress } from "node:zlib";
import type { Exchange } from "./exchange.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface PackedFile {
  /** Its Content-Type. */
  readonly type: string;
  /** Of its content, as an ETag has it. */
  readonly tag: string;
  /** Its content by coding, the best first; at least one. */
  readonly content: ReadonlyMap<keyof typeof unpack, Bytes>;
}

const unpack = {
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
  gzip: promisify(gunzip),
  identity: async (bytes: Bytes) => bytes,
};

/** A text that is made while the server runs and stays as it is, packed for those who take that. */
export async function packText(text: string, type: string): Promise<PackedFile> {
  const bytes = new TextEncoder().encode(text);
  const [zstd, gzipped] = await Promise.all([promisify(zstdCompress)(bytes), promisify(gzip)(bytes)]);
  return {
    type,
    tag: tagOf(bytes),
    content: new Map([
      ["zstd", new Uint8Array(zstd)],
      ["gzip", new Uint8Array(gzipped)],
      ["identity", bytes],
    ]),
  };
}

/** Of a content, as an ETag has it. */
export const tagOf = (bytes: Bytes): string =>
  `"${new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 32)}"`;

/** The file, or 304 where the client has it. How long it may be kept without asking is the route's to say. */
export async function answerFile({ headers, request }: Exchange, file: PackedFile): Promise<Response> {
  headers["content-type"] = file.type;
  headers.etag = file.tag;
  headers.vary = "Accept-Encoding";
  headers["cross-origin-resource-policy"] = "same-origin";
  if (isKnown(request.headers.get("if-none-match"), file.tag)) return new Response(null, { status: 304, headers });
  const accepted = request.headers.get("accept-encoding");
  for (const [coding, bytes] of file.content) {
    if (coding !== "identity" && !isTaken(accepted, coding)) continue;
    if (coding !== "identity") headers["content-encoding"] = coding;
    return new Response(bytes, { headers });
  }
  const [[coding, bytes]] = file.content as unknown as [[keyof typeof unpack, Bytes]];
  return new Response(new Uint8Array(await unpack[coding](bytes)), { headers });
}

/** A proxy may have marked the tag as weak. */
function isKnown(header: string | null, tag: string): boolean {
  return (header ?? "").split(",").some((known) => known.trim().replace(/^W\//, "") === tag);
}

/** Whether an Accept-Encoding header names a coding, and not with a weight of zero. */
function isTaken(header: string | null, coding: string): boolean {
  return new RegExp(`(^|,)\\s*${coding}\\s*(,|$|;\\s*q=(?!0(\\.0*)?\\s*(,|$)))`, "i").test(header ?? "");
}
