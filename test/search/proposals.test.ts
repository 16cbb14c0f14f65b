/** What a search's halves propose together, by the pool of search threads over a real store. */
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { openSearchEngine, type AskedQuestion, type SearchEngine } from "../../src/search/index.ts";
import { indexedChunk, indexId } from "../../src/store/index.ts";
import { add, cleanUp, DIMENSIONS, emptyStore, sampleFile, unitVector } from "../store/samples.ts";

setDefaultTimeout(60_000);

const HOUSE = 11,
  HAUS = 12,
  OTHER = 13;
/** Of each chunk its terms, and the axis of its vector. */
const CHUNKS: [terms: number[], axis: number][] = [
  [[HAUS, OTHER], 1],
  [[OTHER], 0],
  [[HOUSE], 2],
  [[OTHER], 3],
];

let engine: SearchEngine | undefined;
afterEach(async () => {
  await engine?.close();
  engine = undefined;
  await cleanUp();
});

/** The positions of the chunks that a question about a house proposes, one by each kind of evidence, and what the gloss says of each. */
async function proposed(
  gloss: AskedQuestion["gloss"],
  within?: number[],
): Promise<(readonly [chunk: number, translated: number | undefined])[]> {
  const { store, dataDirectory } = await emptyStore();
  const { files } = await add(store, [
    sampleFile({
      chunks: CHUNKS.map((_, at) => `passage ${at}`),
      chunkCount: CHUNKS.length,
      vectors: CHUNKS.map(([, axis]) => unitVector(axis)),
      terms: CHUNKS.map(([terms]) => Uint32Array.from(terms)),
    }),
  ]);
  const dataset = store.dataset("acme", "letters")!;
  const notices = { onTrouble: () => {}, onDamage: () => {}, onTooLarge: () => {}, onBuildFailure: () => {} };
  engine = await openSearchEngine(
    {
      dataDirectory,
      dimensions: DIMENSIONS,
      modelId: "model@1",
      words: true,
      threads: 1,
      openDatasets: 8,
      memoryBytes: 1e9,
      exactLimit: 1000,
      graphLimit: 1_000_000,
      searchExpansion: 64,
    },
    notices,
  );
  const first = files[0]!.firstChunkId;
  const chunkAt = (at: number): number => indexedChunk(first + at, 0);
  const { proposals } = await engine.find({
    datasetId: indexId(dataset.id, dataset.generation),
    question: { terms: Uint32Array.of(HAUS), importance: Float32Array.of(1), vector: unitVector(0), gloss },
    count: 1,
    within: within?.map((at) => ({ first: chunkAt(at), last: chunkAt(at) })),
  });
  return proposals
    .map(({ chunkId, translated }) => [chunkId - chunkAt(0), translated] as const)
    .sort(([left], [right]) => left - right);
}

const gloss = { terms: Uint32Array.of(HOUSE), importance: Float32Array.of(1) };

describe("a search proposes", () => {
  test("what is near, and what holds the question's words", async () =>
    expect(await proposed(null)).toEqual([
      [0, undefined],
      [1, undefined],
    ]));

  test("what holds the words of its gloss beside them, and says so", async () =>
    expect(await proposed(gloss)).toEqual([
      [0, undefined],
      [1, undefined],
      [2, expect.closeTo(1, 0)],
    ]));

  test("nothing beyond what the search is restricted to", async () =>
    expect(await proposed(gloss, [1, 3])).toEqual([[1, undefined]]));
});
