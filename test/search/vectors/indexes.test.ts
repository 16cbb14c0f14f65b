/** Indexes over a real store: what is added is found, what is deleted is gone, and no state of the disk changes an answer. */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openStore, type Store, type StoredFile } from "../../../src/store/index.ts";
import { Builds } from "../../../src/search/builds.ts";
import type { LargeIndex } from "../../../src/search/index.ts";
import { openVectors, type OpenVectors } from "../open.ts";
import { quantised, unitVectors } from "./vectors.ts";

// Graphs are built at low priority: on a busy machine that takes its time.
setDefaultTimeout(60_000);

const DIMENSIONS = 64;
const MODEL = "test@1#0";

let dataDirectory: string;
let store: Store;
let indexes: OpenVectors;
let buildFailures: string[];
let files = 0;

const openIndexes = (graphLimit = 1_000_000, exactLimit = 10_000, modelId = MODEL, openDatasets = 8) =>
  openVectors({
    dataDirectory,
    dimensions: DIMENSIONS,
    modelId,
    openDatasets,
    exactLimit,
    graphLimit,
    searchExpansion: 256,
    onBuildFailure: (reason) => buildFailures.push(reason),
  });

beforeEach(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), "lectern-vectors-"));
  store = await openStore({ dataDirectory });
  buildFailures = [];
});

afterEach(async () => {
  await indexes?.close();
  await store.close();
  rmSync(dataDirectory, { recursive: true });
});

/** Stores one file with these vectors and tells the indexes. */
async function addFile(datasetName: string, vectors: Float32Array[], tell = true): Promise<StoredFile> {
  const {
    datasetId,
    files: [file],
  } = await store.addFiles({
    customerId: "customer",
    datasetName,
    modelId: MODEL,
    chargeId: null,
    files: [
      {
        fileId: `file-${++files}`,
        originalName: "a.txt",
        storagePath: `files/${files}`,
        mimeType: null,
        size: 1,
        sha256: "0".repeat(64),
        loaderId: "text",
        extension: "txt",
        extraMeta: null,
        chunkSize: 300,
        chunkOverlap: 20,
        chunks: vectors.map((_, index) => `chunk ${index}`),
        vectors,
        terms: vectors.map(() => new Uint32Array()),
      },
    ],
  });
  if (tell) await indexes.add({ datasetId, range: rangeOf(file!) });
  return file!;
}

async function removeFile(file: StoredFile): Promise<void> {
  await store.deleteFiles({ fileRows: [file.id] });
  await indexes.remove({ datasetId: file.datasetId, ranges: [rangeOf(file)] });
}

const rangeOf = (file: StoredFile) => ({ first: file.firstChunkId, last: file.firstChunkId + file.chunkCount - 1 });
const idsOf = async (
  datasetId: number,
  vector: Float32Array,
  count: number,
  within?: { first: number; last: number }[],
) => (await indexes.search({ datasetId, vector, count, within })).map(({ chunkId }) => chunkId);

/** Chunk ids of the nearest vectors by plain arithmetic. */
function nearest(question: Float32Array, vectors: Map<number, Float32Array>, count: number): number[] {
  const query = asStored(question);
  const scored = [...vectors].map(
    ([chunkId, vector]) => [chunkId, vector.reduce((sum, value, index) => sum + value * query[index]!, 0)] as const,
  );
  return scored
    .sort((left, right) => right[1] - left[1])
    .slice(0, count)
    .map(([chunkId]) => chunkId);
}

function numbered(file: StoredFile, vectors: Float32Array[]): Map<number, Float32Array> {
  return new Map(vectors.map((vector, index) => [file.firstChunkId + index, asStored(vector)]));
}

