/** Read-only project files, by the same name from source and from inside the executable. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../foundation/errors.ts";
import { embedded } from "./embedded.ts";

/** The project's root; meaningful from source only. */
export const projectRoot = join(import.meta.dir, "../..");

/** True inside the built executable. */
export const isCompiled = embedded !== null;

/**
 * Bytes of a project file that the build embeds, such as `LICENSE`; the list is in scripts/executable/embedded-files.ts.
 * Throws OPERATION_FAILED when there is no such file.
 */
export function readAsset(name: string): Uint8Array {
  const path = embedded ? embedded.assets[name] : join(projectRoot, name);
  if (path === undefined)
    throw fail("OPERATION_FAILED", { reason: `This build of Lectern lacks its own file ${name}.` });
  try {
    return readFileSync(path);
  } catch (cause) {
    throw fail("OPERATION_FAILED", { reason: `Lectern's own file ${name} cannot be read.` }, undefined, cause);
  }
}

/** The same as text (UTF-8). */
export function readAssetText(name: string): string {
  return new TextDecoder().decode(readAsset(name));
}

/** Bytes of an embedded group's file as it is when it is unpacked; 0 for one that there is not. */
export function embeddedFileBytes(group: string, file: string): number {
  return embedded?.groups[group]?.files[file]?.size ?? 0;
}
