/** Lexical search over a real store: BM25 as the formula says, over what SQLite holds, whatever happened before. */
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { WordIndex } from "../../../src/search/words/word-index.ts";
import type { LexicalQuestion } from "../../../src/search/index.ts";
import { openWords, type OpenWords } from "../open.ts";
import { SEGMENT_ROWS } from "../../../src/search/words/segment.ts";
import { TermCounts, type ChunkRange, type Store, type StoredFile } from "../../../src/store/index.ts";
import { appendTermCounts, encodeChunkTokens } from "../../../src/store/chunk-tokens.ts";
import { add, cleanUp, emptyStore, sampleFile, unitVector } from "../../store/samples.ts";

setDefaultTimeout(60_000);

const importanceOf = (term: number): number => 0.5 + (term % 3);

/** BM25 in a few lines, of each chunk, as a share of the question's maximum. */
function plainScores(chunks: ReadonlyMap<number, readonly number[]>, question: readonly number[]): Map<number, number> {
  const all = [...chunks.values()];
  const average = all.reduce((sum, terms) => sum + terms.length, 0) / all.length || 1;
  const distinct = [...new Set(question)];
  const idf = distinct.map((term) => {
    const holders = all.filter((terms) => terms.includes(term)).length;
    return importanceOf(term) * Math.log(1 + (all.length - holders + 0.5) / (holders + 0.5));
  });
  const most = idf.reduce((sum, value) => sum + value * 1.6, 0);
  return new Map(
    [...chunks].map(([chunkId, terms]) => {
      const score = distinct.reduce((sum, term, at) => {
        const count = Math.min(255, terms.filter((one) => one === term).length);
        return sum + (idf[at]! * count * 1.6) / (count + 0.6 * (0.25 + (0.75 * terms.length) / average));
      }, 0);
      return [chunkId, most === 0 ? 0 : score / most];
    }),
  );
}

/** The matches that a search for all of them should give, best first. */
function plainMatches(
  chunks: ReadonlyMap<number, readonly number[]>,
  question: readonly number[],
  isWithin = (_chunkId: number) => true,
) {
  return [...plainScores(chunks, question)]
    .filter(([chunkId, score]) => score > 0 && isWithin(chunkId))
    .sort((left, right) => right[1] - left[1] || left[0] - right[0])
    .map(([chunkId, score]) => ({ chunkId, score }));
}

function contentsOf(chunks: readonly (readonly number[])[]): TermCounts {
  const contents = new TermCounts();
  for (const terms of chunks) appendTermCounts(contents, encodeChunkTokens(Uint32Array.from(terms)));
  return contents;
}

const asked = (terms: readonly number[]): LexicalQuestion => ({
  terms: Uint32Array.from(terms),
  importance: Float32Array.from(terms, importanceOf),
});

function searchNow(index: WordIndex, question: readonly number[], count: number, within: Float64Array | null = null) {
  const search = index.search(asked(question), count, within);
  for (;;) {
    const step = search.next();
    if (step.done) return step.value.matches;
  }
}

/** The first `count` of `expected`, where any of those that tie for the last place may be it. */
function expectSame(
  found: readonly { chunkId: number; score: number }[],
  expected: readonly { chunkId: number; score: number }[],
  count = Infinity,
): void {
  expect(found.length).toBe(Math.min(count, expected.length));
  const scoreOf = new Map(expected.map(({ chunkId, score }) => [chunkId, score]));
  found.forEach(({ chunkId, score }, at) => {
    expect(score).toBeCloseTo(scoreOf.get(chunkId) ?? NaN, 9);
    expect(score).toBeCloseTo(expected[at]!.score, 9);
  });
}

