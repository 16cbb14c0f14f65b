/** Read-only project files, by the same name from source and from inside the executable. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../errors.ts";
import { embedded } from "./embedded.ts";

/** The project's root; meaningful from source only. */
export const projectRoot = join(import.meta.dir, "../..");

/** True inside the built executable. */
export const isCompiled = embedded !== null;

/**
 * Bytes of a project file that the build embeds, such as `drizzle/0000_start.sql`; the list is in scripts/build.ts.
 * Throws OPERATION_FAILED when there is no such file.
 */
export function readAsset(name: string): Uint8Array {
  const path = embedded ? embedded.assets[name] : join(projectRoot, name);
  if (path === undefined) throw fail("OPERATION_FAILED", { reason: `This build of Lectern lacks its own file ${name}.` });
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

/** Names of the embedded files below a folder such as `drizzle`, sorted; a folder that does not exist holds none. */
export function listAssets(folder: string): string[] {
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  if (embedded) return Object.keys(embedded.assets).filter((name) => name.startsWith(prefix)).sort();
  try {
    const entries = readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(projectRoot.length + 1))
      .sort();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw cause;
  }
}
