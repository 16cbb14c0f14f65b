/** Where the bytes of uploaded files go, and what becomes of them when the upload fails. */
import type { NewStoredFile } from "../files/index.ts";
import type { StoredFile } from "../store/index.ts";
import type { Engines } from "./engines.ts";
import { removeStored, tellIndexes, type RemovalEngines } from "./remove.ts";

/** What is to be put into place. */
export interface ToPlace {
  readonly fileId: string;
  /** How its record beside the bytes is to say it. */
  readonly published: NewStoredFile;
}

export interface Placing {
  /** Whether the files are held back until all of them are indexed. */
  readonly holdsBack: boolean;
  /** Puts the bytes into place, durably. In order: their paths relative to the data directory. */
  place(files: readonly ToPlace[]): Promise<string[]>;
  /** Nothing of the files was stored. */
  abandon(fileIds: readonly string[]): Promise<void>;
  /** They were stored. */
  confirm(fileIds: readonly string[]): Promise<void>;
  /** Takes back what was stored. */
  takeBack(stored: StoredFile[]): Promise<unknown>;
}

/** Of an upload that is answered when it is indexed: bytes come out of staging, and go where it fails. */
export function fromStaging(engines: RemovalEngines, holdsBack: boolean): Placing {
  const { storage, store } = engines;
  return {
    holdsBack,
    place: (files) => storage.publish(files.map(({ published }) => published)),
    abandon: (fileIds) => storage.unlink(fileIds),
    async confirm(fileIds) {
      await storage.confirm(fileIds);
      // Whoever deleted one of them meanwhile may have looked for its bytes before they had their name.
      await storage.unlink(fileIds.filter((fileId) => store.fileById(fileId) === null));
    },
    takeBack: (stored) => removeStored(engines, stored),
  };
}

/** Of files that were accepted before: their bytes lie at `storagePath`, and stay there whatever comes. */
export function inPlace(engines: RemovalEngines, storagePath: string): Placing {
  return {
    holdsBack: true,
    place: async (files) => files.map(() => storagePath),
    abandon: async () => {},
    confirm: async () => {},
    takeBack: (stored) => withdrawStored(engines, stored),
  };
}

/** Deletes what is stored of files that are held back, and not their bytes: they are still to be read. */
export async function withdrawStored(
  engines: Pick<Engines, "store" | "models" | "clearing">,
  files: readonly StoredFile[],
): Promise<void> {
  if (files.length === 0) return;
  const isCleared = await engines.store.withdrawFiles(files.map(({ id }) => id));
  if (!isCleared) engines.clearing.lookAgain();
  await tellIndexes(engines, files);
}
