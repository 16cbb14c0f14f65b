/** Whether a backup is, to the last byte, what was backed up. */
import type { Manifest } from "./manifest.ts";
import { openBackup } from "./open.ts";
import { readArchives, readPart, refuseForeign, type ReadingOptions } from "./read-parts.ts";

export interface VerifyOptions extends Pick<ReadingOptions, "signal"> {
  /** Paths of archives that others leave parts to. */
  readonly bases: readonly string[];
  /** Told how many bytes there are to read, as far as that is known; resolves to what counts them. */
  readonly begin: (bytes: number) => (bytes: number) => void;
}

/** Reads everything. Throws OPERATION_FAILED, naming what is wrong, where it cannot be restored as it is. */
export async function verifyBackup(path: string, { bases, begin, signal }: VerifyOptions): Promise<Manifest> {
  const backup = await openBackup(path);
  const { manifest } = backup;
  const advance = begin([...manifest.parts.values()].reduce((sum, bytes) => sum + bytes, 0));
  if (backup.kind === "archive") {
    await readArchives(backup, bases, () => {}, { signal, advance });
    return manifest;
  }
  refuseForeign(backup);
  for (const [sha256, bytes] of manifest.parts)
    await readPart(backup.path, sha256, bytes, () => {}, { signal, advance });
  return manifest;
}
