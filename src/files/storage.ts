/**
 * The folders of uploaded bytes: received under `staging/`, kept under `files/`, set aside in `lost+found/`.
 *
 * A file is put into place, durably, under a name that says "not confirmed"; gets its own name when the store has committed it, before
 * its upload is answered; and is taken away after its deletion was noted and the store shows it to nobody any more. So whatever is found
 * after a crash explains itself: what the store shows is whole, what is unconfirmed was never answered by this run of the machine, what
 * the store clears up or is on the list of deletions may go, and anything else is a document that a database has lost.
 */
import { constants } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { openDeletionList } from "./deletions.ts";
import { flush, writeDurably } from "./durable.ts";
import { hashFileAt } from "./hash.ts";
import type { FileStorage, SetAsideFile } from "./types.ts";
import { readRecord, writeRecord } from "./record.ts";
import { RECORD, shelves, surveyFiles, surveySetAside, UNCONFIRMED } from "./survey.ts";

/** Files worked on side by side. */
const AT_ONCE = 32;

/** Opens the folders of a data directory, making them when they are missing. */
export async function openFileStorage(dataDirectory: string): Promise<FileStorage> {
  const staging = join(dataDirectory, "staging");
  const files = join(dataDirectory, "files");
  const lostAndFound = join(dataDirectory, "lost+found");
  await mkdir(staging, { recursive: true, mode: 0o700 });
  await makeShelves(files);
  const deletionList = openDeletionList(dataDirectory);
  const placeOf = (fileId: string): string => join(dataDirectory, storagePathOf(fileId));
  const flushShelves = (fileIds: readonly string[]): Promise<unknown> =>
    Promise.all([...new Set(fileIds.map(shelfOf))].map((shelf) => flush(join(files, shelf))));

  return {
    openStaging: () => mkdtemp(join(staging, "upload-")),

    async stage(directory, source) {
      const path = join(directory, crypto.randomUUID());
      await copyFile(source, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      return {
        path,
        originalName: basename(source).toWellFormed(),
        declaredMimeType: null,
        ...(await hashFileAt(path)),
      };
    },

    discardStaging: (directory) => rm(directory, { recursive: true, force: true }),

    async sweepStaging() {
      const leftovers = await readdir(staging);
      await Promise.all(leftovers.map((name) => rm(join(staging, name), { recursive: true, force: true })));
    },

    async publish(published) {
      await Promise.all(
        published.map(async ({ path, record }) => {
          const place = placeOf(record.fileId);
          await Promise.all([flush(path), writeDurably(`${place}${RECORD}`, writeRecord(record))]);
          await rename(path, `${place}${UNCONFIRMED}`);
        }),
      );
      const fileIds = published.map(({ record }) => record.fileId);
      await flushShelves(fileIds);
      return fileIds.map(storagePathOf);
    },

    // Not flushed: what a power loss undoes, the next start does again.
    confirm: (fileIds) =>
      inGroups(fileIds, (fileId) => moveIfThere(`${placeOf(fileId)}${UNCONFIRMED}`, placeOf(fileId))),

    async addRecord(record) {
      const path = `${placeOf(record.fileId)}${RECORD}`;
      await writeDurably(`${path}.partial`, writeRecord(record));
      await rename(`${path}.partial`, path);
    },

    unlink: (fileIds) =>
      inGroups(fileIds, async (fileId) => {
        for (const ending of ["", UNCONFIRMED, RECORD])
          await rm(`${placeOf(fileId)}${ending}`, { recursive: true, force: true });
      }),

    resolve: (storagePath) => join(dataDirectory, storagePath),
    noteDeletions: (fileIds) => deletionList.add(fileIds),
    deletions: () => deletionList.read(),

    survey: () => surveyFiles(dataDirectory),

    async setAside(fileIds) {
      if (fileIds.length === 0) return;
      await mkdir(lostAndFound, { recursive: true, mode: 0o700 });
      await inGroups(fileIds, async (fileId) => {
        await moveIfThere(`${placeOf(fileId)}${RECORD}`, join(lostAndFound, `${fileId}${RECORD}`));
        await moveIfThere(`${placeOf(fileId)}${UNCONFIRMED}`, join(lostAndFound, fileId));
        await moveIfThere(placeOf(fileId), join(lostAndFound, fileId));
      });
      await flush(lostAndFound);
    },

    async putBack(fileIds) {
      await inGroups(fileIds, async (fileId) => {
        await moveIfThere(join(lostAndFound, `${fileId}${RECORD}`), `${placeOf(fileId)}${RECORD}`);
        await moveIfThere(join(lostAndFound, fileId), placeOf(fileId));
      });
      await flushShelves(fileIds);
    },

    async listSetAside() {
      const setAside: SetAsideFile[] = [];
      for (const fileId of await surveySetAside(dataDirectory)) {
        const text = await readFile(join(lostAndFound, `${fileId}${RECORD}`), "utf8").catch(() => "");
        setAside.push({ fileId, path: join(lostAndFound, fileId), record: readRecord(fileId, text) });
      }
      return setAside;
    },

    countSetAside: async () => (await surveySetAside(dataDirectory)).length,

    discardSetAside: (fileIds) =>
      inGroups(fileIds, async (fileId) => {
        for (const ending of ["", RECORD])
          await rm(join(lostAndFound, `${fileId}${ending}`), { recursive: true, force: true });
      }),
  };
}

/** A new file id: UUID version 7, so ids ascend with time. */
export function newFileId(): string {
  return Bun.randomUUIDv7();
}

const shelfOf = (fileId: string): string => fileId.slice(-2);

const storagePathOf = (fileId: string): string => join("files", shelfOf(fileId), fileId);

/** All 256 folders at once, so that no upload has to make one and flush its parent. */
async function makeShelves(files: string): Promise<void> {
  await mkdir(files, { recursive: true, mode: 0o700 });
  const present = new Set(await readdir(files));
  const missing = shelves.filter((name) => !present.has(name));
  if (missing.length === 0) return;
  await Promise.all(missing.map((name) => mkdir(join(files, name), { recursive: true, mode: 0o700 })));
  await flush(files);
}

async function moveIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

/** A few side by side. The first failure is thrown when all were tried. */
async function inGroups(fileIds: readonly string[], work: (fileId: string) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (let start = 0; start < fileIds.length; start += AT_ONCE)
    await Promise.all(
      fileIds.slice(start, start + AT_ONCE).map((fileId) => work(fileId).catch((error) => failures.push(error))),
    );
  if (failures.length > 0) throw failures[0];
}
