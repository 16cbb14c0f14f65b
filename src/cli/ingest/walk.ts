/** Finds the files that `ingest` shall index, in the same order every time, and says what it leaves out. */
import type { Dirent } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { readIgnorePatterns, toIgnorePatterns, type IgnorePatterns } from "./ignore-patterns.ts";
import { readPathGlob, type PathGlob } from "./path-glob.ts";
import { systemReason } from "../system-error.ts";

export interface WalkOptions {
  /** A folder that is passed by: the data directory. */
  readonly passedBy: string;
  /** Patterns as `.gitignore` has them. Without any every file is taken, else what one of them names, or lies in a folder that one names. */
  readonly include: readonly string[];
  /** Patterns, which come before all in files. */
  readonly exclude: readonly string[];
}

export interface FoundFile {
  /** As it can be opened. */
  readonly path: string;
  /** From the folder that was named, or of a file that was named itself its name: "/" between names, NFC. */
  readonly relative: string;
}

/** Why an entry is left out: it is hidden, patterns say so, a folder of that name, a link out of the folder, a device or the like. */
export const LEFT_OUT = ["hidden", "patterns", "nodeModules", "outside", "notFiles"] as const;
export type LeftOut = (typeof LEFT_OUT)[number];

export type Finding =
  | { readonly file: FoundFile }
  | { readonly failure: { readonly path: string; readonly sentence: string } }
  | { readonly leftOut: LeftOut };

/** The file of patterns that holds for the folder it lies in and all below, as `.gitignore` does for git. */
export const IGNORE_FILE = ".lecternignore";

/**
 * Every file named by `paths`, every file in the folders named by them, and what matches those that are patterns themselves; of each
 * folder in the order of names (by code unit, NFC), what lies in a folder in its place.
 *
 * In folders: hidden entries and `node_modules` are left out, and what patterns say; a link is followed only to a place inside the
 * named folder; nothing is found twice. What is named itself is taken even when it is hidden or a link, unless `exclude` names it.
 */
export async function* walk(paths: readonly string[], options: WalkOptions): AsyncGenerator<Finding> {
  const shared: Shared = {
    passedBy: await realpath(options.passedBy).catch(() => options.passedBy),
    include: options.include.length === 0 ? null : toIgnorePatterns(options.include),
    exclude: toIgnorePatterns(options.exclude),
    seen: new Set(),
  };
  for (const path of paths) {
    try {
      yield* walkNamed(path, path, null, shared);
    } catch (error) {
      const glob = (error as NodeJS.ErrnoException).code === "ENOENT" ? readPathGlob(path) : null;
      if (glob === null) yield { failure: { path, sentence: sentenceOf(error) } };
      else yield* walkGlob(path, glob, shared);
    }
  }
}

interface Shared {
  readonly passedBy: string;
  readonly include: IgnorePatterns | null;
  readonly exclude: IgnorePatterns;
  /** Real paths of what was found and walked. */
  readonly seen: Set<string>;
}

/** A folder that is being walked. */
interface Folder {
  readonly path: string;
  readonly real: string;
  /** Its path from the named folder, with "/" at its end; empty for that itself. */
  readonly relative: string;
  /** Of its files of patterns, the nearest last, and the folder of each as `relative`. */
  readonly levels: readonly { readonly relative: string; readonly patterns: IgnorePatterns }[];
  /** Whether it, or what holds it, matches the pattern that was named as a path; and the patterns to include. */
  readonly matched: boolean;
  readonly included: boolean;
}

/** What does not change from one folder below a named one to the next. */
interface Named {
  readonly real: string;
  readonly glob: PathGlob | null;
  readonly shared: Shared;
}

interface Entry {
  readonly real: string;
  readonly kind: "file" | "folder" | "other";
}

/** What was found at a path that was named. Throws what the system throws when it is not there. */
async function* walkNamed(
  path: string,
  folder: string,
  glob: PathGlob | null,
  shared: Shared,
): AsyncGenerator<Finding> {
  const entry = await look(folder);
  const name = basename(entry.real).normalize("NFC");
  if (entry.kind === "folder") {
    const root = { path: folder, real: entry.real, relative: "", levels: [] };
    const named = { real: entry.real, glob, shared };
    yield* walkFolder({ ...root, matched: glob === null, included: false }, named);
  } else if (entry.kind === "other") {
    yield { failure: { path, sentence: "This is neither a file nor a folder." } };
  } else if (shared.exclude.judge(name, false) === "match" || !isIncluded(name, false, shared)) {
    yield { leftOut: "patterns" };
  } else if (!shared.seen.has(entry.real)) {
    shared.seen.add(entry.real);
    yield { file: { path, relative: basename(path).normalize("NFC") } };
  }
}

