/**
 * The parts of a backup: contents under the name of their SHA-256, `parts/<first 2 digits>/<64 digits>`. The same content is kept once, and
 * not again where an earlier backup has it.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { letOthersIn } from "../foundation/let-others-in.ts";

/** Read into memory at once; anything longer goes by such pieces. */
export const PIECE_BYTES = 4 * 1024 * 1024;

/** What an earlier backup has. */
export interface EarlierParts {
  /** Sees to it that the part is there under `target`, or need not be; false where the earlier backup does not have it. */
  take(sha256: string, bytes: number, target: string): boolean;
}

export const partPath = (folder: string, sha256: string): string => join(folder, "parts", sha256.slice(0, 2), sha256);

/** Parts of a folder, by hard links, which cost nothing and outlive the folder. */
export function linkedParts(folder: string): EarlierParts {
  return {
    take(sha256, bytes, target) {
      const source = partPath(folder, sha256);
      const found = lstatSync(source, { throwIfNoEntry: false });
      if (!found?.isFile() || found.size !== bytes) return false;
      try {
        linkSync(source, target);
        return true;
      } catch {
        // Another file system, or as many links as there can be: it is copied.
        return false;
      }
    },
  };
}

/** Parts that are looked for in the earlier archive when they are needed. */
export function referredParts(parts: ReadonlyMap<string, number>): EarlierParts {
  return { take: (sha256, bytes) => parts.get(sha256) === bytes };
}

/** Reads up to the buffer's length from a position; returns how much there was. */
export type Reading = (target: Buffer, position: number) => number;

export const readingOf =
  (descriptor: number): Reading =>
  (target, position) => {
    let length = 0;
    while (length < target.length) {
      const read = readSync(descriptor, target, length, target.length - length, position + length);
      if (read === 0) break;
      length += read;
    }
    return length;
  };

/** Makes the folders for parts in a backup's folder. */
export function makeShelves(folder: string): void {
  for (let shelf = 0; shelf < 256; shelf++)
    mkdirSync(join(folder, "parts", shelf.toString(16).padStart(2, "0")), { recursive: true, mode: 0o700 });
}

export class PartWriter {
  /** Whose parts are there, or need not be. */
  private readonly settled = new Set<string>();
  private piece: Buffer | null = null;
  /** Bytes that were written, and not taken from an earlier backup. */
  written = 0;

  constructor(
    /** In which `makeShelves` has been. */
    private readonly folder: string,
    private readonly earlier: EarlierParts | null,
  ) {}

  /** Whether a content with this SHA-256 is known to be there without being written. */
  has(sha256: string, bytes: number): boolean {
    if (this.settled.has(sha256)) return true;
    if (!this.earlier?.take(sha256, bytes, partPath(this.folder, sha256))) return false;
    this.settled.add(sha256);
    return true;
  }

  /** Of a part that is there; null where it is not what its name says. */
  content(sha256: string, bytes: number): Buffer | null {
    const content = readFileSync(partPath(this.folder, sha256));
    return content.length === bytes && sha256Of(content) === sha256 ? content : null;
  }

  /** Keeps a content; returns its SHA-256. */
  put(content: Buffer): string {
    const sha256 = sha256Of(content);
    if (this.has(sha256, content.length)) return sha256;
    const descriptor = this.create(sha256);
    this.settled.add(sha256);
    if (descriptor === null) return sha256;
    try {
      writeAll(descriptor, content);
    } finally {
      closeSync(descriptor);
    }
    this.written += content.length;
    return sha256;
  }

  /** Keeps what is read from the beginning to the end; returns its SHA-256 and length. */
  async putAll(read: Reading, advance: (bytes: number) => void): Promise<{ sha256: string; bytes: number }> {
    const whole = (this.piece ??= Buffer.allocUnsafeSlow(PIECE_BYTES));
    const first = whole.subarray(0, read(whole, 0));
    if (first.length < whole.length) {
      advance(first.length);
      return { sha256: this.put(first), bytes: first.length };
    }
    const aside = join(this.folder, `${randomUUID()}.part`);
    const hash = createHash("sha256");
    const descriptor = openSync(aside, "wx", 0o600);
    let bytes = 0;
    try {
      for (let piece = first; piece.length > 0; piece = whole.subarray(0, read(whole, bytes))) {
        hash.update(piece);
        writeAll(descriptor, piece);
        bytes += piece.length;
        advance(piece.length);
        await letOthersIn();
      }
    } finally {
      closeSync(descriptor);
    }
    const sha256 = hash.digest("hex");
    if (this.has(sha256, bytes)) rmSync(aside);
    else {
      renameSync(aside, partPath(this.folder, sha256));
      this.written += bytes;
      this.settled.add(sha256);
    }
    return { sha256, bytes };
  }

  /** null where another thread has just made the same part; it fails with this one or writes it to its end. */
  private create(sha256: string): number | null {
    try {
      return openSync(partPath(this.folder, sha256), "wx", 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return null;
      throw error;
    }
  }

  /** Takes away all parts but these: what was deleted before the backup's moment. */
  keepOnly(parts: ReadonlySet<string>): void {
    for (const sha256 of this.settled) if (!parts.has(sha256)) rmSync(partPath(this.folder, sha256), { force: true });
  }
}

/** Of a folder: every part in it, and whatever else lies where parts do. */
export function* listParts(folder: string): Generator<{ name: string; path: string; isFile: boolean }> {
  const parts = join(folder, "parts");
  for (const shelf of readdirSync(parts, { withFileTypes: true })) {
    const path = join(parts, shelf.name);
    if (!shelf.isDirectory()) yield { name: shelf.name, path, isFile: false };
    else
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const isInPlace = entry.isFile() && entry.name.startsWith(shelf.name);
        yield { name: entry.name, path: join(path, entry.name), isFile: isInPlace };
      }
  }
}

export const sha256Of = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

export function writeAll(descriptor: number, content: Uint8Array): void {
  for (let written = 0; written < content.length; )
    written += writeSync(descriptor, content, written, content.length - written);
}