describe("a dataset in memory", () => {
  const terms = fc.array(fc.nat(12), { maxLength: 12 });
  const file = fc.array(terms, { minLength: 1, maxLength: 6 });

  test("scores as the formula does after any additions and removals, in any order of arrival", () => {
    fc.assert(
      fc.property(
        fc.array(file, { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.nat()),
        terms,
        fc.array(fc.nat(60), { maxLength: 6 }),
        (files, order, question, removals) => {
          const index = new WordIndex();
          const chunks = new Map<number, number[]>();
          let nextId = 1;
          const arrivals = files.map((contents) => {
            const first = nextId;
            nextId += contents.length + 1;
            return { ids: contents.map((_, at) => first + at), contents };
          });
          const sorted = arrivals
            .map((arrival) => ({ arrival, key: order.next().value }))
            .sort((left, right) => left.key - right.key);
          for (const [
            step,
            {
              arrival: { ids, contents },
            },
          ] of sorted.entries()) {
            index.append(ids, contentsOf(contents));
            ids.forEach((id, at) => chunks.set(id, contents[at]!));
            const removed = removals[step];
            if (removed === undefined) continue;
            index.remove([{ first: removed, last: removed + 2 }]);
            for (let id = removed; id <= removed + 2; id++) chunks.delete(id);
          }
          const expected = plainMatches(chunks, question);
          expectSame(searchNow(index, question, 1000), expected);
          expectSame(searchNow(index, question, 3), expected, 3);
          const within = searchNow(index, question, 1000, Float64Array.of(2, 5, 9, 9, 20, 31));
          expectSame(
            within,
            plainMatches(chunks, question, (id) => (id >= 2 && id <= 5) || id === 9 || (id >= 20 && id <= 31)),
          );
          const ids = Array.from({ length: nextId }, (_, id) => id);
          const scores = plainScores(chunks, question);
          index.scores(asked(question), ids).forEach((score, id) => expect(score).toBeCloseTo(scores.get(id) ?? 0, 9));
          expect(index.liveRows).toBe(chunks.size);
          expect(
            index
              .missing({ first: 0, last: nextId })
              .flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at))
              .filter((id) => chunks.has(id)),
          ).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("the same chunk has the same score in a search, in a restricted search and when it is asked for", () => {
    const index = new WordIndex();
    const chunks = Array.from({ length: 300 }, (_, at) => [at % 7, at % 11, at % 13, 500 + at]);
    index.append(
      chunks.map((_, at) => at + 1),
      contentsOf(chunks),
    );
    const question = [3, 5, 7, 640];
    const all = new Map(searchNow(index, question, 300).map(({ chunkId, score }) => [chunkId, score]));
    expect([...all.values()]).toEqual([...index.scores(asked(question), [...all.keys()])]);
    const within = searchNow(index, question, 10, Float64Array.of(50, 60));
    expect(within).not.toBeEmpty();
    for (const { chunkId, score } of within) expect(score).toBe(all.get(chunkId)!);
  });

  test("tells how many chunks hold each of the question's terms, and which tokens most of them hold", () => {
    const index = new WordIndex();
    const chunks = Array.from({ length: 200 }, (_, at) => [
      1,
      ...(at % 2 ? [2] : []),
      ...(at % 4 ? [] : [3]),
      500 + at,
      2 ** 20 + 5,
    ]);
    index.append(
      chunks.map((_, at) => at + 1),
      contentsOf(chunks),
    );
    index.remove([{ first: 1, last: 1 }]);
    const search = index.search(asked([2, 3, 2, 9]), 5, null);
    let step = search.next();
    while (!step.done) step = search.next();
    const { holders, chunks: count, common } = step.value;
    expect([[...holders], count]).toEqual([[100, 49, 100, 0], 199]);
    expect([...common.tokens]).toEqual([1, 2, 3]);
    expect([...common.shares]).toEqual([1, 0.5, 0.25]);
  });

  test("terms that weigh nothing bring no chunk and change no score", () => {
    const index = new WordIndex();
    index.append([1, 2, 3], contentsOf([[1, 2], [2], [3]]));
    const question = { terms: Uint32Array.of(2, 1, 3), importance: Float32Array.of(0, 1, 0) };
    const search = index.search(question, 10, null);
    let step = search.next();
    while (!step.done) step = search.next();
    expect(step.value.matches).toEqual([{ chunkId: 1, score: index.scores(question, [1])[0]! }]);
    expect(step.value.matches[0]!.score).toBeGreaterThan(0);
  });

  test("what only light terms bring is passed over in later segments, and nothing that belongs among the best", () => {
    const index = new WordIndex();
    const chunks = new Map<number, number[]>();
    for (let first = 1; first <= 3 * SEGMENT_ROWS; first += 1000) {
      const ids = Array.from({ length: 1000 }, (_, at) => first + at);
      const terms = ids.map((id) => [1, 2 + (id % 3), 10 + (id % 50), ...(id % 9973 === 5 ? [100] : [])]);
      ids.forEach((id, at) => chunks.set(id, terms[at]!));
      index.append(ids, contentsOf(terms));
    }
    const question = [1, 2, 17, 100, 100_000];
    expectSame(searchNow(index, question, 200), plainMatches(chunks, question), 200);
  });

  test("more chunks than a segment holds are one dataset", () => {
    const index = new WordIndex();
    const size = 1000;
    for (let first = 1; first <= 3 * SEGMENT_ROWS; first += size) {
      const ids = Array.from({ length: size }, (_, at) => first + at);
      index.append(ids, contentsOf(ids.map((id) => [id % 10, 100 + (id % 5000), 10_000 + id])));
    }
    const rows = index.liveRows;
    expect(rows).toBe(50_000);
    const [best] = searchNow(index, [3, 10_000 + 33_333], 5);
    expect(best!.chunkId).toBe(33_333);
    index.remove([{ first: 1, last: 33_332 }]);
    expect(index.liveRows).toBe(rows - 33_332);
    expect(
      searchNow(index, [1234 + 100], 100)
        .map(({ chunkId }) => chunkId)
        .sort(),
    ).toEqual([36_234, 41_234, 46_234]);
  });
});

describe("in the Worker", () => {
  let indexes: OpenWords | undefined;
  afterEach(async () => {
    await indexes?.close();
    indexes = undefined;
    await cleanUp();
  });

  async function open(store: { store: Store; dataDirectory: string }, openDatasets = 8): Promise<OpenWords> {
    await indexes?.close();
    return (indexes = await openWords({ dataDirectory: store.dataDirectory, openDatasets }));
  }

  async function addFile(store: Store, chunks: number[][], tell = true, datasetName = "letters"): Promise<StoredFile> {
    const {
      files: [file],
    } = await add(
      store,
      [
        sampleFile({
          chunkCount: chunks.length,
          terms: chunks.map((terms) => Uint32Array.from(terms)),
          vectors: chunks.map((_, at) => unitVector(at)),
        }),
      ],
      { datasetName },
    );
    if (tell) await indexes!.add({ datasetId: file!.datasetId, range: rangeOf(file!) });
    return file!;
  }

  const rangeOf = (file: StoredFile): ChunkRange => ({
    first: file.firstChunkId,
    last: file.firstChunkId + file.chunkCount - 1,
  });
  const idsFor = async (datasetId: number, question: number[], within?: ChunkRange[]) =>
    (await indexes!.search({ datasetId, question: asked(question), count: 100, within })).matches
      .map(({ chunkId }) => chunkId)
      .sort((left, right) => left - right);

  test("what is committed is found, with the index in memory or not", async () => {
    const opened = await emptyStore();
    await open(opened);
    const first = await addFile(opened.store, [[1, 2], [3]]);
    expect(await idsFor(first.datasetId, [2, 3])).toEqual([1, 2]);
    const second = await addFile(opened.store, [[2, 2, 4]]);
    expect(await idsFor(first.datasetId, [2, 3])).toEqual([1, 2, 3]);
    expect(await idsFor(first.datasetId, [2, 3], [rangeOf(second)])).toEqual([3]);
    await open(opened);
    expect(await idsFor(first.datasetId, [2, 3])).toEqual([1, 2, 3]);
  });

  test("what is deleted is gone, told before or after the addition was", async () => {
    const opened = await emptyStore();
    await open(opened);
    const kept = await addFile(opened.store, [[1]]);
    await indexes!.warm(kept.datasetId);
    const gone = await addFile(opened.store, [[1], [1, 2]], false);
    await opened.store.deleteFiles({ fileRows: [gone.id] });
    await indexes!.remove({ datasetId: gone.datasetId, ranges: [rangeOf(gone)] });
    await indexes!.add({ datasetId: gone.datasetId, range: rangeOf(gone) });
    expect(await idsFor(kept.datasetId, [1, 2])).toEqual([1]);
    expect((await indexes!.statistics()).rows).toBe(1);
  });

  test("additions, removals and searches at the same time end with what SQLite holds", async () => {
    const opened = await emptyStore();
    await open(opened);
    const { datasetId } = await addFile(opened.store, [[7]], false);
    const files: StoredFile[] = [];
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        if (index % 5 === 0) await idsFor(datasetId, [7]);
        const file = await addFile(opened.store, [
          [7, index],
          [7, 100 + index],
        ]);
        if (index % 3 > 0) return files.push(file);
        await opened.store.deleteFiles({ fileRows: [file.id] });
        await indexes!.remove({ datasetId, ranges: [rangeOf(file)] });
      }),
    );
    const expected = [1, ...files.flatMap(({ firstChunkId }) => [firstChunkId, firstChunkId + 1])].sort(
      (left, right) => left - right,
    );
    expect(await idsFor(datasetId, [7])).toEqual(expected);
    await open(opened);
    expect(await idsFor(datasetId, [7])).toEqual(expected);
  });

  test("datasets are kept apart, and only so many stay in memory", async () => {
    const opened = await emptyStore();
    await open(opened, 2);
    const datasets = [];
    for (const name of ["a", "b", "c"]) datasets.push((await addFile(opened.store, [[1]], true, name)).datasetId);
    for (const [index, datasetId] of datasets.entries()) expect(await idsFor(datasetId, [1])).toEqual([index + 1]);
    expect((await indexes!.statistics()).openDatasets).toBe(2);
    const [own, ...foreign] = await indexes!.scores({
      datasetId: datasets[0]!,
      question: asked([1]),
      chunkIds: [1, 2, 99],
    });
    expect(own).toBeGreaterThan(0);
    expect(foreign).toEqual([0, 0]);
    expect(await idsFor(12_345, [1])).toEqual([]);
  });

  test("a question without terms, or with unknown ones, matches nothing", async () => {
    const opened = await emptyStore();
    await open(opened);
    const { datasetId } = await addFile(opened.store, [[1], []]);
    expect(await idsFor(datasetId, [])).toEqual([]);
    expect(await idsFor(datasetId, [4_000_000_000])).toEqual([]);
  });
});
