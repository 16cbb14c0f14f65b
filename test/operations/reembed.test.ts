/** Datasets go over to another model: beside searches, uploads and deletions, at once, and without anything being lost. */
import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/options/config.ts";
import type { ModelManifest } from "../../src/embedding/index.ts";
import { openModelEngines } from "../../src/appliance/model-engines.ts";
import { decodeVector, storedBytesOf } from "../../src/store/stored-vector.ts";
import { reembedAll, reembeddingProgress } from "../../src/operations/reembed.ts";
import { dimensions as tinyDimensions, writeTinyModel } from "../embedding/tiny-model.ts";
import { failureOf, startLectern, uploadForm, type TestCustomer, type TestServer } from "../harness.ts";

let lectern: TestServer;
afterEach(() => lectern.stop());

const BUILT_IN_DIMENSIONS = 1536;
const colours = ["red", "green", "blue"];

/** A server on the built-in model, with a tiny one beside it and files that both can tell apart. */
async function start(): Promise<TestCustomer> {
  lectern = await startLectern();
  tinyModel();
  return lectern.customer();
}

function tinyModel(name = "tiny", manifest: Partial<ModelManifest> = {}): string {
  mkdirSync(join(lectern.directory, "models", name), { recursive: true });
  return writeTinyModel(
    { pooling: "mean", manifest: { name, maxTokens: 64, ...manifest } },
    join(lectern.directory, "models", name),
  );
}

const uploadColours = (key: string, datasetId = "d") =>
  lectern.upload(
    key,
    datasetId,
    Object.fromEntries(colours.map((colour) => [`${colour}.txt`, `${colour} rock ${colour} sea`])),
  );
const best = async (key: string, question: string, datasetId = "d"): Promise<string> =>
  (await lectern.search(key, datasetId, question)).body.data[0]?.metadata.originalName;

async function reembedded(): Promise<void> {
  const deadline = performance.now() + 30_000;
  const { store, models } = lectern.appliance;
  while (
    reembeddingProgress(lectern.appliance).datasets > 0 ||
    models.all.length > 1 ||
    storedVectors().length > store.statistics().chunks
  ) {
    if (performance.now() > deadline) throw new Error(`still not embedded anew:\n${lectern.logLines.join("\n")}`);
    await Bun.sleep(20);
  }
}

/** Bytes of every vector in the database. */
function storedVectors(): number[] {
  const database = new Database(join(lectern.directory, "lectern.db"), { readonly: true });
  try {
    return database
      .query<{ bytes: number }, []>("SELECT length(vector) AS bytes FROM vectors JOIN chunkTokens USING (chunkId)")
      .all()
      .map(({ bytes }) => bytes);
  } finally {
    database.close();
  }
}

/** Every vector in the database, made by the built-in model, in the chunks' order. */
function vectorsInOrder(): Int8Array[] {
  const database = new Database(join(lectern.directory, "lectern.db"), { readonly: true });
  try {
    return database
      .query<{ vector: Uint8Array }, []>("SELECT vector FROM vectors ORDER BY chunkId")
      .all()
      .map(({ vector }) => decodeVector(vector, BUILT_IN_DIMENSIONS));
  } finally {
    database.close();
  }
}

/** What one file ends with and the next begins with. */
const SHARED = "Here one file ends and the next begins.";

/** Some hundred chunks of two files. */
function overlappingFiles(): Record<string, string> {
  const text = Array.from({ length: 600 }, (_, index) => `Sentence ${index} speaks of ${colours[index % 3]}.`).join(
    " ",
  );
  return { "a.txt": `${text} ${SHARED}`, "b.txt": `${SHARED} ${text.slice(text.indexOf("Sentence 40 "))}` };
}

/** Collects what the chosen model is given to read for datasets from now on. */
function listen(): () => string[] {
  const { embedder } = lectern.appliance.models.chosen;
  const works = embedder.embedWithTerms.bind(embedder);
  const read: string[] = [];
  embedder.embedWithTerms = (texts, kind, priority) => {
    if (priority === "upload") read.push(...texts);
    return works(texts, kind, priority);
  };
  return () => read;
}

