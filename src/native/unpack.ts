/**
 * Unpacks groups of embedded files into the cache folder, once per version.
 *
 * A group lies in `NAME-HASH/`. It is written under a temporary name and renamed, so that a folder with the final name
 * is whole, and several processes may unpack the same group at once.
 */

import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../errors.ts";
import { CACHE_VARIABLE, chooseCacheDirectory, unusableCache, type CacheChoice } from "./cache-directory.ts";
import { embedded, type EmbeddedGroup } from "./embedded.ts";
import { isOnDemand } from "./groups.ts";
import { ownCommand } from "./own-command.ts";

/**
 * Settles the cache folder for this process, its Workers and its children, and sees that everything but
 * the groups on demand is unpacked there.
 * From source nothing is ever unpacked, and nothing happens. Throws OPERATION_FAILED when no folder can be used.
 *
 * Unpacking touches a hundred megabytes that a server would keep for its lifetime; a child process gives them back. If
 * the child fails, the first use of a group unpacks it here, and says what is wrong.
 */
export function settleCacheDirectory(choice: CacheChoice = {}): void {
  if (!embedded) return;
  const root = chooseCacheDirectory(choice, process.env);
  process.env[CACHE_VARIABLE] = root;
  const isComplete = Object.entries(embedded.groups).every(([name, group]) => isOnDemand(name) || isWhole(groupFolder(root, name, group), group));
  if (!isComplete) Bun.spawnSync(ownCommand("--role=unpack"), { env: process.env, stdio: ["ignore", "ignore", "ignore"] });
}

/** The child's side of `settleCacheDirectory`: unpacks every group but those on demand into the folder that the parent settled. */
export function unpackEverything(): void {
  for (const name of Object.keys(embedded?.groups ?? {})) if (!isOnDemand(name)) embeddedGroupFolder(name);
}

/**
 * The folder that holds an embedded group's files, unpacked now if it is not there yet.
 * Throws OPERATION_FAILED, with a sentence on how to mend it, when that is impossible.
 */
export function embeddedGroupFolder(name: string): string {
  const group = embedded?.groups[name];
  if (!group) throw fail("OPERATION_FAILED", { reason: `This build of Lectern does not carry "${name}".` });
  if (!process.env[CACHE_VARIABLE]) settleCacheDirectory();
  return unpackGroup(process.env[CACHE_VARIABLE] as string, name, group);
}

function groupFolder(root: string, name: string, group: EmbeddedGroup): string {
  return join(root, `${name}-${group.hash}`);
}

/** Unpacks a group below `root` unless it lies there whole (every file of the right size), and returns its folder. */
export function unpackGroup(root: string, name: string, group: EmbeddedGroup): string {
  const folder = groupFolder(root, name, group);
  if (isWhole(folder, group)) return folder;
  try {
    unpackInto(root, folder, group);
  } catch (cause) {
    throw unusableCache(root, cause);
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
    // What carries the final name but is not whole was cut short by someone else: it is of no use to anybody.
    if (!isWhole(folder, group)) rmSync(folder, { recursive: true, force: true });
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