async function* walkGlob(path: string, glob: PathGlob, shared: Shared): AsyncGenerator<Finding> {
  let matches = false;
  try {
    for await (const finding of walkNamed(path, glob.folder, glob, shared)) {
      matches ||= "file" in finding;
      yield finding;
    }
  } catch (error) {
    yield { failure: { path, sentence: sentenceOf(error) } };
    return;
  }
  if (!matches) yield { failure: { path, sentence: "Nothing that is taken matches this pattern." } };
}

async function* walkFolder(folder: Folder, named: Named): AsyncGenerator<Finding> {
  const { seen, passedBy } = named.shared;
  if (seen.has(folder.real) || folder.real === passedBy) return;
  seen.add(folder.real);
  let entries: Dirent[];
  let inside: Folder;
  try {
    entries = await readdir(folder.path, { withFileTypes: true });
    inside = await withIgnoreFile(folder, entries);
  } catch (error) {
    yield { failure: { path: (error as NodeJS.ErrnoException).path ?? folder.path, sentence: sentenceOf(error) } };
    return;
  }
  const byName = entries
    .filter(({ name }) => name !== IGNORE_FILE)
    .map((entry) => ({ entry, name: entry.name.normalize("NFC") }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const { entry, name } of byName) yield* visit(entry, name, inside, named);
}

/** The folder with its own patterns. What cannot be read is thrown: without them too much would be taken. */
async function withIgnoreFile(folder: Folder, entries: readonly Dirent[]): Promise<Folder> {
  const own = entries.find(({ name }) => name === IGNORE_FILE);
  if (own === undefined || own.isDirectory()) return folder;
  const patterns = readIgnorePatterns(await readFile(join(folder.path, IGNORE_FILE), "utf8"));
  return { ...folder, levels: [...folder.levels, { relative: folder.relative, patterns }] };
}

async function* visit(dirent: Dirent, name: string, folder: Folder, named: Named): AsyncGenerator<Finding> {
  if (name.startsWith(".")) return yield { leftOut: "hidden" };
  const path = join(folder.path, dirent.name);
  let entry: Entry;
  try {
    entry = await lookInside(dirent, path, folder.real);
  } catch (error) {
    return yield { failure: { path, sentence: sentenceOf(error) } };
  }
  const isFolder = entry.kind === "folder";
  const relative = folder.relative + name;
  if (!isWithin(entry.real, named.real)) return yield { leftOut: "outside" };
  if (isFolder && name === "node_modules") return yield { leftOut: "nodeModules" };
  if (isOut(relative, isFolder, folder, named.shared)) return yield { leftOut: "patterns" };

  const { glob, shared } = named;
  const matched = folder.matched || glob!.matches(relative);
  const included = folder.included || isIncluded(relative, isFolder, shared);
  if (isFolder) {
    if (matched || glob!.mayMatchIn(relative))
      yield* walkFolder({ ...folder, path, real: entry.real, relative: `${relative}/`, matched, included }, named);
  } else if (!matched) return;
  else if (!included) yield { leftOut: "patterns" };
  else if (entry.kind === "other") yield { leftOut: "notFiles" };
  else if (!shared.seen.has(entry.real)) {
    shared.seen.add(entry.real);
    yield { file: { path, relative } };
  }
}

function isIncluded(relative: string, isFolder: boolean, { include }: Shared): boolean {
  return include === null || include.judge(relative, isFolder) === "match";
}

/** The first that has a verdict decides: the command line, then the nearest file of patterns. */
function isOut(relative: string, isFolder: boolean, { levels }: Folder, { exclude }: Shared): boolean {
  const given = exclude.judge(relative, isFolder);
  if (given !== null) return given === "match";
  for (const level of levels.toReversed()) {
    const verdict = level.patterns.judge(relative.slice(level.relative.length), isFolder);
    if (verdict !== null) return verdict === "match";
  }
  return false;
}

/** What an entry of a folder is, for a link what it leads to. */
async function lookInside(dirent: Dirent, path: string, realFolder: string): Promise<Entry> {
  if (dirent.isFile()) return { real: join(realFolder, dirent.name), kind: "file" };
  if (dirent.isDirectory()) return { real: join(realFolder, dirent.name), kind: "folder" };
  return look(path);
}

async function look(path: string): Promise<Entry> {
  const real = await realpath(path);
  const information = await stat(real);
  return { real, kind: information.isDirectory() ? "folder" : information.isFile() ? "file" : "other" };
}

const isWithin = (real: string, root: string): boolean =>
  real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);

function sentenceOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "There is no such file or folder.";
  if (code === "ELOOP") return "Its links lead in a circle.";
  const reason = systemReason(error);
  return reason === null ? message : `${reason[0]!.toUpperCase()}${reason.slice(1)}.`;
}
