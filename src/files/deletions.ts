/**
 * The list of deleted files, `files/deletions`: a line with the time and the id of each, written before the database forgets it.
 *
 * It tells bytes that a crash left behind a deletion, which may go, from bytes that a lost or older database does not know, which
 * must stay; and an older database that is put back cannot bring deleted files back. The newest entries are kept.
 */
import { readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withReserveAsync } from "../store/reserve-file.ts";
import { flush, writeDurably } from "./durable.ts";
import { FILE_ID } from "./record.ts";

/** A longer list, some 8 MB, is cut to its newer half. */
const MOST_ENTRIES = 130_000;
const ENTRIES_AT_ONCE = 1000;

export interface DeletionList {
  /** Returns once the entries would survive a power loss. Uses the disk's reserve where it is full; throws INSUFFICIENT_STORAGE without any. */
  add(fileIds: readonly string[]): Promise<void>;
  /** Every id on the list, which is shortened where it has become long. */
  read(): Promise<ReadonlySet<string>>;
}

export function openDeletionList(dataDirectory: string): DeletionList {
  const path = pathIn(dataDirectory);
  let isNew = true;
  return {
    async add(fileIds) {
      const time = new Date().toISOString();
      await withReserveAsync(dataDirectory, () => writeDurably(path, entriesOf(fileIds, time), "a"));
      if (isNew) await flush(dirname(path));
      isNew = false;
    },

    async read() {
      const lines = await readLines(path);
      if (lines.length > MOST_ENTRIES) await writeList(path, lines.slice(lines.length / 2));
      return new Set(lines.map(idOf));
    },
  };
}

/** In pieces, so that none of many thousands takes long. A line of its own begins each entry: one cut short by a crash spoils none behind it. */
function* entriesOf(fileIds: readonly string[], time: string): Generator<string> {
  for (let start = 0; start < fileIds.length; start += ENTRIES_AT_ONCE)
    yield fileIds
      .slice(start, start + ENTRIES_AT_ONCE)
      .map((fileId) => `\n${time} ${fileId}`)
      .join("");
}

/** Every id on the list of a data directory, read without changing anything. Lines that are not whole are passed over. */
export async function readDeletions(dataDirectory: string): Promise<ReadonlySet<string>> {
  return new Set((await readLines(pathIn(dataDirectory))).map(idOf));
}

const pathIn = (dataDirectory: string): string => join(dataDirectory, "files", "deletions");

async function readLines(path: string): Promise<string[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text.split("\n").filter((line) => FILE_ID.test(idOf(line)));
}

async function writeList(path: string, lines: readonly string[]): Promise<void> {
  await writeDurably(`${path}.partial`, lines.map((line) => `\n${line}`).join(""));
  await rename(`${path}.partial`, path);
  await flush(dirname(path));
}

const idOf = (line: string): string => line.slice(line.indexOf(" ") + 1);
