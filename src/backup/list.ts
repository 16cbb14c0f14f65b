/** Which backups a folder holds. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fail, LecternError } from "../foundation/errors.ts";
import { letOthersIn } from "../foundation/let-others-in.ts";
import { MANIFEST } from "./archive-format.ts";
import { sizeOf, type Counts } from "./manifest.ts";
import { ARCHIVE_ENDING, openBackup } from "./open.ts";

export interface ListedBackup {
  /** Of the folder or file. */
  readonly name: string;
  readonly kind: "folder" | "archive";
  /** The moment that it holds, ISO 8601. */
  readonly created: string;
  /** The version of Lectern that made it. */
  readonly lectern: string;
  readonly counts: Counts;
  /** Of everything that would be restored. */
  readonly bytes: number;
}

/**
 * The backups directly in a folder, by their moments. Their manifests are read, and nothing else: whether they are whole is for `verifyBackup`.
 * What has no readable manifest is none. Throws OPERATION_FAILED where there is no such folder.
 */
export async function listBackups(folder: string): Promise<ListedBackup[]> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw fail("OPERATION_FAILED", { reason: `${folder} is no folder. Make it, or name another one.` });
  const listed: ListedBackup[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const mayBe = entry.isFile()
      ? entry.name.endsWith(ARCHIVE_ENDING)
      : entry.isDirectory() && statSync(join(path, MANIFEST), { throwIfNoEntry: false })?.isFile() === true;
    if (!mayBe || entry.name.startsWith(".")) continue;
    const found = await describe(path, entry.name);
    if (found !== null) listed.push(found);
    await letOthersIn();
  }
  return listed.sort((one, other) => one.created.localeCompare(other.created));
}

async function describe(path: string, name: string): Promise<ListedBackup | null> {
  try {
    const { kind, manifest } = await openBackup(path);
    const { created, lectern, counts } = manifest.head;
    return { name, kind, created, lectern, counts, bytes: sizeOf(manifest).bytes };
  } catch (error) {
    if (error instanceof LecternError) return null;
    throw error;
  }
}
