/** Reads all parts of a backup, each compared with its SHA-256, wherever they lie. */
import { createHash } from "node:crypto";
import { closeSync, fstatSync, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fail } from "../foundation/errors.ts";
import { letOthersIn } from "../foundation/let-others-in.ts";
import { MANIFEST } from "./archive-format.ts";
import { altered, readArchive } from "./archive.ts";
import type { Base } from "./manifest.ts";
import { foreign, openBackup, openRegular, type OpenedBackup } from "./open.ts";
import { listParts, partPath, PIECE_BYTES, readingOf } from "./parts.ts";

export interface ReadingOptions {
  readonly signal: AbortSignal;
  readonly advance: (bytes: number) => void;
}

/** Checks a part of a folder, and hands its bytes on piece by piece. Throws OPERATION_FAILED where it is not what its name says. */
export async function readPart(
  folder: string,
  sha256: string,
  bytes: number,
  take: (piece: Buffer) => void,
  { signal, advance }: ReadingOptions,
): Promise<void> {
  const path = partPath(folder, sha256);
  const descriptor = openRegular(path, folder);
  try {
    if (fstatSync(descriptor).size !== bytes) throw altered(folder);
    const read = readingOf(descriptor);
    const hash = createHash("sha256");
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, bytes));
    for (let position = 0; position < bytes; ) {
      const length = read(piece, position);
      if (length === 0) throw altered(folder);
      const content = piece.subarray(0, length);
      hash.update(content);
      take(content);
      position += length;
      advance(length);
      signal.throwIfAborted();
      if (bytes > PIECE_BYTES) await letOthersIn();
    }
    if (hash.digest("hex") !== sha256) throw altered(folder);
  } finally {
    closeSync(descriptor);
  }
}

/** Throws OPERATION_FAILED where a folder holds what its manifest does not name. */
export function refuseForeign({ path, manifest }: OpenedBackup): void {
  const stranger = readdirSync(path).find((name) => name !== MANIFEST && name !== "parts");
  if (stranger !== undefined) throw foreign(join(path, stranger), path);
  if (!lstatSync(join(path, "parts")).isDirectory()) throw foreign(join(path, "parts"), path);
  for (const part of listParts(path))
    if (!part.isFile || !manifest.parts.has(part.name)) throw foreign(part.path, path);
}

/**
 * Reads an archive, and those that it leaves parts to, until every part was there: beside it, or at one of the paths in `bases`. `take` gets
 * the pieces of a part, and null behind its last; what it was given holds only once all of this has returned. Throws OPERATION_FAILED where
 * an archive is missing or not whole.
 */
export async function readArchives(
  { path, manifest }: OpenedBackup,
  bases: readonly string[],
  take: (sha256: string, piece: Buffer | null) => void,
  options: ReadingOptions,
): Promise<void> {
  const needed = new Map(manifest.parts);
  for (let archive: { path: string; base: Base | null } | null = { path, base: manifest.head.base }; archive; ) {
    await readOne(archive.path, needed, take, options);
    if (needed.size === 0) return;
    if (archive.base === null) throw altered(archive.path);
    archive = await findBase(archive.path, archive.base, [...bases, join(dirname(path), archive.base.name)]);
  }
}

async function readOne(
  path: string,
  needed: Map<string, number>,
  take: (sha256: string, piece: Buffer | null) => void,
  { signal, advance }: ReadingOptions,
): Promise<void> {
  const seen = new Set<string>();
  for await (const { name, size, content } of readArchive(path)) {
    signal.throwIfAborted();
    if (name === MANIFEST && seen.size === 0) {
      seen.add(name);
      continue;
    }
    const sha256 = basename(name);
    if (name !== `parts/${sha256.slice(0, 2)}/${sha256}` || seen.has(name)) throw altered(path);
    seen.add(name);
    const isNeeded = needed.get(sha256) === size;
    const hash = createHash("sha256");
    for await (const piece of content) {
      hash.update(piece);
      if (isNeeded) {
        take(sha256, piece);
        advance(piece.length);
      }
      signal.throwIfAborted();
    }
    if (hash.digest("hex") !== sha256) throw altered(path);
    if (!isNeeded) continue;
    take(sha256, null);
    needed.delete(sha256);
  }
}

async function findBase(
  path: string,
  { id, name, created }: Base,
  given: readonly string[],
): Promise<{ path: string; base: Base | null }> {
  for (const candidate of [...given, join(dirname(path), name)]) {
    const opened = await openBackup(candidate).catch(() => null);
    if (opened?.kind === "archive" && opened.manifest.head.id === id)
      return { path: candidate, base: opened.manifest.head.base };
  }
  throw fail("OPERATION_FAILED", {
    reason: `${path} holds only what is new since the backup ${name} of ${created}, which is missing. Put that one beside it, or name it with --base.`,
  });
}
