/**
 * Answers compressed as the client takes them. Only text that is made here: never the content of stored files, which may be asked for in
 * ranges, nor event streams, whose parts must not wait for one another.
 *
 * What carries a secret beside what somebody else may have chosen is left as it is (a frontend token beside a dataset's name, a signed link
 * beside a file's name): the length of a compressed answer would tell how alike the two are. No browser can be made to ask for these with
 * another's credential, which travels in a header and never in a cookie; this keeps it so whatever a client does.
 */
import { pipeline, Readable } from "node:stream";
import { constants, createGzip, createZstdCompress, gzipSync, zstdCompressSync } from "node:zlib";

/** Bytes below which the header costs more than is won. */
const LEAST_BYTES = 1024;
/**
 * UTF-16 units that are compressed on the spot, in a millisecond or two: an answer that waited for another thread could show what is deleted
 * meanwhile. What is longer is compressed by other threads while it is sent.
 */
const MOST_AT_ONCE = 128 * 1024;
/** Bytes of a longer text that are compressed together. */
const PART = 64 * 1024;
/** Where more effort stops being worth the time. */
const GZIP = { level: 4 };
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** In the order of preference. */
const codings = {
  zstd: { whole: (text: string) => zstdCompressSync(text, ZSTD), stream: () => createZstdCompress(ZSTD) },
  gzip: { whole: (text: string) => gzipSync(text, GZIP), stream: () => createGzip(GZIP) },
} as const;

export type Coding = keyof typeof codings;

/** The coding that an Accept-Encoding header likes best; null: none. Among equals zstd, then gzip, then none. */
export function chooseCoding(header: string | null): Coding | null {
  const weights = readWeights(header ?? "");
  const weightOf = (name: string): number => weights.get(name) ?? weights.get("*") ?? 0;
  const [best] = (Object.keys(codings) as Coding[])
    .filter((coding) => weightOf(coding) > 0 && weightOf(coding) >= (weights.get("identity") ?? 0))
    .sort((one, other) => weightOf(other) - weightOf(one));
  return best ?? null;
}

/** A body of one piece, compressed; null where that is not worth it. */
export function compressText(
  text: string,
  coding: Coding,
): Uint8Array<ArrayBuffer> | AsyncGenerator<Uint8Array> | null {
  // No text has fewer bytes than UTF-16 units.
  if (text.length < LEAST_BYTES && Buffer.byteLength(text) < LEAST_BYTES) return null;
  return text.length <= MOST_AT_ONCE ? codings[coding].whole(text) : compressParts(partsOf(text), coding);
}

/** A body that is made while it is sent. Whoever stops reading ends `parts`; where they break off, so does this. */
export async function* compressParts(
  parts: AsyncIterable<string> | Iterable<Uint8Array>,
  coding: Coding,
): AsyncGenerator<Uint8Array> {
  const compressor = codings[coding].stream();
  const { promise: whole, resolve, reject } = Promise.withResolvers<void>();
  // Whoever stops reading waits for it no more.
  whole.catch(() => {});
  // No more parts are made than are taken.
  pipeline(Readable.from(parts, { highWaterMark: 1 }), compressor, (error) => (error ? reject(error) : resolve()));
  for await (const bytes of compressor) yield bytes as Uint8Array;
  // A failure may end the compressor as if all had come.
  await whole;
}

function* partsOf(text: string): Generator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += PART) yield bytes.subarray(start, start + PART);
}

/** Codings and their weights, as RFC 9110 writes them; a weight that cannot be read is 0. */
function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    if (name === "") continue;
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    weights.set(name, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0);
  }
  return weights;
}
