/** What is remembered of files from one comparison to the next: their hashes, and which of them were refused. */
import { hashFileAt } from "../../files/hash.ts";
import type { LocalFile } from "../document-service.ts";
import { systemReason } from "../system-error.ts";
import { stateOf } from "./file-state.ts";
import type { SyncedFile } from "./sync-plan.ts";

/** Within it a file system may give two versions of a file the same time. */
const UNSETTLED_MILLISECONDS = 2000;

export class SyncMemory {
  private readonly hashes = new Map<string, { readonly mark: string; readonly sha256: string }>();
  private readonly refused = new Map<string, string>();

  /** Whether the file's bytes are those that are stored. False also for one that cannot be read: its upload says why. */
  async isSame({ path }: LocalFile, { size, sha256 }: SyncedFile): Promise<boolean> {
    const state = await stateOf(path);
    if (state === null || sha256 === null || state.size !== size) return false;
    const known = this.hashes.get(path);
    if (known?.mark === state.mark) return known.sha256 === sha256;
    const hash = await hashOf(path);
    if (hash !== null && state.modified < Date.now() - UNSETTLED_MILLISECONDS)
      this.hashes.set(path, { mark: state.mark, sha256: hash });
    return hash === sha256;
  }

  /** Notes a file that would be refused again as it is. */
  async noteRefused(path: string): Promise<void> {
    const state = await stateOf(path);
    if (state !== null) this.refused.set(path, state.mark);
  }

  /** Whether it was refused, and nobody wrote to it since. */
  async isRefused(path: string): Promise<boolean> {
    const mark = this.refused.get(path);
    return mark !== undefined && (await stateOf(path))?.mark === mark;
  }
}

/** One text for the states of all these files, which differs when one of them was written to. */
export async function marksOf(files: readonly LocalFile[]): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for (const { path } of files) hash.update(JSON.stringify([path, (await stateOf(path))?.mark]));
  return hash.digest("hex");
}

/** Null where the system does not let it be read. */
async function hashOf(path: string): Promise<string | null> {
  try {
    return (await hashFileAt(path)).sha256;
  } catch (error) {
    if (systemReason(error) === null) throw error;
    return null;
  }
}
