/** Copies files of the data directory into a backup, each once, and those not that an earlier backup has. */
import { closeSync, constants, fstatSync, lstatSync, openSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import { letOthersIn } from "../foundation/let-others-in.ts";
import { ifThere } from "./if-there.ts";
import type { KnownFile } from "./known-files.ts";
import type { Entry, Files, Manifest } from "./manifest.ts";
import { MOST_PACKED_BYTES, Packs } from "./packs.ts";
import { readingOf, sha256Of, type PartWriter, type Reading } from "./parts.ts";

/** A file that was written so shortly before the earlier backup may have been written again unnoticed. */
const SETTLED_MILLISECONDS = 2_000;
const FILES_BETWEEN_PAUSES = 64;

export interface FileCopiesSettings {
  readonly dataDirectory: string;
  readonly writer: PartWriter;
  readonly earlier: Manifest | null;
  /** Whether small ones share parts. */
  readonly packs: boolean;
  readonly signal: AbortSignal;
  /** Told how many bytes were read, or need not be. */
  readonly advance: (bytes: number) => void;
}

export class FileCopies {
  /** Paths of those whose bytes are not what they should be. */
  readonly damaged: string[] = [];
  /** What was copied and is in no pack, by path relative to the data directory. */
  private readonly entries = new Map<string, Entry>();
  private readonly packs: Packs;
  /** Milliseconds since 1970. */
  private readonly settledBefore: number;
  /** One byte more than is packed, so that a file that has grown is noticed. */
  private readonly small = Buffer.allocUnsafeSlow(MOST_PACKED_BYTES + 1);
  private worked = 0;

  constructor(private readonly settings: FileCopiesSettings) {
    const { earlier } = settings;
    this.settledBefore = earlier === null ? 0 : Date.parse(earlier.head.created) - SETTLED_MILLISECONDS;
    this.packs = new Packs(settings.writer, (settings.packs && earlier?.packs) || []);
  }

  /** Whether a file was copied. */
  has(path: string): boolean {
    return this.entries.has(path) || this.packs.has(path);
  }

  /** What was copied of these paths, and nothing else. `sums`: what the bytes of some should have. */
  async settle(kept: ReadonlySet<string>, sums: ReadonlyMap<string, string | null>): Promise<Files> {
    const { lost } = this.packs.settle(kept);
    for (const path of lost) await this.copyPath(path, sums.get(path) ?? null);
    const { packs } = this.packs.settle(kept);
    return { entries: new Map([...this.entries].filter(([path]) => kept.has(path))), packs };
  }

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
    const { size, mtimeMs } = fstatSync(descriptor);
    const modified = Math.trunc(mtimeMs);
    const read = readingOf(descriptor);
    const found =
      (this.settings.packs && size <= MOST_PACKED_BYTES && this.pack(path, modified, read)) ||
      (await this.copyWhole(path, modified, read));
    if (sha256 !== null && found !== sha256) this.damaged.push(path);
    if (++this.worked % FILES_BETWEEN_PAUSES === 0) await letOthersIn();
    this.settings.signal.throwIfAborted();
  }

  /** Puts a file into a pack, and returns its SHA-256; null where it is empty, or too long by now. */
  private pack(path: string, modified: number, read: Reading): string | null {
    const content = this.small.subarray(0, read(this.small, 0));
    if (content.length === 0 || content.length > MOST_PACKED_BYTES) return null;
    const sha256 = sha256Of(content);
    this.packs.add({ path, modified, sha256 }, content);
    this.settings.advance(content.length);
    return sha256;
  }

  /** Gives a file a part of its own, and returns its SHA-256; null where it is empty. */
  private async copyWhole(path: string, modified: number, read: Reading): Promise<string | null> {
    const { bytes, sha256 } = await this.settings.writer.putAll(read, this.settings.advance);
    const parts = bytes === 0 ? [] : [sha256];
    this.entries.set(path, { path, bytes, modified, partBytes: Math.max(1, bytes), parts });
    return parts[0] ?? null;
  }

  /** Takes a file as the earlier backup has it, where it has not been touched since, and is what was uploaded. */
  private takeUnchanged(path: string, found: Stats, sha256: string | null): boolean {
    const packed = this.packs.earlierOf(path);
    const entry = this.settings.earlier?.entries.get(path);
    const before = packed ?? entry;
    if (before === undefined) return false;
    const modified = Math.trunc(found.mtimeMs);
    const isSettled = modified < this.settledBefore;
    if (!isSettled || before.modified !== modified || before.bytes !== found.size) return false;
    if (sha256 !== null && (packed?.sha256 ?? entry?.parts[0]) !== sha256) return false;
    if (packed === null ? !this.linkWhole(entry!) : !this.packs.take(path)) return false;
    this.settings.advance(found.size);
    return true;
  }

  private linkWhole(entry: Entry): boolean {
    if (!entry.parts.every((part) => this.settings.writer.has(part, entry.bytes))) return false;
    this.entries.set(entry.path, entry);
    return true;
  }

  /** Takes a file whose content was read already. */
  addWhole(path: string, content: Buffer, modified: number): void {
    const parts = content.length === 0 ? [] : [this.settings.writer.put(content)];
    this.entries.set(path, { path, bytes: content.length, modified, partBytes: Math.max(1, content.length), parts });
  }
}
