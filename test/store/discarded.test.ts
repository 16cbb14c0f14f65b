/** Deletions of more than one short transaction can remove: found by nobody at once, removed in steps, and consistent in between. */
import { afterEach, describe, expect, test } from "bun:test";
import { documentFaults } from "../../src/cli/doctor/consistency.ts";
import { documentsDatabasePath, openReading } from "../../src/store/database.ts";
import { openTermReader, openVectorReader, type Store } from "../../src/store/index.ts";
import { add, cleanUp, DIMENSIONS, emptyStore, sampleFile, unitVector } from "./samples.ts";
import { leaveWithoutDiscarded } from "./earlier-schemas.ts";

afterEach(cleanUp);

const TABLES = ["files", "chunks", "vectors", "chunkTokens", "fileAttributes", "discardedDatasets"] as const;

/** Rows of each table. */
function rowsOf(dataDirectory: string): Record<(typeof TABLES)[number], number> {
  using database = openReading(documentsDatabasePath(dataDirectory));
  const count = (table: string): number =>
    database.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${table}`).get()!.rows;
  return Object.fromEntries(TABLES.map((table) => [table, count(table)])) as ReturnType<typeof rowsOf>;
}

function faultsOf(dataDirectory: string): string[] {
  using database = openReading(documentsDatabasePath(dataDirectory));
  return documentFaults(database);
}

const manyFiles = (count: number) =>
  Array.from({ length: count }, (_, index) => sampleFile({ extraMeta: { index }, originalName: `${index}.txt` }));

/** Notes and clears up what is discarded, in steps of so many chunks. Returns how many it took. */
async function clearAll(store: Store, limit: number, afterStep: () => void = () => {}): Promise<number> {
  let steps = 0;
  for (const { id } of store.discardedDatasets()) {
    await store.noteDiscarded([id]);
    const rows = store.discardedFiles(id).map((file) => file.id);
    for (let more = true; more; steps++) {
      more = await store.clearFiles(rows, limit);
      afterStep();
    }
  }
  return steps;
}

describe("the files of a whole dataset", () => {
  test("are found by no read once they are discarded, while their rows are there", async () => {
    const { store, dataDirectory } = await emptyStore();
    const { datasetId, files } = await add(store, manyFiles(5), { chargeId: "charge" });
    const before = rowsOf(dataDirectory);
    const old = store.dataset("acme", "letters")!;
    await store.beginReembedding(datasetId, "model@2");
    const discarded = await store.discardDatasets("acme", "letters");

    expect(discarded).toEqual([{ id: datasetId, name: "letters", generations: [0, 1] }]);
    expect(rowsOf(dataDirectory)).toEqual({ ...before, discardedDatasets: 1 });
    const dataset = store.dataset("acme", "letters")!;
    expect(dataset).toEqual({ ...old, id: expect.any(Number), fileCount: 0, chunkCount: 0 });
    expect(dataset.id).toBeGreaterThan(datasetId);
    const [file] = files;
    expect([
      store.file("acme", file!.fileId),
      store.fileById(file!.fileId),
      store.filesOfDataset(datasetId),
      store.filesOfDataset(dataset.id),
      store.filesOfCharge("charge"),
      [...store.chunks([1, 2, 3])],
      await store.matching(dataset, []),
      store.textsAfter(datasetId, { fileRow: 0, chunkId: 0 }, 9),
      store.reembeddings(),
      [...store.fileIds()],
      store.datasetsWithFiles("acme", 9),
    ]).toEqual([null, null, [], [], [], [], [], [], [], [], []]);
    expect(store.statistics()).toEqual({ datasets: 1, files: 0, chunks: 0 });
    expect(store.discardedFileIds()).toEqual(new Set(files.map(({ fileId }) => fileId)));
    expect(store.discardedFiles(datasetId)).toEqual(files.toReversed());
    const [vectors, terms] = [
      openVectorReader({ dataDirectory, dimensions: DIMENSIONS }),
      openTermReader({ dataDirectory }),
    ];
    expect([vectors.ranges(datasetId), vectors.page(datasetId, 0, 9).chunkIds, terms.ranges(datasetId)]).toEqual([
      [],
      [],
      [],
    ]);
    vectors.close();
    terms.close();
  });

  test("are removed in steps, none longer than told, and nothing disagrees in between", async () => {
    const { store, dataDirectory } = await emptyStore();
    const { files } = await add(store, [...manyFiles(20), sampleFile({ chunkCount: 70, extraMeta: { long: true } })]);
    await add(store, manyFiles(2), { datasetName: "kept" });
    await store.discardDatasets("acme", "letters");
    let chunks = rowsOf(dataDirectory).chunks;
    const steps = await clearAll(store, 16, () => {
      const left = rowsOf(dataDirectory).chunks;
      expect(chunks - left).toBeLessThanOrEqual(16);
      expect(faultsOf(dataDirectory)).toEqual([]);
      chunks = left;
    });
    expect(steps).toBeGreaterThan(files.length / 16);
    expect(rowsOf(dataDirectory)).toEqual({
      files: 2,
      chunks: 4,
      vectors: 4,
      chunkTokens: 4,
      fileAttributes: 2,
      discardedDatasets: 0,
    });
  });

  test("make room for new ones of the same name at once, by whatever model, and those stay", async () => {
    const { store, dataDirectory } = await emptyStore();
    await add(store, manyFiles(4));
    await store.discardDatasets("acme", "letters");
    const { files, generation, datasetId } = await add(store, [sampleFile({ extraMeta: { index: 2 } })], {
      modelId: "model@2",
    });
    expect(store.filesOfDataset(datasetId)).toEqual(files);
    const dataset = store.dataset("acme", "letters")!;
    expect(dataset).toMatchObject({ modelId: "model@2", generation, fileCount: 1, chunkCount: 2 });
    const chunks = await store.matching(dataset, [{ key: "index", value: 2 }]);
    await clearAll(store, 3);
    expect(await store.matching(dataset, [{ key: "index", value: 2 }])).toEqual(chunks);
    expect(store.filesOfDataset(datasetId)).toEqual(files);
    expect(store.discardedDatasets()).toEqual([]);
    expect(faultsOf(dataDirectory)).toEqual([]);
  });

  test("lose what every generation holds of them", async () => {
    const { store, dataDirectory } = await emptyStore();
    const { datasetId } = await add(store, manyFiles(3));
    const begun = (await store.beginReembedding(datasetId, "model@2"))!;
    const embed = (chunkIds: number[]) =>
      store.addEmbeddings({
        datasetId,
        generation: begun.generation,
        chunkIds,
        vectors: chunkIds.map(unitVector),
        terms: chunkIds.map((id) => Uint32Array.of(id)),
      });
    await embed([1, 2, 3]);
    expect(rowsOf(dataDirectory).vectors).toBe(9);
    await store.discardDatasets("acme", "letters");
    // Of the step that was under way.
    await embed([4, 5, 6]);
    expect(await store.switchGeneration(datasetId, begun.generation)).toBe(false);
    await clearAll(store, 2);
    expect(rowsOf(dataDirectory)).toEqual({
      files: 0,
      chunks: 0,
      vectors: 0,
      chunkTokens: 0,
      fileAttributes: 0,
      discardedDatasets: 0,
    });
  });

  test("of all datasets of a customer go together, and nobody else's; then the customer can be forgotten", async () => {
    const { store, dataDirectory } = await emptyStore();
    const names = Array.from({ length: 300 }, (_, index) => `dataset ${index}`);
    for (const datasetName of names) await add(store, [sampleFile()], { datasetName });
    await add(store, [sampleFile()], { customerId: "other" });
    const discarded = await store.discardDatasets("acme", null);
    expect(discarded.map(({ name }) => name).sort()).toEqual(names.toSorted());
    expect(store.statistics()).toEqual({ datasets: 301, files: 1, chunks: 2 });
    expect(await store.discardDatasets("acme", null)).toEqual([]);
    expect(await store.forgetCustomer("acme")).toBe(true);
    expect(store.datasets().map(({ customerId }) => customerId)).toEqual(["other"]);
    await clearAll(store, 256);
    expect(rowsOf(dataDirectory)).toMatchObject({ files: 1, chunks: 2, vectors: 2, discardedDatasets: 0 });
  });

  test("are kept until they are noted as deleted, which is remembered", async () => {
    const { store, dataDirectory } = await emptyStore();
    const { datasetId, files } = await add(store, manyFiles(2));
    await store.discardDatasets("acme", "letters");
    expect(store.discardedDatasets()).toEqual([{ id: datasetId, isNoted: false }]);
    const rows = files.map(({ id }) => id);
    expect([await store.clearFiles(rows, 256), store.discardedFiles(datasetId).length]).toEqual([false, 2]);
    await store.noteDiscarded([datasetId]);
    await store.close();
    const again = await emptyStore({ dataDirectory });
    expect(again.store.discardedDatasets()).toEqual([{ id: datasetId, isNoted: true }]);
  });
});

describe("a file too long for one step", () => {
  test("is found by no read once it is deleted, and removed in steps", async () => {
    const { store, dataDirectory } = await emptyStore();
    const { files, datasetId } = await add(store, [
      sampleFile({ chunkCount: 1000, extraMeta: { kind: "long" } }),
      sampleFile(),
    ]);
    expect(await store.deleteFiles({ fileRows: files.map(({ id }) => id) })).toBe(false);
    expect(store.statistics()).toEqual({ datasets: 1, files: 0, chunks: 0 });
    expect([store.fileById(files[0]!.fileId), store.filesOfDataset(datasetId), [...store.chunks([1, 1000])]]).toEqual([
      null,
      [],
      [],
    ]);
    expect(rowsOf(dataDirectory)).toMatchObject({ files: 1, chunks: 1000, fileAttributes: 0 });
    expect(faultsOf(dataDirectory)).toEqual([]);
    expect(store.discardedDatasets()).toEqual([{ id: 0, isNoted: true }]);
    expect(await clearAll(store, 256)).toBe(4);
    expect(rowsOf(dataDirectory)).toMatchObject({ files: 0, chunks: 0, vectors: 0, discardedDatasets: 0 });
  });

  test("is not embedded anew any more", async () => {
    const { store, dataDirectory } = await emptyStore();
    const { files, datasetId } = await add(store, [sampleFile({ chunkCount: 300 }), sampleFile()]);
    const { generation } = (await store.beginReembedding(datasetId, "model@2"))!;
    await store.deleteFiles({ fileRows: [files[0]!.id] });
    await store.addEmbeddings({
      datasetId,
      generation,
      chunkIds: [299, 300, 301],
      vectors: [0, 1, 2].map(unitVector),
      terms: [0, 1, 2].map((id) => Uint32Array.of(id)),
    });
    expect(rowsOf(dataDirectory).vectors).toBe(302 + 1);
  });
});

test("files that are not discarded are never cleared", async () => {
  const { store } = await emptyStore();
  const { files, datasetId } = await add(store, manyFiles(2));
  expect(
    await store.clearFiles(
      files.map(({ id }) => id),
      256,
    ),
  ).toBe(false);
  expect(store.filesOfDataset(datasetId)).toHaveLength(2);
});

test("a database of the version before is brought up to it: everything is there, and can be discarded", async () => {
  const { store, dataDirectory } = await emptyStore();
  const { files, datasetId } = await add(store, manyFiles(3));
  await store.close();
  leaveWithoutDiscarded(dataDirectory);

  const { store: again } = await emptyStore({ dataDirectory });
  expect(again.filesOfDataset(datasetId)).toEqual(files.toReversed());
  await again.discardDatasets("acme", "letters");
  await clearAll(again, 256);
  expect(rowsOf(dataDirectory)).toMatchObject({ files: 0, chunks: 0, discardedDatasets: 0 });
});
