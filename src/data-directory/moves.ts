/**
 * Moves several things in a data directory so that either all of them are moved or, when the process ends amid it, the next repair or
 * restoration can take back those that were. Until then nothing else may work in the directory.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fail } from "../foundation/errors.ts";

/** Both relative to the data directory. What lies at `to` by then is written over where it is a file. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

const NOTE = "repair.unfinished";

/** Returns once all would survive a power loss. What is not there is passed over. */
export function moveAll(dataDirectory: string, moves: readonly Move[]): void {
  const present = moves.filter(({ from }) => isThere(join(dataDirectory, from)));
  if (present.length === 0) return;
  const note = join(dataDirectory, NOTE);
  writeWhole(note, JSON.stringify(present));
  flushFolder(dataDirectory);
  for (const { from, to } of present) move(join(dataDirectory, from), join(dataDirectory, to));
  for (const folder of new Set(present.flatMap(({ from, to }) => [dirname(from), dirname(to)])))
    flushFolder(join(dataDirectory, folder));
  rmSync(note);
  flushFolder(dataDirectory);
}

/** Whether moves were begun and not ended. */
export const hasUnfinishedMoves = (dataDirectory: string): boolean => existsSync(join(dataDirectory, NOTE));

/** Takes back those that were begun and not ended, the last one first. */
export function takeBackMoves(dataDirectory: string): void {
  const note = join(dataDirectory, NOTE);
  for (const { from, to } of readMoves(note).toReversed()) {
    const [source, target] = [join(dataDirectory, from), join(dataDirectory, to)];
    if (!isThere(source) && isThere(target)) move(target, source);
  }
  flushFolder(dataDirectory);
  rmSync(note, { force: true });
}

/** Throws OPERATION_FAILED while moves are begun and not ended: what is where is not settled. */
export function refuseUnfinishedMoves(dataDirectory: string): void {
  if (!hasUnfinishedMoves(dataDirectory)) return;
  throw fail("OPERATION_FAILED", {
    reason: `A repair of ${dataDirectory}, or restoring into it, was interrupted. Run \`lectern doctor --repair\` or \`lectern restore\` again: it takes back what was begun, and begins anew.`,
  });
}

/** None where the note was not written to its end: nothing was moved then. */
function readMoves(note: string): Move[] {
  try {
    return JSON.parse(readFileSync(note, "utf8")) as Move[];
  } catch {
    return [];
  }
}

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  renameSync(from, to);
}

const isThere = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A folder above it is a file.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return false;
    throw error;
  }
};

function writeWhole(path: string, text: string): void {
  const descriptor = openSync(path, "w", 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function flushFolder(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
