/** Sample data for the store's tests: a store in a folder of its own, and files with as many chunks as asked. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type NewFile, type Store, type StoredFile, type StoreOptions } from "../../src/store/index.ts";

export const DIMENSIONS = 4;

/** A new folder that `cleanUp` removes. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "lectern-test-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An empty store that `cleanUp` closes. */
export async function emptyStore(
  options: Partial<StoreOptions> = {},
): Promise<{ store: Store; dataDirectory: string }> {
  const dataDirectory = options.dataDirectory ?? temporaryFolder();
  const store = await openStore({ ...options, dataDirectory });
  cleanups.push(() => store.close());
  return { store, dataDirectory };
}

export function sampleFile(values: Partial<NewFile> & { chunkCount?: number } = {}): NewFile {
  const { chunkCount = 2, ...given } = values;
  return {
    fileId: Bun.randomUUIDv7(),
    originalName: "letter.txt",
    storagePath: "files/ab/cd",
    mimeType: "text/plain",
    size: 12,
    sha256: "0".repeat(64),
    loaderId: "text",
    extension: "txt",
    extraMeta: null,
    chunkSize: 300,
    chunkOverlap: 20,
    chunks: Array.from({ length: chunkCount }, (_, index) => `passage ${index}`),
    vectors: Array.from({ length: chunkCount }, (_, index) => unitVector(index)),
    terms: Array.from({ length: chunkCount }, (_, index) => Uint32Array.of(7, 1000 + index)),
    ...given,
  };
}

/** A unit vector along one axis: exact in half precision. */
export function unitVector(axis: number): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  vector[axis % DIMENSIONS] = 1;
  return vector;
}

/** Adds files to one dataset of one customer. */
export function add(
  store: Store,
  files: NewFile[],
  into: { customerId?: string; datasetName?: string; modelId?: string; chargeId?: string } = {},
) {
  return store.addFiles({
    customerId: "acme",
    datasetName: "letters",
    modelId: "model@1",
    chargeId: null,
    ...into,
    files,
  });
}

/** Deletes a file of whatever length to its last row. */
export async function deleteWhole(store: Store, { id }: StoredFile): Promise<void> {
  await store.deleteFiles({ fileRows: [id] });
  while (await store.clearFiles([id], 256));
}

/** All files of a customer. */
export function filesOfCustomer(store: Store, customerId: string): StoredFile[] {
  return store.datasetsWithFiles(customerId, 1_000_000).flatMap(({ id }) => store.filesOfDataset(id));
}

/** What a promise is rejected with. (`expect().rejects` waits in an event loop of its own, in which a worker's next messages are lost.) */
export function refusal(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error("It was not refused.");
    },
    (error: unknown) => error,
  );
}

const cleanups: (() => unknown)[] = [];

/** Undoes what this file has opened and made; for `afterEach`. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}
