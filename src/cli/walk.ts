/** Finds the files that `ingest` shall index, in the same order every time. */
import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";

export interface FoundFiles {
  /** Paths as they can be opened, in the order of their names, folder by folder. */
  files: string[];
  /** What could not be looked at, with the reason. */
  failures: { path: string; sentence: string }[];
}

/**
 * Every file named by `paths` and every file in the folders named by them.
 *
 * In folders: hidden entries are skipped, a link is followed only to a place inside the named folder, nothing is found
 * twice, and `excluded` (the data directory) is left out. What is named itself is taken even when hidden or a link.
 */
export async function findFiles(paths: readonly string[], excluded: string): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], failures: [] };
  const seen = new Set<string>();
  const excludedPath = await realpath(excluded).catch(() => excluded);
  for (const path of paths) {
    try {
      const real = await realpath(path);
      const information = await stat(real);
      if (information.isDirectory()) await walk(path, real, { root: real, excludedPath, seen, found });
      else if (!information.isFile()) found.failures.push({ path, sentence: "This is neither a file nor a folder." });
      else if (!seen.has(real)) {
        seen.add(real);
        found.files.push(path);
      }
    } catch (error) {
      found.failures.push({ path, sentence: sentenceOf(error) });
    }
  }
  return found;
}

interface Walk {
  root: string;
  excludedPath: string;
  seen: Set<string>;
  found: FoundFiles;
}

async function walk(folder: string, real: string, state: Walk): Promise<void> {
  if (state.seen.has(real) || real === state.excludedPath) return;
  state.seen.add(real);
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    state.found.failures.push({ path: folder, sentence: sentenceOf(error) });
    return;
  }
  // By code unit, not by locale: the same order on every machine.
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const entry of entries) {
    if (!entry.name.startsWith(".")) await visit(join(folder, entry.name), state);
  }
}

async function visit(path: string, state: Walk): Promise<void> {
  try {
    const real = await realpath(path);
    if (real !== state.root && !real.startsWith(state.root.endsWith(sep) ? state.root : state.root + sep)) return;
    const information = await stat(real);
    if (information.isDirectory()) return await walk(path, real, state);
    if (!information.isFile() || state.seen.has(real)) return;
    state.seen.add(real);
    state.found.files.push(path);
  } catch (error) {
    state.found.failures.push({ path, sentence: sentenceOf(error) });
  }
}

function sentenceOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "There is no such file or folder.";
  if (code === "EACCES" || code === "EPERM") return "This user may not read it.";
  if (code === "ELOOP") return "Its links lead in a circle.";
  return message;
}
