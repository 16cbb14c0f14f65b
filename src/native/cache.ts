/**
 * The folder into which the executable unpacks its native libraries and built-in model, once per version.
 *
 * It is chosen in this order: LECTERN_CACHE_DIR, $XDG_CACHE_HOME/lectern, ~/.cache/lectern, the caller's fallback. The
 * choice is kept in LECTERN_CACHE_DIR, where Workers and child processes find it. Each group of files lies in
 * `NAME-HASH/`, written under a temporary name and renamed, so that a folder with the final name is whole.
 */

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fail } from "../errors.ts";
import { embedded, type EmbeddedGroup } from "./embedded.ts";

const VARIABLE = "LECTERN_CACHE_DIR";

/**
 * Settles the cache folder for this process and those it starts; from source nothing is unpacked and nothing happens.
 *
 * @param options.directory the operator's choice; an unusable one is an error, never silently replaced
 * @param options.fallback used when neither the operator nor the environment names a usable folder (a service without
 *   a home); usually a folder in the data directory
 */
export function settleCacheDirectory(options: { directory?: string | null; fallback?: string | null } = {}): void {
  if (!embedded) return;
  const chosen = options.directory ?? process.env[VARIABLE];
  if (chosen) {
    prepare(chosen);
    process.env[VARIABLE] = chosen;
    return;
  }
  const candidates = [homeCache(), options.fallback ?? null].filter((one) => one !== null);
  let lastError: unknown = fail("OPERATION_FAILED", {
    reason: `There is no home directory to unpack Lectern's native libraries into. Set ${VARIABLE} to a folder of the service's own.`,
  });
  for (const candidate of candidates) {
    try {
      prepare(candidate);
      process.env[VARIABLE] = candidate;
      return;
    } catch (error) {
      lastError = error;
    }
  }
  throw lastError;
}

/**
 * The folder that holds a group's files, unpacked now if it is not there yet or not whole (sizes differ).
 * Throws OPERATION_FAILED with a sentence on how to mend it.
 */
export function unpackGroup(name: string): string {
  const group = embedded?.groups[name];
  if (!group) throw fail("OPERATION_FAILED", { reason: `This build of Lectern does not carry "${name}".` });
  if (!process.env[VARIABLE]) settleCacheDirectory();
  const root = process.env[VARIABLE] as string;
  const folder = join(root, `${name}-${group.hash}`);
  if (isWhole(folder, group)) return folder;
  try {
    unpackInto(root, folder, group);
  } catch (cause) {
    throw unusable(root, cause);
  }
  return folder;
}

function unpackInto(root: string, folder: string, group: EmbeddedGroup): void {
  const temporary = mkdtempSync(join(root, ".unpacking-"));
  try {
    for (const [name, file] of Object.entries(group.files)) {
      const bytes = Bun.zstdDecompressSync(readFileSync(file.path));
      if (bytes.length !== file.size) throw new Error(`${name} inside the executable is damaged`);
      writeFileSync(join(temporary, name), bytes, { mode: 0o500 });
    }
    // What carries the final name but is not whole was cut or changed by someone else: it is not ours to keep.
    rmSync(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    // Another process may have put its own, equal copy in place first.
    if (!isWhole(folder, group)) throw error;
  }
}

function isWhole(folder: string, group: EmbeddedGroup): boolean {
  return Object.entries(group.files).every(
    ([name, file]) => statSync(join(folder, name), { throwIfNoEntry: false })?.size === file.size,
  );
}

function homeCache(): string | null {
  if (process.env.XDG_CACHE_HOME) return join(process.env.XDG_CACHE_HOME, "lectern");
  const home = process.env.HOME || homedir();
  return home && home !== "/" ? join(home, ".cache", "lectern") : null;
}

/** Makes the folder, private to this user, and refuses one that others can write: code is loaded from it. */
function prepare(root: string): void {
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(root);
    const self = process.getuid?.() ?? uid;
    if (uid === self && (mode & 0o022) !== 0) chmodSync(root, mode & 0o755);
    else if (uid !== self && (uid !== 0 || (mode & 0o022) !== 0)) throw new Error("it belongs to or can be changed by another user");
  } catch (cause) {
    throw unusable(root, cause);
  }
}

function unusable(root: string, cause: unknown): Error {
  const reasons: Record<string, string> = {
    EROFS: "its file system is read-only",
    EACCES: "this user may not write there",
    EPERM: "this user may not write there",
    ENOSPC: "its file system is full",
    ENOTDIR: "it is not a folder",
    EEXIST: "it is not a folder",
  };
  const { code, message } = cause as NodeJS.ErrnoException;
  const reason = (code && reasons[code]) ?? message;
  return fail(
    "OPERATION_FAILED",
    { reason: `Lectern cannot unpack its native libraries into ${root}: ${reason}. Set ${VARIABLE} to another folder.` },
    undefined,
    cause,
  );
}
