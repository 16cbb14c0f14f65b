/** The ranking Worker over a real store, with the built-in table and its weights. */
import { Database } from "bun:sqlite";
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { openEmbedder, type EmbeddedTexts } from "../../src/embedding/index.ts";
import { openRanking, type Candidate, type Question, type Ranking, type RankingMode } from "../../src/ranking/index.ts";
import { indexedChunk } from "../../src/store/index.ts";
import { FIRST_WORD } from "../../src/foundation/term-ids.ts";
import { add, cleanUp, emptyStore, sampleFile, unitVector } from "../store/samples.ts";

setDefaultTimeout(60_000);

const TEXTS = [
  "The museum opens at nine in the morning and closes at six; on Mondays it stays closed.",
  "Das Museum öffnet um neun Uhr morgens und schließt um achtzehn Uhr, montags bleibt es geschlossen.",
  "Tickets for the ferry to the island are sold at the harbour office.",
  "The annual report of 2024 lists a profit of twelve million.",
  "The annual report of 2025 lists a loss of three million.",
  "",
];

const embedder = await openEmbedder({ modelDirectory: null, threads: 1, maxQueuedTexts: 1000 });
const read = await embedder.embedWithTerms(TEXTS, "passage", "upload");

let ranking: Ranking | undefined;
afterEach(async () => {
  await ranking?.close();
  ranking = undefined;
  await cleanUp();
});

/** The texts as one file's chunks, and candidates for all of them. */
async function opened(mode: RankingMode = "full") {
  const { store, dataDirectory } = await emptyStore();
  const { files } = await add(store, [
    sampleFile({
      chunks: TEXTS,
      chunkCount: TEXTS.length,
      vectors: TEXTS.map((_, at) => unitVector(at)),
      terms: read.terms,
    }),
  ]);
  ranking = await openRanking({ dataDirectory, mode, threads: 2 });
  const file = files[0]!;
  const candidates = TEXTS.map(
    (_, at): Candidate => ({ chunkId: indexedChunk(file.firstChunkId + at, 0), cosine: 0.3, overlap: 0.1 }),
  );
  return { store, dataDirectory, ranking, file, candidates };
}

/** Of the texts, as the lexical index tells them. */
function commonTokens(): Question["common"] {
  const counts = new Map<number, number>();
  for (const terms of read.terms)
    for (const token of new Set(terms)) if (token < FIRST_WORD) counts.set(token, (counts.get(token) ?? 0) + 1);
  const common = [...counts].sort((left, right) => right[1] - left[1]);
  return {
    tokens: Uint32Array.from(common, ([token]) => token),
    shares: Float32Array.from(common, ([, count]) => count / TEXTS.length),
  };
}

async function ask(text: string): Promise<Question> {
  const { terms, importance }: EmbeddedTexts = await embedder.embedWithTerms([text], "query", "search");
  const asked = terms[0]!;
  return {
    terms: asked,
    importance: importance[0]!,
    holders: asked.map((term) => read.terms.filter((own) => own.includes(term)).length),
    chunks: TEXTS.length,
    common: commonTokens(),
  };
}

describe.each<[RankingMode]>([["full"], ["fast"]])("%s", (mode) => {
  test.each([
    ["When does the museum open in the morning?", [0, 1]],
    ["Um wie viel Uhr öffnet das Museum?", [1, 0]],
    ["Where can I buy a ferry ticket?", [2]],
    ["profit in the report of 2024", [3]],
    ["loss in the report of 2025", [4]],
  ])("%s", async (question, first) => {
    const { ranking, candidates, file } = await opened(mode);
    const ranked = (await ranking.rank({ question: await ask(question), candidates }))!;
    expect(ranked.slice(0, first.length).map(({ chunkId }) => chunkId - file.firstChunkId)).toEqual(first);
    expect(ranked.length).toBe(TEXTS.length);
    expect(ranked[0]!.window).toBeGreaterThan(0.3);
    expect(ranked.map(({ score }) => score)).toEqual(
      ranked.map(({ score }) => score).toSorted((left, right) => right - left),
    );
  });
});

test("a candidate that is gone is left out, no candidate is no result", async () => {
  const { ranking, candidates } = await opened();
  const question = await ask("museum");
  const gone = { chunkId: indexedChunk(999_999, 0), cosine: 0.9, overlap: 0.9 };
  expect((await ranking.rank({ question, candidates: [gone, candidates[0]!] }))!.map(({ chunkId }) => chunkId)).toEqual(
    [candidates[0]!.chunkId],
  );
  expect(await ranking.rank({ question, candidates: [] })).toEqual([]);
});

test("while a candidate of an older version has not been read anew, nothing is ranked", async () => {
  const { ranking, candidates, dataDirectory } = await opened();
  const database = new Database(join(dataDirectory, "lectern.db"));
  database.run("PRAGMA busy_timeout = 10000");
  database.run("INSERT INTO chunkTerms (chunkId, terms) VALUES (?, ?)", [candidates[0]!.chunkId, new Uint8Array([2])]);
  database.run("DELETE FROM chunkTokens WHERE chunkId = ?", [candidates[0]!.chunkId]);
  const question = await ask("museum");
  expect(await ranking.rank({ question, candidates })).toBe(null);
  expect((await ranking.rank({ question, candidates: candidates.slice(1) }))!.length).toBe(TEXTS.length - 1);
  database.close();
});

test("sentences are read for a question: the one that holds its words matches them", async () => {
  const { ranking } = await opened();
  const sentences = ["The museum opens at nine.", "Ferries sail to the island."];
  const { terms } = await embedder.embedWithTerms(sentences, "passage", "search");
  const { weights, texts } = await ranking.read({ question: await ask("museum opening hours"), texts: terms });
  expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 5);
  const worth = texts.map(({ matches }) => matches.reduce((sum, match, unit) => sum + weights[unit]! * match ** 2, 0));
  expect(worth[0]!).toBeGreaterThan(2 * worth[1]!);
  expect(await ranking.read({ question: await ask("?"), texts: [] })).toEqual({
    weights: new Float32Array(0),
    texts: [],
  });
});