/** Chooses a model that embeds nothing of documents until `release` is called. `read`: what it was given of them. */
async function chooseHeld(name: string): Promise<{ release: () => void; reached: Promise<void>; read: string[] }> {
  const { models, store, log } = lectern.appliance;
  const directory = join(lectern.directory, "models", name);
  const config = loadConfig({ flags: { "data-dir": lectern.directory, "embed-threads": "1" }, environment: {} });
  const engines = await openModelEngines(config, directory, Promise.resolve(store), log);
  models.add(engines);
  const { embedder } = engines;
  const works = embedder.embedWithTerms.bind(embedder);
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const read: string[] = [];
  embedder.embedWithTerms = async (texts, kind, priority) => {
    if (priority === "upload") {
      read.push(...texts);
      reached.resolve();
      await held.promise;
    }
    return works(texts, kind, priority);
  };
  await lectern.appliance.chooseModel(directory);
  return { release: () => held.resolve(), reached: reached.promise, read };
}

describe("choosing another model", () => {
  test("embeds every dataset anew, of whatever dimensions, and leaves nothing of the old vectors", async () => {
    const { key } = await start();
    await uploadColours(key);
    await uploadColours(key, "e");
    expect(storedVectors()).toEqual(Array(6).fill(storedBytesOf(BUILT_IN_DIMENSIONS)));
    await lectern.appliance.chooseModel(join(lectern.directory, "models/tiny"));
    await reembedded();
    expect(storedVectors()).toEqual(Array(6).fill(storedBytesOf(tinyDimensions)));
    expect(lectern.appliance.models.all.map(({ embedder }) => embedder.manifest.name)).toEqual(["tiny"]);
    for (const dataset of ["d", "e"])
      for (const colour of colours)
        expect(await best(key, `${colour} rock ${colour} sea`, dataset)).toBe(`${colour}.txt`);

    await uploadColours(key, "f");
    expect(await best(key, "blue sea", "f")).toBe("blue.txt");
    await lectern.restart({ model: "tiny" });
    expect(await best(key, "blue sea", "f")).toBe("blue.txt");
    expect(storedVectors()).toEqual(Array(9).fill(storedBytesOf(tinyDimensions)));
  });

  test("and back again leads to the first vectors, of chunks that overlap too", async () => {
    const { key } = await start();
    const body = uploadForm({ datasetId: "d", chunkSize: "30", chunkOverlap: "12" }, overlappingFiles());
    expect((await lectern.call("POST", "/v1/files/upload", { key, body })).status).toBe(200);
    const first = vectorsInOrder();
    // More than one step's worth.
    expect(first.length).toBeGreaterThan(150);
    await lectern.appliance.chooseModel(join(lectern.directory, "models/tiny"));
    await reembedded();
    await lectern.appliance.chooseModel(null);
    await reembedded();
    const again = vectorsInOrder();
    expect(again).toHaveLength(first.length);
    for (const [at, vector] of again.entries()) {
      // Other texts beside it in a batch move the last digit.
      expect(Math.max(...vector.map((value, axis) => Math.abs(value - first[at]![axis]!)))).toBeLessThanOrEqual(1);
    }
  });

  test("a chunk is read with its new text first, then and at the upload; the first of a file as it is", async () => {
    const { key } = await start();
    const uploaded = listen();
    const body = uploadForm({ datasetId: "d", chunkSize: "30", chunkOverlap: "12" }, overlappingFiles());
    expect((await lectern.call("POST", "/v1/files/upload", { key, body })).status).toBe(200);
    const texts = uploaded();
    const starts = texts.filter((text) => !text.includes("\n")).length;
    // A file's first chunk, and those whose last word was too long for an overlap.
    expect(starts).toBeGreaterThanOrEqual(2);
    expect(starts).toBeLessThan(texts.length / 4);
    for (const text of texts.filter((one) => one.includes("\n")))
      expect(text).toMatch(/\w\.?\nSentence \d+ speaks of( \w+\.)?$/);
    expect(texts.filter((text) => text.startsWith("Sentence 0 "))).toHaveLength(1);
    expect(texts.filter((text) => text.startsWith(SHARED))).toHaveLength(1);

    tinyModel("lead", { leadWeighted: true });
    const { read, release } = await chooseHeld("lead");
    release();
    await reembedded();
    expect(read.sort()).toEqual(texts.sort());
  });

  test("and back again leads to the first answers", async () => {
    const { key } = await start();
    await uploadColours(key);
    const before = (await lectern.search(key, "d", "blue rock")).body.data;
    await lectern.appliance.chooseModel(join(lectern.directory, "models/tiny"));
    await reembedded();
    await lectern.appliance.chooseModel(null);
    await reembedded();
    const after = (await lectern.search(key, "d", "blue rock")).body.data;
    expect(after.map((hit: any) => hit.metadata)).toEqual(before.map((hit: any) => hit.metadata));
    // Texts embedded together differ in the last bits from texts embedded alone.
    after.forEach((hit: any, index: number) => expect(hit.score).toBeCloseTo(before[index].score, 4));
  });

  test("filters, metadata and deletions reach the new vectors", async () => {
    const { key } = await start();
    const [red] = await lectern.upload(key, "d", { "red.txt": "red rock" }, { extraMeta: '{"shelf":1}' });
    await lectern.upload(key, "d", { "blue.txt": "blue rock" }, { extraMeta: '{"shelf":2}' });
    await lectern.appliance.chooseModel(join(lectern.directory, "models/tiny"));
    await reembedded();
    const onShelf = (shelf: number) =>
      lectern
        .search(key, "d", "rock", { filters: [{ key: "shelf", match: { value: shelf } }] })
        .then(({ body }) => body.data.map((hit: any) => hit.metadata.originalName));
    expect(await onShelf(2)).toEqual(["blue.txt"]);
    expect(
      (await lectern.search(key, "d", "rock", { filters: [{ key: "chunkIndex", match: { value: 0 } }] })).body.data,
    ).toHaveLength(2);
    expect((await lectern.call("DELETE", `/v1/files/${red}`, { key })).status).toBe(200);
    expect(await onShelf(1)).toEqual([]);
    expect(storedVectors()).toHaveLength(1);
  });

  test("tells in /metrics how far it is", async () => {
    const { key } = await start();
    await uploadColours(key);
    await lectern.appliance.chooseModel(join(lectern.directory, "models/tiny"));
    // As long as the pass of the loop has not begun, everything is left to do.
    expect((await lectern.call("GET", "/metrics")).text).toMatch(/^lectern_reembedding_chunks_done [0-3]$/m);
    await reembedded();
    expect((await lectern.call("GET", "/metrics")).text).toMatch(/^lectern_reembedding_datasets 0$/m);
  });
});

