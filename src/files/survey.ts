/** What lies on disk, read without changing anything: also for whoever looks on from another process. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FilesOnDisk } from "./types.ts";
import { FILE_ID } from "./record.ts";

/** A file of an upload that the store has not committed yet ends so, */
export const UNCONFIRMED = ".new";
/** and a record so. */
export const RECORD = ".json";

const ID_LENGTH = 36;

/** Folders of `files/`: by the ids' last, random digits, since their first ones are the time and would fill one folder for weeks. */
export const shelves: readonly string[] = Array.from({ length: 256 }, (_, index) =>
  index.toString(16).padStart(2, "0"),
);

/** Looks at every folder of `files/`. What runs beside it may or may not be seen. */
export async function surveyFiles(dataDirectory: string): Promise<FilesOnDisk> {
  const [stored, unconfirmed, recorded] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const shelf of shelves) {
    for (const name of await namesIn(join(dataDirectory, "files", shelf))) {
      const fileId = name.slice(0, ID_LENGTH);
      if (!FILE_ID.test(fileId)) continue;
      const ending = name.slice(ID_LENGTH);
      if (ending === "") stored.add(fileId);
      else if (ending === UNCONFIRMED) unconfirmed.add(fileId);
      else if (ending === RECORD) recorded.add(fileId);
    }
  }
  return { stored, unconfirmed, recorded };
}

/** Ids of the files in `lost+found/`, oldest first. */
export async function surveySetAside(dataDirectory: string): Promise<string[]> {
  return (await namesIn(join(dataDirectory, "lost+found"))).filter((name) => FILE_ID.test(name)).sort();
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}
