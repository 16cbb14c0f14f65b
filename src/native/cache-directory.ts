/**
 * Which folder the executable unpacks its native libraries and built-in model into.
 *
 * In this order: the operator's choice, LECTERN_CACHE_DIR, $XDG_CACHE_HOME/lectern, ~/.cache/lectern, the caller's
 * fallback.
 */

import { chmodSync, mkdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fail } from "../errors.ts";

/** The variable that names the folder; Workers and child processes find the choice there. */
export const CACHE_VARIABLE = "LECTERN_CACHE_DIR";

export interface CacheChoice {
  /** The operator's choice; an unusable one is an error, never silently replaced. */
  readonly directory?: string | null;
  /** Used when the environment names no usable folder (a service without a home); usually in the data directory. */
  readonly fallback?: string | null;
}

/**
 * Finds the first usable folder, makes it and returns it. Throws OPERATION_FAILED, with a sentence on how to mend it,
 * when none can be used.
 */
export function chooseCacheDirectory(choice: CacheChoice, environment: Readonly<Record<string, string | undefined>>): string {
  const chosen = choice.directory ?? environment[CACHE_VARIABLE];
  if (chosen) return prepare(chosen);
  let problem: unknown = fail("OPERATION_FAILED", {
    reason: `There is no home directory to unpack Lectern's native libraries into. Set ${CACHE_VARIABLE} to a folder of the service's own.`,
  });
  for (const candidate of [homeCache(environment), choice.fallback]) {
    if (!candidate) continue;
    try {
      return prepare(candidate);
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

function homeCache(environment: Readonly<Record<string, string | undefined>>): string | null {
  if (environment.XDG_CACHE_HOME) return join(environment.XDG_CACHE_HOME, "lectern");
  const home = environment.HOME ?? homedir();
  // "/" and "/nonexistent" are what accounts of services have in place of a home.
  return ["", "/", "/nonexistent"].includes(home) ? null : join(home, ".cache", "lectern");
}

/** Makes the folder, private to this user, and refuses one that others can change: code is loaded from it. */
function prepare(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(folder);
    const othersMayWrite = (mode & 0o022) !== 0;
    if (uid === process.getuid?.()) {
      if (othersMayWrite) chmodSync(folder, mode & 0o755);
    } else if (uid !== 0 || othersMayWrite) {
      throw new Error("it belongs to another user or can be changed by one");
    }
    return folder;
  } catch (cause) {
    throw unusableCache(folder, cause);
  }
}

const reasons: Readonly<Record<string, string>> = {
  EROFS: "its file system is read-only",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  ENOSPC: "its file system is full",
  ENOTDIR: "it is not a folder",
  EEXIST: "it is not a folder",
};

/** The sentence for a cache folder that cannot be used. */
export function unusableCache(folder: string, cause: unknown): Error {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  return fail(
    "OPERATION_FAILED",
    { reason: `Lectern cannot unpack its native libraries into ${folder}: ${reasons[code] ?? message}. Set ${CACHE_VARIABLE} to another folder.` },
    undefined,
    cause,
  );
}
