/** The built-in model in its thread: order, priorities, limits and the end. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openEmbedder, type Embedder } from "../../src/embedding/index.ts";
import { verifyModelFiles, modelFolder } from "../../src/embedding/model-folder.ts";

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
const builtIn = { modelDirectory: null, threads: 1, maxQueuedTexts: 1000 };

describe("the built-in model", () => {
  let embedder: Embedder;
  beforeAll(async () => void (embedder = await openEmbedder(builtIn)));
  afterAll(() => embedder.close());

  test("is made of the files that its manifest describes", async () => {
    await verifyModelFiles(modelFolder(null), embedder.manifest);
    expect(embedder.modelId).toMatch(/^lectern-[a-z-]+@\d+\.\d+\.\d+#[0-9a-f]{12}$/);
  });

  test("makes unit vectors of 1536 dimensions, the same in company as alone", async () => {
    const texts = [
      "Seitenränder ändern",
      "",
      "短い",
      "a".repeat(40_000),
      "page margins ".repeat(200),
      "\ud800 lone",
      "\0",
      "   ",
    ];
    const together = await embedder.embed(texts, "passage", "upload");
    for (const [at, text] of texts.entries()) {
      const vector = together[at] as Float32Array;
      expect(vector.length).toBe(1536);
      expect(cosine(vector, vector)).toBeCloseTo(1, 4);
      const [alone] = await embedder.embed([text], "passage", "search");
      expect(cosine(vector, alone as Float32Array)).toBeCloseTo(1, 4);
    }
  });

  test("brings the same meaning of several languages together", async () => {
    const [question, german, japanese, other] = (await embedder.embed(
      [
        "How do I change the page margins?",
        "Seitenränder ändern",
        "ページの余白を変更する",
        "Der Kuchen wird mit Bananen gebacken.",
      ],
      "query",
      "search",
    )) as [Float32Array, Float32Array, Float32Array, Float32Array];
    expect(cosine(question, german)).toBeGreaterThan(cosine(question, other) + 0.1);
    expect(cosine(question, japanese)).toBeGreaterThan(cosine(question, other) + 0.1);
    expect(embedder.score(cosine(question, other), "vector")).toBeLessThan(0.5);
  });

  test("answers a search before the uploads that were there first", async () => {
    const finished: string[] = [];
    const chunk = "the quick brown fox jumps over the lazy dog ".repeat(30);
    const uploads = embedder
      .embed(
        Array.from({ length: 400 }, (_, at) => `${at} ${chunk}`),
        "passage",
        "upload",
      )
      .then(() => finished.push("upload"));
    const search = embedder.embed(["fox"], "query", "search").then(() => finished.push("search"));
    await Promise.all([uploads, search]);
    expect(finished).toEqual(["search", "upload"]);
  });

  test("reads terms without vectors as it reads them with", async () => {
    const texts = Array.from({ length: 40 }, (_, at) => `${at} Seitenränder ändern, AX-4711 ${"短い ".repeat(at)}`);
    const terms = await embedder.terms(texts, "upload");
    expect(terms).toEqual((await embedder.embedWithTerms(texts, "passage", "upload")).terms);
    expect(terms[3]).toBeInstanceOf(Uint32Array);
    expect(await embedder.terms([], "upload")).toEqual([]);
  });

  test("embeds nothing as nothing", async () => {
    expect(await embedder.embed([], "query", "search")).toEqual([]);
  });
});

test("uploads beyond the queue's limit are refused as BUSY while searches pass; a large request alone is accepted", async () => {
  const embedder = await openEmbedder({ ...builtIn, maxQueuedTexts: 4 });
  const large = embedder.embed(["a", "b", "c", "d", "e", "f"], "passage", "upload");
  const refused = await embedder.embed(["g"], "passage", "upload").catch((error) => error);
  expect(refused).toMatchObject({ code: "BUSY", retryAfter: 1 });
  expect(await embedder.terms(["g"], "upload").catch((error) => error)).toMatchObject({ code: "BUSY", retryAfter: 1 });
  expect(await embedder.embed(["h"], "query", "search")).toHaveLength(1);
  expect(await embedder.terms(["h"], "search")).toHaveLength(1);
  expect(await large).toHaveLength(6);
  expect(await embedder.embed(["g"], "passage", "upload")).toHaveLength(1);
  await embedder.close();
});

test("closing answers what was accepted, refuses what comes later, and may be repeated", async () => {
  const embedder = await openEmbedder(builtIn);
  const accepted = embedder.embed(["one", "two"], "passage", "upload");
  const read = embedder.terms(
    Array.from({ length: 50 }, (_, at) => `text ${at}`),
    "upload",
  );
  const closed = embedder.close();
  expect(await embedder.embed(["three"], "passage", "upload").catch((error) => error)).toMatchObject({
    code: "SHUTTING_DOWN",
  });
  expect(await accepted).toHaveLength(2);
  expect(await read).toHaveLength(50);
  await closed;
  await embedder.close();
});
