/** Opens native addons: from `node_modules` when run from source, from the unpacked cache inside the executable. */

import { createRequire } from "node:module";
import { join } from "node:path";
import { fail } from "../foundation/errors.ts";
import { embedded } from "./embedded.ts";
import { embeddedGroupFolder } from "./unpack.ts";
import { projectRoot } from "./assets.ts";
import { nativeGroups, type NativeGroupName } from "./groups.ts";

const requireAddon = createRequire(import.meta.url);

/**
 * Loads the addon of a group (src/native/groups.ts) and returns its exports.
 * Throws OPERATION_FAILED, with a sentence on how to mend it, when the system refuses to load it.
 */
export function loadAddon(name: NativeGroupName): unknown {
  const folder = libraryFolder(name);
  try {
    return requireAddon(join(folder, nativeGroups[name].addon(process.arch)));
  } catch (cause) {
    throw fail("OPERATION_FAILED", { reason: loadFailure(name, folder, cause) }, undefined, cause);
  }
}

/** The folder that holds a group's files, for packages that open them themselves; unpacked now if it is not there yet. */
export function libraryFolder(name: NativeGroupName): string {
  return embedded ? embeddedGroupFolder(name) : sourceFolder(name);
}

function sourceFolder(name: NativeGroupName): string {
  return join(projectRoot, "node_modules", nativeGroups[name].folder(process.arch));
}

function loadFailure(name: string, folder: string, cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (/failed to map segment|Operation not permitted/i.test(message)) {
    return `The library ${name} in ${folder} may not be executed: the file system is mounted noexec. Set LECTERN_CACHE_DIR to a folder where programs may run.`;
  }
  if (/GLIBC|libstdc\+\+|libgcc_s/.test(message)) {
    return `The library ${name} needs glibc 2.34 or newer, libstdc++.so.6 and libgcc_s.so.1 on this machine: ${message}`;
  }
  return `The library ${name} in ${folder} cannot be loaded: ${message}`;
}
