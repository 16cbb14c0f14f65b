/**
 * Packs: small files of a data directory that share a part, since to a file system a file costs more than its bytes. A pack is as it was, or
 * is written anew: one that holds what was deleted is in no later backup, though what else it held is.
 */
import { bytesOf, type Pack, type PackedFile } from "./manifest.ts";
import type { PartWriter } from "./parts.ts";

/** Larger ones have a part of their own. */
export const MOST_PACKED_BYTES = 16 * 1024;
/** As large as a database's blocks, for the same reason: all of it is stored anew where one file in it is deleted. */
const PACK_BYTES = 48 * 1024;

export class Packs {
  /** Packs of the earlier backup by the paths of their files. */
  private readonly earlier = new Map<string, { pack: Pack; file: PackedFile }>();
  /** Of packs of the earlier backup: the files that are as they were. */
  private readonly reused = new Map<Pack, PackedFile[]>();
  private readonly written: Pack[] = [];
  private readonly paths = new Set<string>();
  private readonly content = Buffer.allocUnsafeSlow(PACK_BYTES);
  private length = 0;
  private files: PackedFile[] = [];

  /** `earlier`: those whose parts the writer can take from the earlier backup. */
  constructor(
    private readonly writer: PartWriter,
    earlier: readonly Pack[],
  ) {
    for (const pack of earlier) for (const file of pack.files) this.earlier.set(file.path, { pack, file });
  }

  has(path: string): boolean {
    return this.paths.has(path);
  }

  /** A file as a pack of the earlier backup has it. */
  earlierOf(path: string): PackedFile | null {
    return this.earlier.get(path)?.file ?? null;
  }

  /** Takes a file as the earlier backup has it; false where its pack is not there any more. */
  take(path: string): boolean {
    const { pack, file } = this.earlier.get(path)!;
    if (!this.writer.has(pack.pack, bytesOf(pack.files))) return false;
    const files = this.reused.get(pack) ?? [];
    this.reused.set(pack, files);
    files.push(file);
    this.paths.add(path);
    return true;
  }

  /** Takes a file of no more than `MOST_PACKED_BYTES`. */
  add(file: Omit<PackedFile, "bytes">, content: Buffer): void {
    if (this.length + content.length > PACK_BYTES) this.flush();
    content.copy(this.content, this.length);
    this.length += content.length;
    this.files.push({ ...file, bytes: content.length });
    this.paths.add(file.path);
  }

  /**
   * The packs of all files that were taken and are `kept`, and of no other. `lost`: paths of those whose earlier pack turned out to be
   * damaged; they may be added again, and this be called once more.
   */
  settle(kept: ReadonlySet<string>): { packs: readonly Pack[]; lost: readonly string[] } {
    this.flush();
    const packs: Pack[] = [];
    const lost: string[] = [];
    const candidates = [...this.reused, ...this.written.splice(0).map((pack) => [pack, pack.files] as const)];
    this.reused.clear();
    for (const [pack, files] of candidates) {
      const live = files.filter(({ path }) => kept.has(path));
      if (live.length === pack.files.length) packs.push(pack);
      else if (live.length > 0) lost.push(...this.repack(pack, new Set(live.map(({ path }) => path))));
    }
    this.flush();
    for (const path of lost) {
      this.paths.delete(path);
      this.earlier.delete(path);
    }
    this.written.push(...packs);
    return { packs: this.written, lost };
  }

  /** Puts some of a pack's files into another one; returns the paths of those that cannot be, since it is damaged. */
  private repack(pack: Pack, live: ReadonlySet<string>): Iterable<string> {
    const whole = this.writer.content(pack.pack, bytesOf(pack.files));
    if (whole === null) return live;
    let position = 0;
    for (const file of pack.files) {
      const content = whole.subarray(position, (position += file.bytes));
      if (live.has(file.path)) this.add(file, content);
    }
    return [];
  }

  private flush(): void {
    if (this.files.length === 0) return;
    const pack = this.writer.put(this.content.subarray(0, this.length));
    this.written.push({ pack, files: this.files });
    this.files = [];
    this.length = 0;
  }
}