describe("while a dataset is embedded anew", () => {
  test("its old vectors answer; what is uploaded and deleted meanwhile is so afterwards", async () => {
    const { key } = await start();
    const [red] = await uploadColours(key);
    const { release, reached } = await chooseHeld("tiny");
    await reached;

    expect(await best(key, "blue sea")).toBe("blue.txt");
    await lectern.upload(key, "d", { "later.txt": "query query query" });
    expect(await best(key, "query")).toBe("later.txt");
    expect((await lectern.call("DELETE", `/v1/files/${red}`, { key })).status).toBe(200);
    expect(storedVectors()).toEqual(Array(3).fill(storedBytesOf(BUILT_IN_DIMENSIONS)));
    expect(lectern.appliance.store.datasets()[0]!.modelId).toStartWith("lectern");

    release();
    await reembedded();
    expect(storedVectors()).toEqual(Array(3).fill(storedBytesOf(tinyDimensions)));
    expect(await best(key, "query")).toBe("later.txt");
    expect(
      (await lectern.search(key, "d", "red rock")).body.data.map((hit: any) => hit.metadata.originalName).sort(),
    ).toEqual(["blue.txt", "green.txt", "later.txt"]);
  });

  test("an upload that was embedded for the old vectors is embedded again when it comes too late", async () => {
    const { key } = await start();
    await uploadColours(key);
    const { embedder } = lectern.appliance.models.chosen;
    const works = embedder.embedWithTerms.bind(embedder);
    const held = Promise.withResolvers<void>();
    embedder.embedWithTerms = async (...request) => {
      const done = await works(...request);
      if (request[2] === "upload") await held.promise;
      return done;
    };
    const late = lectern.upload(key, "d", { "late.txt": "query query" });
    await Bun.sleep(100);
    await lectern.appliance.chooseModel(join(lectern.directory, "models/tiny"));
    while (reembeddingProgress(lectern.appliance).datasets > 0) await Bun.sleep(10);
    held.resolve();
    await late;
    expect(await best(key, "query")).toBe("late.txt");
    await reembedded();
    expect(storedVectors()).toEqual(Array(4).fill(storedBytesOf(tinyDimensions)));
  });

  test("a dataset that a late upload makes by the model chosen before is embedded anew too", async () => {
    const { key } = await start();
    const { embedder } = lectern.appliance.models.chosen;
    const works = embedder.embedWithTerms.bind(embedder);
    const reached = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    embedder.embedWithTerms = async (...request) => {
      const done = await works(...request);
      reached.resolve();
      await held.promise;
      return done;
    };
    const late = lectern.upload(key, "new", { "late.txt": "green sea" });
    await reached.promise;
    await lectern.appliance.chooseModel(join(lectern.directory, "models/tiny"));
    held.resolve();
    await late;
    await reembedded();
    expect(storedVectors()).toEqual([storedBytesOf(tinyDimensions)]);
    expect(await best(key, "green sea", "new")).toBe("late.txt");
  });

  test("choosing a third model, or the first again, gives up what was begun", async () => {
    const { key } = await start();
    await uploadColours(key);
    const { release, reached } = await chooseHeld("tiny");
    await reached;
    await lectern.appliance.chooseModel(null);
    release();
    await reembedded();
    expect(storedVectors()).toEqual(Array(3).fill(storedBytesOf(BUILT_IN_DIMENSIONS)));
    expect(lectern.appliance.store.reembeddings()).toEqual([]);
    expect(await best(key, "blue sea")).toBe("blue.txt");
  });

  test("a dataset whose files are all deleted, and a customer that is removed, leave nothing to do", async () => {
    const { key, customerId } = await start();
    const other = lectern.customer();
    await uploadColours(key);
    await uploadColours(other.key);
    const { release, reached } = await chooseHeld("tiny");
    await reached;
    expect((await lectern.call("DELETE", "/v1/datasets/d/files", { key })).status).toBe(200);
    lectern.appliance.access.removeCustomer(other.customerId);
    while (lectern.appliance.store.dataset(other.customerId, "d") !== null) await Bun.sleep(20);
    release();
    await reembedded();
    expect(storedVectors()).toEqual([]);
    expect(lectern.appliance.store.reembeddings()).toEqual([]);
    await lectern.upload(key, "d", { "new.txt": "green sea" });
    expect(await best(key, "green")).toBe("new.txt");
    expect(lectern.appliance.store.dataset(customerId, "d")!.modelId).toStartWith("tiny");
  });

  test("a stop in between is taken up where it was", async () => {
    const { key } = await start();
    await lectern.upload(
      key,
      "d",
      { "long.txt": Array.from({ length: 3000 }, (_, index) => colours[index % 3]).join(" ") },
      { chunkSize: "10", chunkOverlap: "0" },
    );
    const chunks = lectern.appliance.store.statistics().chunks;
    expect(chunks).toBeGreaterThan(200);
    await lectern.restart({ model: "tiny" });
    const stopped = new AbortController();
    let done = 0;
    const first = await failureOf(
      reembedAll(
        lectern.appliance,
        stopped.signal,
        (step) => (done += step) > 100 && stopped.abort(new Error("enough")),
      ),
    );
    expect(first.message).toBe("enough");
    expect(reembeddingProgress(lectern.appliance)).toEqual({ datasets: 1, chunks, done });

    await lectern.restart({ model: "tiny" });
    let rest = 0;
    await reembedAll(lectern.appliance, new AbortController().signal, (step) => (rest += step));
    expect(done + rest).toBe(chunks);
    expect(storedVectors()).toEqual(Array(chunks).fill(storedBytesOf(tinyDimensions)));
  });
});

describe("a model that is not there any more", () => {
  test("leaves its datasets unsearchable only until they are embedded anew", async () => {
    const { key } = await start();
    await lectern.restart({ model: "tiny" });
    await uploadColours(key);
    rmSync(join(lectern.directory, "models/tiny"), { recursive: true });
    await lectern.restart({});
    expect(lectern.logLines.join("\n")).toContain("cannot be searched until they are embedded anew");
    const refused = await lectern.search(key, "d", "blue");
    expect(refused).toMatchObject({ status: 503, body: { error: "MODEL_MISSING", retryAfter: 30 } });
    expect(refused.headers.get("retry-after")).toBe("30");

    lectern.appliance.startReembedding();
    await reembedded();
    expect(await best(key, "blue sea")).toBe("blue.txt");
  });

  test("a model that cannot be opened is not chosen, and the present one stays", async () => {
    await start();
    const failure = await failureOf(lectern.appliance.chooseModel(join(lectern.directory, "models/nothing")));
    expect(failure.message).toContain('There is no embedding model "nothing"');
    expect(lectern.appliance.models.chosen.embedder.manifest.dimensions).toBe(BUILT_IN_DIMENSIONS);
  });
});
