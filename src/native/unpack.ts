/**
 * Unpacks groups of embedded files into the cache folder, once per version.
 *
 * A group lies in `NAME-HASH/`, or in `NAME-HASH-RANDOM/` where something else has that name and cannot be removed. It is written
 * under a temporary name and renamed, so that a folder with a final name is whole, and several processes may unpack the same
 * group at once. What is found there is used only when it can be trusted (trust.ts); what cannot is unpacked anew.
 */

import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../foundation/errors.ts";
import { CACHE_VARIABLE, chooseCacheDirectory, unusableCache, type CacheChoice } from "./cache-directory.ts";
import { embedded, type EmbeddedGroup } from "./embedded.ts";
import { isOnDemand } from "./groups.ts";
import { ownCommand } from "./own-command.ts";
import { distrustOf, recordFiles, sha256 } from "./trust.ts";

/** How what lies in the cache is looked at. */
export interface CacheCheck {
  /** Told what is not trusted, and why; it is unpacked anew. */
  readonly onDistrust?: (reason: string) => void;
  /** Hash every file, also those that were found right before and have not changed since. */
  readonly everyByte?: boolean;
}

/**
 * Settles the cache folder for this process, its Workers and its children, and sees that everything but
 * the groups on demand is unpacked there.
 * From source nothing is ever unpacked, and nothing happens. Throws OPERATION_FAILED when no folder can be used.
 *
 * Unpacking touches a hundred megabytes that a server would keep for its lifetime; a child process gives them back. If
 * the child fails, the first use of a group unpacks it here, and says what is wrong.
 */
export function settleCacheDirectory(choice: CacheChoice = {}, check: CacheCheck = {}): void {
  if (!embedded) return;
  const root = chooseCacheDirectory(choice, process.env, check.onDistrust);
  process.env[CACHE_VARIABLE] = root;
  const missing = Object.entries(embedded.groups).filter(
    ([name, group]) => trustedFolder(root, name, group, check) === null && !isOnDemand(name),
  );
  if (missing.length > 0)
    Bun.spawnSync(ownCommand("--role=unpack"), { env: process.env, stdio: ["ignore", "ignore", "ignore"] });
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

/** Unpacks a group below `root` unless it lies there and can be trusted, and returns its folder. */
export function unpackGroup(root: string, name: string, group: EmbeddedGroup, check: CacheCheck = {}): string {
  try {
    return trustedFolder(root, name, group, check) ?? unpackInto(root, name, group);
  } catch (cause) {
    throw unusableCache(root, cause);
  }
}

/** The folder where the group lies and can be trusted; null when there is none. What cannot be trusted is told, and removed. */
function trustedFolder(
  root: string,
  name: string,
  group: EmbeddedGroup,
  { onDistrust = () => {}, everyByte = false }: CacheCheck = {},
): string | null {
  const plain = `${name}-${group.hash}`;
  for (const entry of readdirSync(root).sort()) {
    if (entry !== plain && !entry.startsWith(`${plain}-`)) continue;
    const folder = join(root, entry);
    const reason = distrustOf(folder, group, everyByte);
    if (reason === null) return folder;
    onDistrust(reason);
    discard(folder);
  }
  return null;
}

function unpackInto(root: string, name: string, group: EmbeddedGroup): string {
  const temporary = mkdtempSync(join(root, ".unpacking-"));
  try {
    for (const [file, { path, size, sha256: expected }] of Object.entries(group.files)) {
      const bytes = Bun.zstdDecompressSync(readFileSync(path));
      if (bytes.length !== size || sha256(bytes) !== expected)
        throw new Error(`${file} inside the executable is damaged`);
      writeFileSync(join(temporary, file), bytes, { mode: 0o500 });
    }
    recordFiles(temporary, group);
    return moveIntoPlace(temporary, root, name, group);
  } catch (error) {
    discard(temporary);
    throw error;
  }
}

function moveIntoPlace(temporary: string, root: string, name: string, group: EmbeddedGroup): string {
  const plain = join(root, `${name}-${group.hash}`);
  try {
    renameSync(temporary, plain);
    return plain;
  } catch {
    // Another process has put its own, equal copy there first, or it is what cannot be trusted and could not be removed.
    const theirs = trustedFolder(root, name, group);
    if (theirs !== null) {
      discard(temporary);
      return theirs;
    }
    const other = `${plain}-${crypto.randomUUID().slice(0, 8)}`;
    renameSync(temporary, other);
    return other;
  }
}

function discard(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another user's, with something in it: it stays, and is not used.
  }
}
