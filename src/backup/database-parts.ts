/**
 * A database as parts: blocks of its pages. A block that is as it was in the earlier backup is told by a fingerprint, some thirty times as
 * fast as a SHA-256. It is made with seeds that only the backups know, so that no document can be written to have another's.
 */
import { letOthersIn } from "../foundation/let-others-in.ts";
import type { DatabaseImage } from "./database-image.ts";
import type { Entry, Head } from "./manifest.ts";
import type { PartWriter } from "./parts.ts";

/**
 * Some pages each: where one document in a hundred changed, a backup then stores a sixteenth of the database anew, and half of it if a block
 * were a megabyte. Smaller ones would be more files, of which each costs a file system time. They are as large as it takes to be no more
 * than so many.
 */
const LEAST_BLOCK_BYTES = 64 * 1024;
const MOST_BLOCKS = 32_768;

export interface DatabaseCopy {
  readonly path: string;
  readonly image: DatabaseImage;
  /** Of the same database in the earlier backup, with the same seeds. */
  readonly earlier: Entry | null;
  readonly seeds: Head["seeds"];
  /** Milliseconds since 1970. */
  readonly modified: number;
}

export async function putDatabase(
  writer: PartWriter,
  { path, image, earlier, seeds, modified }: DatabaseCopy,
  advance: (bytes: number) => void,
): Promise<Entry> {
  const partBytes = blockBytesFor(image.bytes, earlier);
  const fingerprint = fingerprinting(seeds);
  const block = Buffer.allocUnsafeSlow(partBytes);
  const parts: string[] = [];
  const fingerprints: string[] = [];
  for (let position = 0; position < image.bytes; position += partBytes) {
    const content = block.subarray(0, image.read(block, position));
    const index = parts.length;
    fingerprints.push(fingerprint(content));
    const known = earlier?.partBytes === partBytes && earlier.fingerprints?.[index] === fingerprints[index];
    const sha256 = known ? earlier.parts[index]! : null;
    parts.push(sha256 !== null && writer.has(sha256, content.length) ? sha256 : writer.put(content));
    advance(content.length);
    if (index % 8 === 0) await letOthersIn();
  }
  return { path, bytes: image.bytes, modified, partBytes, parts, fingerprints };
}

/** The earlier backup's, as long as that does for what the database has become. */
function blockBytesFor(bytes: number, earlier: Entry | null): number {
  if (earlier !== null && bytes / earlier.partBytes <= 2 * MOST_BLOCKS) return earlier.partBytes;
  let blockBytes = LEAST_BLOCK_BYTES;
  while (bytes / blockBytes > MOST_BLOCKS) blockBytes *= 2;
  return blockBytes;
}

function fingerprinting(seeds: Head["seeds"]): (content: Buffer) => string {
  const [first, second] = seeds.map((seed) => BigInt(`0x${seed}`)) as [bigint, bigint];
  const digits = (value: bigint): string => value.toString(16).padStart(16, "0");
  return (content) => digits(Bun.hash.xxHash3(content, first)) + digits(Bun.hash.xxHash3(content, second));
}
