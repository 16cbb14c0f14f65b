/** A disk that can be filled, for tests: a small file system in memory. Where none may be mounted, `mounting` is not met. */
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Requirement } from "./requirements.ts";

/** Where it is mounted; null where that is not permitted. `size` as `mount` takes it, e.g. "64m". */
export function mountSmallDisk(size: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), "lectern-disk-"));
  const { exitCode } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${size}`, "none", folder], {
    stderr: "ignore",
  });
  if (exitCode === 0) return folder;
  rmdirSync(folder);
  return null;
}

export function unmount(folder: string): void {
  // Lazily: prepared statements that were not collected yet keep a closed database half open.
  Bun.spawnSync(["umount", "--lazy", folder]);
  rmdirSync(folder);
}

const probe = mountSmallDisk("1m");
if (probe !== null) unmount(probe);

export const mounting: Requirement = {
  isMet: probe !== null,
  what: "mounting to be permitted, for a disk that can be filled",
};