/** Of unit length, as it is stored. */
function asStored(vector: Float32Array): Float32Array {
  const [stored] = quantised([vector]) as [Int8Array];
  const length = Math.sqrt(stored.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(stored, (value) => value / length);
}

async function untilGraph(rows: number): Promise<void> {
  for (const start = Date.now(); Date.now() - start < 30_000; await Bun.sleep(20)) {
    const { graphRows, building } = await indexes.statistics();
    if (graphRows >= rows && building === 0) return;
  }
  throw new Error("the graph was not built in time");
}

describe("search", () => {
  test("a dataset without chunks, or one that does not exist, has no neighbours", async () => {
    indexes = await openIndexes();
    expect(await indexes.search({ datasetId: 77, vector: unitVectors(1, DIMENSIONS, 1)[0]!, count: 8 })).toEqual([]);
  });

  test("finds the nearest, with their cosines, also what was added a moment ago", async () => {
    indexes = await openIndexes();
    const vectors = unitVectors(500, DIMENSIONS, 2);
    const first = await addFile("a", vectors.slice(0, 300));
    const query = unitVectors(1, DIMENSIONS, 9)[0]!;
    await idsOf(first.datasetId, query, 8);
    const second = await addFile("a", vectors.slice(300));
    const all = new Map([...numbered(first, vectors.slice(0, 300)), ...numbered(second, vectors.slice(300))]);
    const found = await indexes.search({ datasetId: first.datasetId, vector: query, count: 8 });
    expect(found.map(({ chunkId }) => chunkId)).toEqual(nearest(query, all, 8));
    for (const { chunkId, similarity } of found) {
      const exact = all.get(chunkId)!.reduce((sum, value, index) => sum + value * query[index]!, 0);
      expect(Math.abs(similarity - exact)).toBeLessThan(0.01);
    }
  });

  test("datasets are apart", async () => {
    indexes = await openIndexes();
    const vectors = unitVectors(20, DIMENSIONS, 3);
    const one = await addFile("one", vectors.slice(0, 10));
    const other = await addFile("other", vectors.slice(10));
    const found = await idsOf(one.datasetId, vectors[12]!, 20);
    expect(found).toHaveLength(10);
    expect(found.every((chunkId) => chunkId < other.firstChunkId)).toBe(true);
  });

  test("a restriction is exact, however few it leaves and however far down they rank", async () => {
    indexes = await openIndexes(1500, 200);
    const vectors = unitVectors(3000, DIMENSIONS, 4, 10);
    const file = await addFile("a", vectors);
    await indexes.warm(file.datasetId);
    await untilGraph(3000);
    const all = numbered(file, vectors);
    for (const query of unitVectors(10, DIMENSIONS, 4, 10)) {
      const far = nearest(query, all, 3000).slice(-3);
      const within = far.sort((a, b) => a - b).map((id) => ({ first: id, last: id }));
      expect((await idsOf(file.datasetId, query, 8, within)).sort((a, b) => a - b)).toEqual(far);
      const every = [...all.keys()].filter((id) => id % 10 === 0);
      const tenth = new Map(every.map((id) => [id, all.get(id)!]));
      expect(
        await idsOf(
          file.datasetId,
          query,
          8,
          every.map((id) => ({ first: id, last: id })),
        ),
      ).toEqual(nearest(query, tenth, 8));
    }
    expect(await idsOf(file.datasetId, vectors[0]!, 8, [])).toEqual([]);
  });

  test("cosines are near the exact ones, and those of given chunks the same", async () => {
    indexes = await openIndexes();
    const vectors = unitVectors(600, DIMENSIONS, 18);
    const file = await addFile("a", vectors);
    const all = numbered(file, vectors);
    const query = unitVectors(1, DIMENSIONS, 19)[0]!;
    const found = await indexes.search({ datasetId: file.datasetId, vector: query, count: 20 });
    expect(found).toHaveLength(20);
    const truth = nearest(query, all, 24);
    for (const { chunkId, similarity } of found) {
      expect(truth).toContain(chunkId);
      expect(
        Math.abs(similarity - all.get(chunkId)!.reduce((sum, value, index) => sum + value * query[index]!, 0)),
      ).toBeLessThan(0.01);
    }
    const chunkIds = found.map(({ chunkId }) => chunkId);
    const [unknown, ...similarities] = await indexes.similarities({
      datasetId: file.datasetId,
      vector: query,
      chunkIds: [99_999, ...chunkIds],
    });
    expect(unknown).toBeNaN();
    expect(similarities).toEqual(found.map(({ similarity }) => similarity));
    await removeFile(file);
    expect(await indexes.search({ datasetId: file.datasetId, vector: query, count: 20 })).toEqual([]);
  });

  test("refuses vectors that are not of unit length, not finite, or of other dimensions", async () => {
    indexes = await openIndexes();
    const bad = [
      new Float32Array(DIMENSIONS),
      new Float32Array(DIMENSIONS).fill(NaN),
      new Float32Array(DIMENSIONS).fill(1),
      unitVectors(1, 32, 1)[0]!,
    ];
    for (const vector of bad)
      await expect(indexes.search({ datasetId: 1, vector, count: 8 })).rejects.toThrow(RangeError);
  });
});

describe("removal", () => {
  test("a deleted chunk is never found again, and its place is taken by the next best", async () => {
    indexes = await openIndexes();
    const vectors = unitVectors(100, DIMENSIONS, 5);
    const kept = await addFile("a", vectors.slice(0, 50));
    const gone = await addFile("a", vectors.slice(50));
    await indexes.warm(kept.datasetId);
    await removeFile(gone);
    expect(await idsOf(kept.datasetId, vectors[60]!, 8)).toEqual(
      nearest(vectors[60]!, numbered(kept, vectors.slice(0, 50)), 8),
    );
  });

  test("when a graph's neighbourhood is deleted, the search goes on until it has enough", async () => {
    indexes = await openIndexes(1000);
    const near = unitVectors(400, DIMENSIONS, 8, 1);
    const far = unitVectors(1200, DIMENSIONS, 9);
    const gone = await addFile("a", near);
    const kept = await addFile("a", far);
    await indexes.warm(kept.datasetId);
    await untilGraph(1600);
    await removeFile(gone);
    expect(await idsOf(kept.datasetId, near[0]!, 8)).toEqual(nearest(near[0]!, numbered(kept, far), 8));
  });

  test("a dataset that lost most of its chunks gives their memory back and answers as before", async () => {
    indexes = await openIndexes();
    const vectors = unitVectors(4000, DIMENSIONS, 10);
    const kept = await addFile("a", vectors.slice(0, 1000));
    await indexes.warm(kept.datasetId);
    const gone = await addFile("a", vectors.slice(1000));
    const before = await indexes.statistics();
    await removeFile(gone);
    expect((await indexes.statistics()).bytes).toBeLessThan(before.bytes / 2);
    expect(await idsOf(kept.datasetId, vectors[5]!, 8)).toEqual(
      nearest(vectors[5]!, numbered(kept, vectors.slice(0, 1000)), 8),
    );
  });

  test("an emptied dataset can be filled again", async () => {
    indexes = await openIndexes();
    const vectors = unitVectors(30, DIMENSIONS, 11);
    const gone = await addFile("a", vectors.slice(0, 10));
    await indexes.warm(gone.datasetId);
    await removeFile(gone);
    const again = await addFile("a", vectors.slice(10));
    expect(await idsOf(again.datasetId, vectors[15]!, 3)).toEqual(
      nearest(vectors[15]!, numbered(again, vectors.slice(10)), 3),
    );
  });
});

describe("memory", () => {
  test("keeps no more datasets open than allowed and opens them again on demand", async () => {
    indexes = await openIndexes(1_000_000, 10_000, MODEL, 2);
    const vectors = unitVectors(40, DIMENSIONS, 12);
    const all = [];
    for (let index = 0; index < 4; index++)
      all.push(await addFile(`dataset-${index}`, vectors.slice(index * 10, index * 10 + 10)));
    for (const file of [...all, ...all]) expect(await idsOf(file.datasetId, vectors[0]!, 20)).toHaveLength(10);
    expect((await indexes.statistics()).openDatasets).toBe(2);
  });
});

describe("bounded memory", () => {
  const MEMORY = 1_000_000;
  const openBounded = () =>
    openVectors({
      dataDirectory,
      dimensions: DIMENSIONS,
      modelId: MODEL,
      openDatasets: 8,
      memoryBytes: MEMORY,
      exactLimit: 1000,
      graphLimit: 1_000_000,
      searchExpansion: 256,
      onBuildFailure: (reason) => buildFailures.push(reason),
      onTooLarge: (large) => told.push(large),
    });
  const told: LargeIndex[] = [];
  const bytes = async () => (await indexes.statistics()).bytes;

  test("a dataset that is larger is searched in the database once it is saved, before and after a start", async () => {
    const vectors = unitVectors(20_000, DIMENSIONS, 21, 50);
    const queries = unitVectors(10, DIMENSIONS, 21, 50);
    indexes = await openBounded();
    const first = await addFile("a", vectors.slice(0, 10), false);
    await indexes.warm(first.datasetId);
    const file = await addFile("a", vectors);
    expect(await bytes()).toBeGreaterThan(2 * MEMORY);
    for (const start = Date.now(); (await indexes.statistics()).savedRows < 20_000; await Bun.sleep(20))
      expect(Date.now() - start).toBeLessThan(30_000);
    const all = new Map([...numbered(first, vectors.slice(0, 10)), ...numbered(file, vectors)]);
    for (const start of ["no start between", "a start between"]) {
      if (start === "a start between") {
        await indexes.close();
        indexes = await openBounded();
      }
      for (const query of queries) {
        const expected = new Set(nearest(query, all, 8));
        const found = await idsOf(file.datasetId, query, 8);
        expect(found.filter((chunkId) => expected.has(chunkId)).length).toBeGreaterThan(6);
      }
      // A few thousand vectors are taken into memory at a time.
      expect(await bytes()).toBeLessThan(1.6 * MEMORY);
    }
    expect(buildFailures).toEqual([]);
    // Once after each start.
    expect(told.map(({ datasetId, chunks }) => ({ datasetId, chunks }))).toEqual([
      { datasetId: file.datasetId, chunks: 20_010 },
      { datasetId: file.datasetId, chunks: 20_010 },
    ]);
    for (const { chunks, outside } of told) expect(outside).toBeGreaterThan(chunks / 4);
  });

  test("the dataset used least leaves when another needs its place, and is not brought back by warming", async () => {
    indexes = await openBounded();
    const [query] = unitVectors(1, DIMENSIONS, 1) as [Float32Array];
    const ids: number[] = [];
    for (const name of ["a", "b", "c"]) {
      const file = await addFile(name, unitVectors(4000, DIMENSIONS, name.charCodeAt(0)), false);
      ids.push(file.datasetId);
      expect(await idsOf(file.datasetId, query, 8)).toHaveLength(8);
    }
    expect((await indexes.statistics()).openDatasets).toBe(1);
    await indexes.warm(ids[0]!);
    expect(await idsOf(ids[2]!, query, 8)).toHaveLength(8);
    expect(await bytes()).toBeLessThan(MEMORY);
  });
});

describe("graphs on disk", () => {
  const vectors = unitVectors(2500, DIMENSIONS, 13, 20);
  const queries = unitVectors(10, DIMENSIONS, 13, 20);
  let file: StoredFile;
  let checkpointFolder: string;

  /** A dataset with a graph, and the indexes closed. */
  async function buildAndClose(): Promise<void> {
    indexes = await openIndexes(1000);
    file = await addFile("a", vectors.slice(0, 2000));
    await indexes.warm(file.datasetId);
    await untilGraph(2000);
    await indexes.close();
    checkpointFolder = join(dataDirectory, "indexes", String(file.datasetId));
  }

  const fileEndingWith = (ending: string) =>
    join(checkpointFolder, readdirSync(checkpointFolder).find((name) => name.endsWith(ending))!);
  const graphFile = () => fileEndingWith(".usearch");
  const sketchFile = () => fileEndingWith(".bits");

  async function expectTheSameAnswers(all: Map<number, Float32Array>): Promise<void> {
    let found = 0;
    for (const query of queries) {
      const truth = new Set(nearest(query, all, 8));
      found += (await idsOf(file.datasetId, query, 8)).filter((chunkId) => truth.has(chunkId)).length;
    }
    expect(found / (queries.length * 8)).toBeGreaterThan(0.97);
  }

  test("are opened again as they were, private to their owner", async () => {
    await buildAndClose();
    indexes = await openIndexes(1000);
    await indexes.warm(file.datasetId);
    await untilGraph(2000);
    await expectTheSameAnswers(numbered(file, vectors.slice(0, 2000)));
    await expect(
      Bun.file(graphFile())
        .stat()
        .then(({ mode }) => mode & 0o777),
    ).resolves.toBe(0o600);
  });

  test("are caught up with what was stored and deleted while nobody looked", async () => {
    await buildAndClose();
    const extra = vectors.slice(2000);
    const removed = await addFile("a", unitVectors(5, DIMENSIONS, 14), false);
    const late = await addFile("a", extra, false);
    await store.deleteFiles({ fileRows: [removed.id] });
    indexes = await openIndexes(1000);
    const all = new Map([...numbered(file, vectors.slice(0, 2000)), ...numbered(late, extra)]);
    await expectTheSameAnswers(all);
    await store.deleteFiles({ fileRows: [file.id] });
    await indexes.close();
    indexes = await openIndexes(1000);
    expect(await idsOf(file.datasetId, queries[0]!, 8)).toEqual(nearest(queries[0]!, numbered(late, extra), 8));
  });

  const damages: [string, () => void][] = [
    ["one flipped byte among the sketches", () => flip(sketchFile(), 5000)],
    ["truncated sketches", () => truncateSync(sketchFile(), 5000)],
    ["missing sketches", () => rmSync(sketchFile())],
    ["one flipped byte in the graph", () => flip(graphFile(), -2000)],
    ["a truncated graph", () => truncateSync(graphFile(), 90_000)],
    ["a missing graph", () => rmSync(graphFile())],
    ["a flipped byte in the checkpoint's ids", () => flip(join(checkpointFolder, "checkpoint"), -9)],
    ["an empty checkpoint", () => truncateSync(join(checkpointFolder, "checkpoint"), 0)],
    ["a checkpoint of garbage", () => writeFileSync(join(checkpointFolder, "checkpoint"), "{]\nnonsense")],
    ["a half-written successor", () => writeFileSync(join(checkpointFolder, "graph-next.usearch"), "half")],
  ];
  for (const [damage, inflict] of damages) {
    test(`${damage} changes no answer, and the graph is made whole`, async () => {
      await buildAndClose();
      inflict();
      indexes = await openIndexes(1000);
      await expectTheSameAnswers(numbered(file, vectors.slice(0, 2000)));
      await untilGraph(2000);
      await expectTheSameAnswers(numbered(file, vectors.slice(0, 2000)));
      expect(buildFailures).toEqual([]);
      expect(readdirSync(checkpointFolder).sort()).toEqual([
        "checkpoint",
        basename(graphFile()),
        basename(sketchFile()),
      ]);
    });
  }

  test("damaged sketches that are to be left with most of their neighbours deleted are taken from the store", async () => {
    indexes = await openIndexes(1000);
    file = await addFile("a", vectors.slice(0, 500));
    await indexes.warm(file.datasetId);
    const gone = await addFile("a", vectors.slice(500, 2000));
    await untilGraph(2000);
    await indexes.close();
    checkpointFolder = join(dataDirectory, "indexes", String(file.datasetId));
    await store.deleteFiles({ fileRows: [gone.id] });
    flip(sketchFile(), 5000);
    indexes = await openIndexes(1_000_000);
    await expectTheSameAnswers(numbered(file, vectors.slice(0, 500)));
    expect((await indexes.statistics()).rows).toBe(500);
  });

  test("are extended once, however often the same rows are handed over", async () => {
    const vectors = unitVectors(30, DIMENSIONS, 40);
    const file = await addFile("a", vectors, false);
    const ids = Float64Array.from(vectors, (_, at) => file.firstChunkId + at);
    const parameters = { connectivity: 32, expansionAdd: 200 };
    const common = { datasetId: file.datasetId, dataDirectory, modelId: MODEL, dimensions: DIMENSIONS, parameters };
    const builds = new Builds();
    const build = (base: "nothing" | "checkpoint", savedRows: number, chunkIds: Float64Array) =>
      new Promise<string | null>((resolve) => {
        const job = { ...common, base, savedRows, compacts: false, graph: false, chunkIds };
        builds.build(job, async (failure) => resolve(failure));
      });
    expect(await build("nothing", 0, ids.slice(0, 10))).toBeNull();
    expect(await build("checkpoint", 10, ids.slice(10))).toBeNull();
    // As a thread that was started again would want it while the one before it still waits.
    expect(await build("checkpoint", 10, ids.slice(10))).toContain("not the one to be built upon");
    await builds.close();
    indexes = await openIndexes();
    expect(await idsOf(file.datasetId, vectors[20]!, 30)).toEqual(nearest(vectors[20]!, numbered(file, vectors), 30));
    expect((await indexes.statistics()).rows).toBe(30);
  });

  test("of another model are not used", async () => {
    await buildAndClose();
    indexes = await openIndexes(1_000_000, 10_000, "other@1#0");
    await indexes.warm(file.datasetId);
    expect((await indexes.statistics()).graphRows).toBe(0);
  });

  test("grow by what was added, and are rebuilt without what was deleted", async () => {
    indexes = await openIndexes(1000);
    file = await addFile("a", unitVectors(1200, DIMENSIONS, 15));
    await indexes.warm(file.datasetId);
    await untilGraph(1200);
    const more = unitVectors(9000, DIMENSIONS, 16);
    const late = await addFile("a", more);
    await untilGraph(10_200);
    checkpointFolder = join(dataDirectory, "indexes", String(file.datasetId));
    expect(readdirSync(checkpointFolder)).toHaveLength(3);
    const removed = await addFile("a", unitVectors(5000, DIMENSIONS, 17));
    await removeFile(removed);
    for (const start = Date.now(); (await indexes.statistics()).rows > 10_200; await Bun.sleep(20))
      expect(Date.now() - start).toBeLessThan(50_000);
    const all = new Map([...numbered(file, unitVectors(1200, DIMENSIONS, 15)), ...numbered(late, more)]);
    const found = await idsOf(file.datasetId, more[0]!, 8);
    expect(found[0]).toBe(late.firstChunkId);
    expect(found.every((chunkId) => all.has(chunkId))).toBe(true);
  });

  test("an empty dataset's folder is swept away", async () => {
    await buildAndClose();
    await store.deleteFiles({ fileRows: [file.id] });
    indexes = await openIndexes(1000);
    expect(readdirSync(join(dataDirectory, "indexes"))).toEqual([]);
  });
});

function flip(path: string, offset: number): void {
  const bytes = readFileSync(path);
  const at = offset < 0 ? bytes.length + offset : offset;
  bytes[at]! ^= 0x41;
  writeFileSync(path, bytes);
}
