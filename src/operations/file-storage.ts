/**
 * The uploaded bytes on disk: received under `staging/`, kept as `files/<2 hex>/<fileId>`. A name from a client never
 * becomes a path.
 *
 * A file is put into place, durably, before the store learns of it, and taken away after the store has forgotten it;
 * so at any moment every stored file has its bytes, and what a crash leaves over is exactly what the store does not
 * know. Everything under `staging/` is garbage after a restart.
 */
import { constants } from "node:fs";
import { copyFile, mkdir, mkdtemp, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

const FILE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Bytes received for one file of an upload, not yet stored. */
export interface StagedFile {
  readonly path: string;
  /** The name the client gave, without folders. */
  readonly originalName: string;
  readonly declaredMimeType: string | null;
  /** Bytes. */
  readonly size: number;
}

export interface FileStorage {
  /** A new empty private folder for the files of one upload. */
  openStaging(): Promise<string>;
  /** Copies a local file into a staging folder: for the command line, which keeps its own files. */
  stage(directory: string, source: string): Promise<StagedFile>;
  discardStaging(directory: string): Promise<void>;
  /** Moves staged files into place and returns once they would survive a power loss. In order: path relative to the data directory. */
  publish(files: readonly { readonly path: string; readonly fileId: string }[]): Promise<string[]>;
  /** Removes stored bytes; ignores those already gone. */
  unlink(storagePaths: readonly string[]): Promise<void>;
  /** Absolute path of stored bytes. */
  resolve(storagePath: string): string;
  /** Empties `staging/`. Only before any upload has begun. */
  sweepStaging(): Promise<void>;
  /**
   * Removes stored bytes that `isKnown` does not know, and returns how many. Leaves files made at or after
   * `startedAt` alone (their ids tell), so it may run beside uploads.
   */
  sweepUnknown(isKnown: (fileId: string) => boolean, startedAt: number): Promise<number>;
}

/** Opens the folders of a data directory, making them when they are missing. */
export async function openFileStorage(dataDirectory: string): Promise<FileStorage> {
  const staging = join(dataDirectory, "staging");
  const files = join(dataDirectory, "files");
  await mkdir(staging, { recursive: true, mode: 0o700 });
  await makeShelves(files);

  return {
    openStaging: () => mkdtemp(join(staging, "upload-")),

    async stage(directory, source) {
      const path = join(directory, crypto.randomUUID());
      await copyFile(source, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      return { path, originalName: basename(source).toWellFormed(), declaredMimeType: null, size: (await stat(path)).size };
    },

    discardStaging: (directory) => rm(directory, { recursive: true, force: true }),

    async publish(staged) {
      const storagePaths = staged.map(({ fileId }) => storagePathOf(fileId));
      await Promise.all(staged.map(({ path }) => flush(path)));
      await Promise.all(staged.map(({ path }, index) => rename(path, join(dataDirectory, storagePaths[index]!))));
      await Promise.all([...new Set(storagePaths.map(dirname))].map((shelf) => flush(join(dataDirectory, shelf))));
      return storagePaths;
    },

    async unlink(storagePaths) {
      await Promise.all(storagePaths.map((path) => rm(join(dataDirectory, path), { force: true })));
    },

    resolve: (storagePath) => join(dataDirectory, storagePath),

    async sweepStaging() {
      const leftovers = await readdir(staging);
      await Promise.all(leftovers.map((name) => rm(join(staging, name), { recursive: true, force: true })));
    },

    async sweepUnknown(isKnown, startedAt) {
      let removed = 0;
      for (const shelf of await readdir(files)) {
        for (const name of await readdir(join(files, shelf))) {
          if (FILE_ID.test(name) && timeOfFileId(name) < startedAt && !isKnown(name)) {
            await rm(join(files, shelf, name), { force: true });
            removed++;
          }
        }
      }
      return removed;
    },
  };
}

/** A new file id: UUID version 7, so ids ascend with time. */
export function newFileId(): string {
  return Bun.randomUUIDv7();
}

/** Spread by the id's last, random digits: its first ones are the time and would fill one folder for weeks. */
function storagePathOf(fileId: string): string {
  return join("files", fileId.slice(-2), fileId);
}

function timeOfFileId(fileId: string): number {
  return Number.parseInt(fileId.slice(0, 8) + fileId.slice(9, 13), 16);
}

/** All 256 folders at once, so that no upload has to make one and flush its parent. */
async function makeShelves(files: string): Promise<void> {
  await mkdir(files, { recursive: true, mode: 0o700 });
  const present = new Set(await readdir(files));
  const missing = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, "0")).filter((name) => !present.has(name));
  if (missing.length === 0) return;
  await Promise.all(missing.map((name) => mkdir(join(files, name), { recursive: true, mode: 0o700 })));
  await flush(files);
}

/** fsync of a file or folder. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
