/**
 * Which folder the executable unpacks its native libraries and built-in model into.
 *
 * In this order: the operator's choice, LECTERN_CACHE_DIR, $XDG_CACHE_HOME/lectern, ~/.cache/lectern, the caller's
 * fallback.
 */

import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fail } from "../foundation/errors.ts";

/** The variable that names the folder; Workers and child processes find the choice there. */
export const CACHE_VARIABLE = "LECTERN_CACHE_DIR";

/** In a folder's mode: everybody may write there, and remove only what is his own. */
const STICKY = 0o1000;

export interface CacheChoice {
  /** The operator's choice; an unusable one is an error, never silently replaced. */
  readonly directory?: string | null;
  /** Used when the environment names no usable folder (a service without a home); usually in the data directory. */
  readonly fallback?: string | null;
}

/**
 * Finds the first usable folder, makes it and returns it. Throws OPERATION_FAILED, with a sentence on how to mend it,
 * when none can be used. `onDistrust` is told of one that others could change; what had been unpacked there is removed.
 */
export function chooseCacheDirectory(
  choice: CacheChoice,
  environment: Readonly<Record<string, string | undefined>>,
  onDistrust: (reason: string) => void = () => {},
): string {
  const chosen = choice.directory ?? environment[CACHE_VARIABLE];
  if (chosen) return prepare(chosen, onDistrust);
  let problem: unknown = fail("OPERATION_FAILED", {
    reason: `There is no home directory to unpack Lectern's native libraries into. Set ${CACHE_VARIABLE} to a folder of the service's own.`,
  });
  for (const candidate of [homeCache(environment), choice.fallback]) {
    if (!candidate) continue;
    try {
      return prepare(candidate, onDistrust);
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

/**
 * Makes the folder, private to this user, and refuses one that others can change: code is loaded from it. One of this user's own that
 * was open to others is closed and emptied of what they may have changed; in one that is for everybody, like /tmp, a folder of this
 * user's own is taken.
 */
function prepare(folder: string, onDistrust: (reason: string) => void): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(folder);
    const othersMayWrite = (mode & 0o022) !== 0;
    const isOurs = uid === process.geteuid?.();
    if (othersMayWrite && (mode & STICKY) !== 0 && (isOurs || uid === 0)) return prepareOwn(folder);
    if ((!isOurs && uid !== 0) || (othersMayWrite && !isOurs)) throw unsafe();
    if (othersMayWrite) {
      chmodSync(folder, mode & 0o755);
      removeUnpacked(folder);
      onDistrust(`${folder} could be changed by other users`);
    }
    return folder;
  } catch (cause) {
    throw unusableCache(folder, cause);
  }
}

/** A private folder within one for everybody, where nobody can remove or rename what is another's. */
function prepareOwn(folder: string): string {
  const own = join(folder, `lectern-${process.geteuid?.()}`);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const found = lstatSync(own);
  if (!found.isDirectory() || found.uid !== process.geteuid?.() || (found.mode & 0o022) !== 0) throw unsafe();
  return own;
}

const unsafe = (): Error => new Error("it belongs to another user or can be changed by one");

/** Removes whatever bears the names that unpack.ts gives; nothing else, for the folder may hold more than ours. */
function removeUnpacked(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/^[a-z]+-[0-9a-f]{32}(-[0-9a-f]{8})?$|^\.unpacking-/.test(name)) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // Another user's, with something in it: no file of another user is ever loaded.
    }
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
    {
      reason: `Lectern cannot unpack its native libraries into ${folder}: ${reasons[code] ?? message}. Set ${CACHE_VARIABLE} to another folder.`,
    },
    undefined,
    cause,
  );
}
