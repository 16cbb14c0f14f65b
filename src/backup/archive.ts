/** Writes a backup's folder into one file, and reads such files piece by piece. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, closeSync, openSync, readSync, statSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { fail } from "../foundation/errors.ts";
import {
  BLOCK_BYTES,
  MANIFEST,
  paddingOf,
  readSeal,
  readTarHeader,
  SEAL_BYTES,
  sealOf,
  tarHeader,
} from "./archive-format.ts";
import { MOST_MANIFEST_BYTES } from "./manifest.ts";
import { listParts, PIECE_BYTES, readingOf } from "./parts.ts";

/** zstd's own default: three times as fast as a disk, and hardly worse than what takes ten times as long. */
const COMPRESSION_LEVEL = 3;

/** Writes a whole folder of manifest and parts. Does not flush. */
export async function writeArchive(
  folder: string,
  path: string,
  { signal, advance }: { readonly signal: AbortSignal; readonly advance: (bytes: number) => void },
): Promise<void> {
  const hash = createHash("sha256");
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(
    Readable.from(tarOf(folder, advance), { objectMode: false }),
    createZstdCompress({
      params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
    }),
    hashing,
    createWriteStream(path, { flags: "wx", mode: 0o600 }),
    { signal },
  );
  await appendFile(path, sealOf(hash.digest()));
}

async function* tarOf(folder: string, advance: (bytes: number) => void): AsyncGenerator<Buffer> {
  yield* tarFile(MANIFEST, join(folder, MANIFEST), advance);
  for (const { name, path } of listParts(folder)) yield* tarFile(`parts/${name.slice(0, 2)}/${name}`, path, advance);
  yield Buffer.alloc(2 * BLOCK_BYTES);
}

async function* tarFile(name: string, path: string, advance: (bytes: number) => void): AsyncGenerator<Buffer> {
  const descriptor = openSync(path, "r");
  try {
    const { size } = statSync(path);
    const read = readingOf(descriptor);
    yield tarHeader(name, size);
    for (let position = 0; position < size; ) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size - position));
      position += read(piece, position);
      advance(piece.length);
      yield piece;
    }
    yield paddingOf(size);
  } finally {
    closeSync(descriptor);
  }
}

export interface ArchivedFile {
  readonly name: string;
  readonly size: number;
  /** Its bytes, to be read before the next file is asked for; what is not read is passed over. */
  readonly content: AsyncIterable<Buffer>;
}

/**
 * The files of an archive in their order, the manifest first. Throws OPERATION_FAILED where it was cut short or altered: where that can only
 * be told by the seal, behind the last file, so that nothing read before may be used without it.
 */
export async function* readArchive(path: string): AsyncGenerator<ArchivedFile> {
  const { size, sha256 } = sealAt(path);
  const hash = createHash("sha256");
  const compressed = createReadStream(path, { end: size - SEAL_BYTES - 1, highWaterMark: 1024 * 1024 });
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const plain = createZstdDecompress();
  // Its failure is thrown to whoever reads `plain`.
  const flowing = pipeline(compressed, hashing, plain).catch(() => {});
  try {
    const bytes = new ByteReader(plain, path);
    for (;;) {
      const header = readTarHeader(await bytes.take(BLOCK_BYTES));
      if (header === null) throw altered(path);
      if (header === "end") break;
      const content = bytes.upTo(header.size);
      yield { ...header, content };
      for await (const _ of content);
      await bytes.take(paddingOf(header.size).length);
    }
    if (!(await bytes.isAtEnd(BLOCK_BYTES)) || !hash.digest().equals(sha256)) throw altered(path);
  } finally {
    compressed.destroy();
    plain.destroy();
    await flowing;
  }
}

/** The manifest's text, without reading on. */
export async function readArchivedManifest(path: string): Promise<string> {
  for await (const { name, size, content } of readArchive(path)) {
    if (name !== MANIFEST || size > MOST_MANIFEST_BYTES) throw altered(path);
    const pieces = await Array.fromAsync(content);
    return Buffer.concat(pieces).toString("utf8");
  }
  throw altered(path);
}

function sealAt(path: string): { size: number; sha256: Buffer } {
  const descriptor = openSync(path, "r");
  try {
    const { size } = statSync(path);
    const end = Buffer.alloc(SEAL_BYTES);
    const length = size > SEAL_BYTES ? readSync(descriptor, end, 0, SEAL_BYTES, size - SEAL_BYTES) : 0;
    const sha256 = length === SEAL_BYTES ? readSeal(end) : null;
    if (sha256 === null)
      throw fail("OPERATION_FAILED", {
        reason: `${path} is no whole backup: it was cut short or altered, or is no backup of Lectern. Use another one.`,
      });
    return { size, sha256 };
  } finally {
    closeSync(descriptor);
  }
}

export const altered = (path: string): Error =>
  fail("OPERATION_FAILED", {
    reason: `${path} is no whole backup: it was altered, or a disk has damaged it. Use another one.`,
  });

/** Of what zstd says of broken bytes, nothing is. */
const isOfSystem = (error: unknown): boolean =>
  error instanceof Error && /^E[A-Z0-9]+$/.test(String((error as NodeJS.ErrnoException).code));

/** Takes a stream apart by lengths. Throws OPERATION_FAILED where it ends too early or cannot be read on. */
class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(
    stream: AsyncIterable<Buffer>,
    private readonly path: string,
  ) {
    this.chunks = stream[Symbol.asyncIterator]();
  }

  /** Exactly so many bytes. */
  async take(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.upTo(length)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** The next bytes, so many, in pieces; asked again, those that are left of them. */
  upTo(length: number): AsyncIterable<Buffer> {
    let left = length;
    const { path } = this;
    const next = async (): Promise<Buffer | null> => {
      if (left === 0) return null;
      const piece = (await this.next(left)) ?? null;
      if (piece === null) throw altered(path);
      left -= piece.length;
      return piece;
    };
    return {
      async *[Symbol.asyncIterator]() {
        for (let piece = await next(); piece !== null; piece = await next()) yield piece;
      },
    };
  }

  /** Whether nothing but zeros is left, of so many bytes. */
  async isAtEnd(zeros: number): Promise<boolean> {
    for (let left = zeros; ; ) {
      const piece = await this.next(Number.POSITIVE_INFINITY);
      if (piece === null) return left === 0;
      left -= piece.length;
      if (left < 0 || piece.some((byte) => byte !== 0)) return false;
    }
  }

  private async next(most: number): Promise<Buffer | null> {
    while (this.rest.length === 0) {
      const { value, done } = await this.chunks.next().catch((error: unknown) => {
        throw isOfSystem(error) ? error : altered(this.path);
      });
      if (done) return null;
      this.rest = value;
    }
    const piece = this.rest.subarray(0, Math.min(most, this.rest.length));
    this.rest = this.rest.subarray(piece.length);
    return piece;
  }
}
