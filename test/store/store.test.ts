/** What the store keeps and gives back. */
import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { quantised } from "../search/vectors/vectors.ts";
import { openVectorReader, spoolChunks } from "../../src/store/index.ts";
import {
  add,
  cleanUp,
  DIMENSIONS,
  emptyStore,
  filesOfCustomer,
  refusal,
  sampleFile,
  temporaryFolder,
  unitVector,
} from "./samples.ts";

afterEach(cleanUp);

describe("adding files", () => {
  test("gives back what was stored, with consecutive chunk ids", async () => {
    const { store } = await emptyStore();
    const file = sampleFile({
      chunkCount: 3,
      extraMeta: { author: "Ada", tags: ["a"] },
      transcriptionSrt: [{ at: 1 }],
    });
    const { datasetId, files } = await add(store, [file, sampleFile({ chunkCount: 2 })]);

    const { chunks: _chunks, vectors: _vectors, terms: _tokens, ...columns } = file;
    expect(files[0]).toMatchObject({
      ...columns,
      extraMeta: '{"author":"Ada","tags":["a"]}',
      transcriptionSrt: '[{"at":1}]',
      datasetId,
      datasetName: "letters",
      customerId: "acme",
      firstChunkId: 1,
      chunkCount: 3,
    });
    expect(files[1]).toMatchObject({ firstChunkId: 4, chunkCount: 2, extraMeta: null });
    expect(store.file("acme", file.fileId)).toEqual(files[0]!);
    expect(store.fileById(file.fileId)).toEqual(files[0]!);
  });

  test("makes the dataset once and counts what is in it", async () => {
    const { store } = await emptyStore();
    const first = await add(store, [sampleFile()]);
    const second = await add(store, [sampleFile({ chunkCount: 5 })]);
    expect(second.datasetId).toBe(first.datasetId);
    expect(store.dataset("acme", "letters")).toEqual({
      id: first.datasetId,
      customerId: "acme",
      name: "letters",
      modelId: "model@1",
      generation: 0,
      fileCount: 2,
      chunkCount: 7,
    });
    expect(store.statistics()).toEqual({ datasets: 1, files: 2, chunks: 7 });
  });

  test("keeps datasets of the same name of two customers apart", async () => {
    const { store } = await emptyStore();
    const { files } = await add(store, [sampleFile()], { customerId: "acme" });
    await add(store, [sampleFile()], { customerId: "other" });
    expect(store.datasets()).toHaveLength(2);
    expect(store.file("other", files[0]!.fileId)).toBeNull();
    expect(filesOfCustomer(store, "other")).toHaveLength(1);
  });

  test("stores all files of a request or none", async () => {
    const { store } = await emptyStore();
    const good = sampleFile();
    const twin = sampleFile({ fileId: good.fileId });
    expect(await refusal(add(store, [good, twin]))).toBeInstanceOf(Error);
    expect(store.statistics()).toEqual({ datasets: 0, files: 0, chunks: 0 });
  });

  test("a write that fails does not take down those that share its commit", async () => {
    const { store } = await emptyStore();
    const twice = sampleFile();
    const outcomes = await Promise.allSettled([
      add(store, [sampleFile()]),
      add(store, [twice]),
      add(store, [{ ...twice }]),
      add(store, [sampleFile()]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(store.statistics().files).toBe(3);
  });

  test("refuses files of another model, but not in a dataset without files", async () => {
    const { store } = await emptyStore();
    const { files } = await add(store, [sampleFile()], { modelId: "model@1" });
    expect(String(await refusal(add(store, [sampleFile()], { modelId: "model@2" })))).toContain("embedded by model@1");
    await store.deleteFiles({ fileRows: [files[0]!.id] });
    await add(store, [sampleFile()], { modelId: "model@2" });
    expect(store.dataset("acme", "letters")?.modelId).toBe("model@2");
  });

  test.each([
    ["more chunks than vectors", { chunks: ["a", "b"], vectors: [unitVector(0)] }],
    ["no chunks", { chunks: [], vectors: [] }],
    ["vectors of two lengths", { chunks: ["a", "b"], vectors: [unitVector(0), new Float32Array(3)] }],
    ["a vector that is not finite", { chunks: ["a"], vectors: [new Float32Array([0, Number.NaN, 0, 0])] }],
    ["a vector beyond half precision", { chunks: ["a"], vectors: [new Float32Array([0, 1e6, 0, 0])] }],
  ])("refuses %s", async (_case, values) => {
    const { store } = await emptyStore();
    expect(await refusal(add(store, [sampleFile(values)]))).toBeInstanceOf(RangeError);
    expect(store.statistics().files).toBe(0);
  });

  test("carries a file of many chunks across in pieces, in order", async () => {
    const { store, dataDirectory } = await emptyStore();
    const { files, datasetId } = await add(store, [sampleFile({ chunkCount: 1000 }), sampleFile({ chunkCount: 300 })]);
    expect(files.map(({ chunkCount }) => chunkCount)).toEqual([1000, 300]);
    expect(store.chunks([1, 257, 1000, 1300]).get(1000)).toMatchObject({ chunkIndex: 999, text: "passage 999" });
    expect(store.chunks([1300]).get(1300)).toMatchObject({
      chunkIndex: 299,
      text: "passage 299",
      file: { fileId: files[1]!.fileId },
    });
    const reader = openVectorReader({ dataDirectory, dimensions: DIMENSIONS });
    const { chunkIds, vectors } = reader.page(datasetId, 998, 4);
    expect(chunkIds).toEqual([999, 1000, 1001, 1002]);
    expect(vectors).toEqual(quantised([998, 999, 0, 1].map(unitVector)));
    reader.close();
  });

  test("remembers which charge paid for a file", async () => {
    const { store } = await emptyStore();
    await add(store, [sampleFile()], { chargeId: "charge-1" });
    expect(store.filesOfCharge("charge-1").length).toBeGreaterThan(0);
    expect(store.filesOfCharge("charge-2")).toEqual([]);
  });
});

describe("listing", () => {
  test("is newest first, whole or in pages", async () => {
    const { store } = await emptyStore();
    const { datasetId, files } = await add(
      store,
      Array.from({ length: 5 }, () => sampleFile()),
    );
    await add(store, [sampleFile()], { datasetName: "elsewhere" });
    const newestFirst = files.map(({ fileId }) => fileId).reverse();
    expect(store.filesOfDataset(datasetId).map(({ fileId }) => fileId)).toEqual(newestFirst);
    expect(filesOfCustomer(store, "acme")).toHaveLength(6);

    const firstPage = store.filesOfDataset(datasetId, { before: Infinity, limit: 3 });
    const secondPage = store.filesOfDataset(datasetId, { before: firstPage.at(-1)!.id, limit: 3 });
    expect([...firstPage, ...secondPage].map(({ fileId }) => fileId)).toEqual(newestFirst);
  });

  test("names every file that is stored", async () => {
    const { store } = await emptyStore();
    const files = [sampleFile(), sampleFile()];
    await add(store, files);
    expect(store.fileIds()).toEqual(new Set(files.map(({ fileId }) => fileId)));
  });
});

describe("deleting files", () => {
  test("leaves no chunk, vector or filter match, and the dataset stays known", async () => {
    const { store, dataDirectory } = await emptyStore();
    const { datasetId, files } = await add(store, [
      sampleFile({ extraMeta: { kind: "a" } }),
      sampleFile({ extraMeta: { kind: "b" } }),
    ]);
    const dataset = store.dataset("acme", "letters")!;
    expect(await store.matching(dataset, [{ key: "kind", value: "a" }])).toEqual([{ first: 1, last: 2 }]);

    await store.deleteFiles({ fileRows: [files[0]!.id, 9999] });
    expect(store.file("acme", files[0]!.fileId)).toBeNull();
    expect([...store.chunks([1, 2, 3, 4]).keys()]).toEqual([3, 4]);
    expect(await store.matching(dataset, [{ key: "kind", value: "a" }])).toEqual([]);
    const reader = openVectorReader({ dataDirectory, dimensions: DIMENSIONS });
    expect(reader.ranges(datasetId)).toEqual([{ first: 3, last: 4 }]);
    const read: [number, Int8Array][] = [];
    reader.read([1, 3, 4, 9], (at, vector) => read.push([at, vector]));
    expect(read).toEqual([
      [1, quantised([unitVector(0)])[0]!],
      [2, quantised([unitVector(1)])[0]!],
    ]);
    reader.close();

    await store.deleteFiles({ fileRows: [files[1]!.id] });
    expect(store.dataset("acme", "letters")).toMatchObject({ id: datasetId, fileCount: 0, chunkCount: 0 });
  });

  test("never frees an id for another chunk or file", async () => {
    const { store } = await emptyStore();
    const { files } = await add(store, [sampleFile({ chunkCount: 3 })]);
    await store.deleteFiles({ fileRows: [files[0]!.id] });
    const { files: later } = await add(store, [sampleFile()]);
    expect(later[0]!.firstChunkId).toBe(4);
    expect(later[0]!.id).toBeGreaterThan(files[0]!.id);
  });

  test("forgetting a customer takes its datasets, once they are empty, and nobody else's", async () => {
    const { store } = await emptyStore();
    await add(store, [sampleFile()]);
    await add(store, [sampleFile()], { datasetName: "more" });
    await add(store, [sampleFile()], { customerId: "other" });
    expect(await store.forgetCustomer("acme")).toBe(false);
    expect(store.statistics()).toEqual({ datasets: 3, files: 3, chunks: 6 });
    await store.deleteFiles({ fileRows: filesOfCustomer(store, "acme").map(({ id }) => id) });
    expect(await store.forgetCustomer("acme")).toBe(true);
    expect(store.datasets().map(({ customerId }) => customerId)).toEqual(["other"]);
    expect(store.statistics()).toEqual({ datasets: 1, files: 1, chunks: 2 });
  });
});

describe("odd strings", () => {
  const odd = "nul\0 lone \ud800 \udc00 rtl \u202e smile 😀";

  test("in names, texts and metadata neither fail nor change anything else", async () => {
    const { store } = await emptyStore();
    const extraMeta = JSON.parse(
      '{"__proto__": {"polluted": true}, "constructor": "x", "nul\\u0000": "\\ud800"}',
    ) as Record<string, unknown>;
    const { files } = await add(
      store,
      [
        sampleFile({
          originalName: odd,
          chunks: [odd],
          vectors: [unitVector(0)],
          terms: [Uint32Array.of(1)],
          extraMeta,
        }),
      ],
      { datasetName: odd },
    );
    const stored = store.file("acme", files[0]!.fileId)!;
    expect(stored.originalName).toBe(odd.toWellFormed());
    expect(stored.datasetName).toBe(odd.toWellFormed());
    expect(store.dataset("acme", odd)?.id).toBe(stored.datasetId);
    expect(store.chunks([1]).get(1)?.text).toBe(odd.toWellFormed());
    expect(stored.extraMeta).toBe(JSON.stringify(extraMeta));
  });
});

describe("opening again", () => {
  test("finds everything, in files that only their owner can read", async () => {
    const { store, dataDirectory } = await emptyStore();
    const { files } = await add(store, [sampleFile()]);
    const modes = await Promise.all(
      ["lectern.db", "lectern.db-wal", "lectern.db-shm"].map(
        async (name) => (await Bun.file(`${dataDirectory}/${name}`).stat()).mode & 0o777,
      ),
    );
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    await store.close();
    const again = await emptyStore({ dataDirectory });
    expect(again.store.file("acme", files[0]!.fileId)).toEqual(files[0]!);
  });

  test("a closed store refuses to write", async () => {
    const { store } = await emptyStore();
    await store.close();
    expect(await refusal(add(store, [sampleFile()]))).toMatchObject({ code: "SHUTTING_DOWN" });
  });
});

describe("chunks that were laid by in a file", () => {
  const path = () => join(temporaryFolder(), "chunks");
  const places = (first: number) => [
    { place: { page: first }, contextLength: 0 },
    { place: {}, contextLength: 3 },
  ];

  test("are stored before those that are given, with their places, and the file is left", async () => {
    const { store } = await emptyStore();
    const spool = path();
    let spooled = await spoolChunks(spool, null, { ...sampleFile({ chunkCount: 600 }) });
    spooled = await spoolChunks(spool, spooled, { ...sampleFile(), chunks: ["like", "this"], notes: places(7) });
    const { files } = await add(store, [sampleFile({ spooled, extraMeta: { page: 99 } })]);
    expect(files[0]).toMatchObject({ firstChunkId: 1, chunkCount: 604 });
    const stored = store.chunks([1, 600, 601, 602, 603, 604]);
    expect([...stored.values()].map(({ text }) => text)).toEqual([
      "passage 0",
      "passage 599",
      "like",
      "this",
      "passage 0",
      "passage 1",
    ]);
    expect(stored.get(601)).toMatchObject({ place: { page: 7 } });
    expect(await store.matching(store.dataset("acme", "letters")!, [{ key: "page", value: 7 }])).toEqual([
      { first: 601, last: 601 },
    ]);
    expect(existsSync(spool)).toBe(true);
    expect(statSync(spool).mode & 0o777).toBe(0o600);
  });

  test.each<[string, (spool: string) => void]>([
    ["cut off", (spool) => truncateSync(spool, statSync(spool).size - 5)],
    ["cut off between two pieces", (spool) => truncateSync(spool, 0)],
    ["gone", (spool) => rmSync(spool)],
  ])("are not stored in part where the file is %s", async (_how, damage) => {
    const { store } = await emptyStore();
    const spooled = await spoolChunks(path(), null, sampleFile());
    damage(spooled.path);
    expect(await refusal(add(store, [sampleFile({ spooled })]))).toBeInstanceOf(Error);
    expect(store.statistics().chunks).toBe(0);
    await add(store, [sampleFile()]);
    expect(store.statistics().chunks).toBe(2);
  });
});
