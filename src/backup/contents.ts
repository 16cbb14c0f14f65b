/** What a data directory holds beside its databases and stored files, and what of it a backup leaves out. */
import { lstatSync, readdirSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import { ifThere } from "./if-there.ts";

/** With the reason why a restored server does without. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  // Copied page by page, or line by line, as of one moment.
  "lectern.db",
  "lectern.db-wal",
  "lectern.db-shm",
  "access.db",
  "access.db-wal",
  "access.db-shm",
  "access.changes",
  "files",
  // Of the running process, and of the machine it runs on.
  "lectern.lock",
  "server.json",
  "boot",
  "staging",
  "reserve",
  // What was damaged before a repair: it may hold what was deleted since.
  "before-repair",
  // Made again by itself: from the database in seconds, and from the executable.
  "indexes",
  "cache",
]);
const MODELS = "models";
/** Links may stand for what is large, a model or all of them, and nowhere else. */
const LINKS_FOLLOWED_TO_DEPTH = 2;

export interface Contents {
  /** Paths relative to the data directory. */
  readonly files: readonly string[];
  /** Names of models that were left out. */
  readonly modelsLeftOut: readonly string[];
  /** What is neither a file nor a folder, and was left out. */
  readonly strange: readonly string[];
}

export function otherContents(dataDirectory: string, withModels: boolean): Contents {
  const files: string[] = [];
  const strange: string[] = [];
  const visit = (path: string, depth: number): void => {
    const found = look(join(dataDirectory, path), depth);
    // Gone by now.
    if (found === undefined) return;
    if (found.isFile()) files.push(path);
    else if (found.isDirectory())
      for (const name of namesIn(join(dataDirectory, path))) visit(`${path}/${name}`, depth + 1);
    else strange.push(path);
  };
  for (const name of namesIn(dataDirectory)) if (!LEFT_OUT.has(name) && (withModels || name !== MODELS)) visit(name, 1);
  return { files, modelsLeftOut: withModels ? [] : namesIn(join(dataDirectory, MODELS)), strange };
}

function look(path: string, depth: number): Stats | undefined {
  return depth <= LINKS_FOLLOWED_TO_DEPTH
    ? statSync(path, { throwIfNoEntry: false })
    : lstatSync(path, { throwIfNoEntry: false });
}

/** Without what is only being written. */
function namesIn(folder: string): string[] {
  const names = ifThere(() => readdirSync(folder)) ?? [];
  return names.filter((name) => !name.endsWith(".partial"));
}
