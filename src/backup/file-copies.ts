/** Copies files of the data directory into a backup, each once, and those not that an earlier backup has. */
import { closeSync, constants, fstatSync, lstatSync, openSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import { letOthersIn } from "../foundation/let-others-in.ts";
import type { KnownFile } from "./known-files.ts";
import type { Entry, Manifest } from "./manifest.ts";
import { ifThere } from "./moment.ts";
import { readingOf, type PartWriter } from "./parts.ts";

/** A file that was written so shortly before the earlier backup may have been written again unnoticed. */
const SETTLED_MILLISECONDS = 2_000;
const FILES_BETWEEN_PAUSES = 64;

export interface FileCopiesSettings {
  readonly dataDirectory: string;
  readonly writer: PartWriter;
  readonly earlier: Manifest | null;
  readonly signal: AbortSignal;
  /** Told how many bytes were read, or need not be. */
  readonly advance: (bytes: number) => void;
}

export class FileCopies {
  /** What was copied, by path relative to the data directory. */
  readonly entries = new Map<string, Entry>();
  /** Paths of those whose bytes are not what they should be. */
  readonly damaged: string[] = [];
  private worked = 0;

  constructor(private readonly settings: FileCopiesSettings) {}

  /** Copies a stored file with its record; nothing happens where it is gone. */
  async copyKnown({ storagePath, sha256 }: KnownFile): Promise<void> {
    // Committed and not confirmed yet; or confirmed between the two looks.
    for (const from of [storagePath, `${storagePath}.new`, storagePath])
      if (await this.copyPath(storagePath, sha256, from)) break;
    await this.copyPath(`${storagePath}.json`);
  }

  /** Copies a file, from where it lies; false where no file is there. `sha256`: what its bytes should have. */
  async copyPath(path: string, sha256: string | null = null, from = path): Promise<boolean> {
    const place = join(this.settings.dataDirectory, from);
    // Links stand for models alone, and were looked at when these were listed.
    const look = path.startsWith("files/") ? lstatSync : statSync;
    const found = look(place, { throwIfNoEntry: false });
    if (!found?.isFile()) return false;
    if (this.takeUnchanged(path, found, sha256)) return true;
    const descriptor = ifThere(() => openSync(place, constants.O_RDONLY | constants.O_NONBLOCK));
    if (descriptor === null) return false;
    try {
      await this.copyOpen(path, descriptor, sha256);
      return true;
    } finally {
      closeSync(descriptor);
    }
  }

  /** Copies a file that is open. */
  async copyOpen(path: string, descriptor: number, sha256: string | null): Promise<void> {
    const modified = Math.trunc(fstatSync(descriptor).mtimeMs);
    const read = await this.settings.writer.putAll(readingOf(descriptor), this.settings.advance);
    const parts = read.bytes === 0 ? [] : [read.sha256];
    this.entries.set(path, { path, bytes: read.bytes, modified, partBytes: Math.max(1, read.bytes), parts });
    if (sha256 !== null && parts[0] !== sha256) this.damaged.push(path);
    if (++this.worked % FILES_BETWEEN_PAUSES === 0) await letOthersIn();
    this.settings.signal.throwIfAborted();
  }

  /** Takes a file as the earlier backup has it, where it has not been touched since, and is what was uploaded. */
  private takeUnchanged(path: string, found: Stats, sha256: string | null): boolean {
    const before = this.settings.earlier?.entries.get(path);
    if (before === undefined) return false;
    const modified = Math.trunc(found.mtimeMs);
    const isSettled = modified < Date.parse(this.settings.earlier!.head.created) - SETTLED_MILLISECONDS;
    if (!isSettled || before.modified !== modified || before.bytes !== found.size) return false;
    if (sha256 !== null && before.parts[0] !== sha256) return false;
    if (!before.parts.every((part) => this.settings.writer.has(part, found.size))) return false;
    this.entries.set(path, before);
    this.settings.advance(found.size);
    return true;
  }

  /** Takes a file whose content was read already. */
  addWhole(path: string, content: Buffer, modified: number): void {
    const parts = content.length === 0 ? [] : [this.settings.writer.put(content)];
    this.entries.set(path, { path, bytes: content.length, modified, partBytes: Math.max(1, content.length), parts });
  }
}
