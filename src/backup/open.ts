/** Finds out what a path is as a backup, and reads its manifest. Links in a backup are not followed. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../foundation/errors.ts";
import { readArchivedManifest } from "./archive.ts";
import { MANIFEST } from "./archive-format.ts";
import { MOST_MANIFEST_BYTES, readManifest, type Manifest } from "./manifest.ts";

export interface OpenedBackup {
  /** As it was given. */
  readonly path: string;
  readonly kind: "folder" | "archive";
  readonly manifest: Manifest;
}

/** How the name of a backup that is one file ends. */
export const ARCHIVE_ENDING = ".tar.zst";

/** Reads the manifest, and nothing of the parts. Throws OPERATION_FAILED where there is no backup, or not a whole one. */
export async function openBackup(path: string): Promise<OpenedBackup> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw fail("OPERATION_FAILED", { reason: `There is no backup at ${path}.` });
  if (found.isFile()) return { path, kind: "archive", manifest: readManifest(await readArchivedManifest(path), path) };
  const manifestPath = join(path, MANIFEST);
  if (!found.isDirectory() || lstatSync(manifestPath, { throwIfNoEntry: false }) === undefined)
    throw fail("OPERATION_FAILED", { reason: `${path} is no backup of Lectern: it has no manifest.` });
  const text = readRegular(manifestPath, path);
  return { path: realpathSync(path), kind: "folder", manifest: readManifest(text, path) };
}

function readRegular(path: string, backup: string): string {
  const descriptor = openRegular(path, backup);
  try {
    if (fstatSync(descriptor).size > MOST_MANIFEST_BYTES) throw foreign(path, backup);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** Opens a file of a backup's folder. Throws OPERATION_FAILED where something else lies in its place, or nothing. */
export function openRegular(path: string, backup: string): number {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP") throw foreign(path, backup);
    if (code === "ENOENT")
      throw fail("OPERATION_FAILED", { reason: `${backup} is no whole backup: ${path} is missing. Use another one.` });
    throw error;
  }
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw foreign(path, backup);
}

export const foreign = (path: string, backup: string): Error =>
  fail("OPERATION_FAILED", {
    reason: `${path} does not belong into a backup: ${backup} was altered. Use another one.`,
  });
