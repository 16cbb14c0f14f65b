/** Lexical indexes on disk: what is saved is found as it was, and nothing that becomes of the files changes an answer. */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { verifySavedWords, type IndexDamage } from "../../../src/search/index.ts";
import { openWords, type OpenWords } from "../open.ts";
import { decodeSegment, encodeSegment } from "../../../src/search/words/segment-file.ts";
import { Segment } from "../../../src/search/words/segment.ts";
import type { Store, StoredFile } from "../../../src/store/index.ts";
import { TermCounts } from "../../../src/store/term-counts.ts";
import { add, cleanUp, emptyStore, sampleFile, unitVector } from "../../store/samples.ts";

setDefaultTimeout(60_000);

const CHUNKS = 3000;
/** A term of its own, one that every seventh has, and one that all have. */
const termsOf = (chunk: number): number[] => [1, 10 + (chunk % 7), 1000 + chunk];
const QUESTIONS = [[1], [10, 1005], [11, 12, 3999], [2500]];

let store: Store;
let dataDirectory: string;
let indexes: OpenWords | null = null;
let damages: IndexDamage[];
let failures: string[];
let file: StoredFile;
let folder: string;

beforeEach(async () => {
  ({ store, dataDirectory } = await emptyStore());
  file = await addFile(CHUNKS);
  folder = join(dataDirectory, "indexes", `${file.datasetId}-words`);
});
afterEach(async () => {
  await close();
  await cleanUp();
});

async function addFile(chunks: number): Promise<StoredFile> {
  const terms = Array.from({ length: chunks }, (_, chunk) => Uint32Array.from(termsOf(chunk)));
  const {
    files: [added],
  } = await add(store, [sampleFile({ chunkCount: chunks, terms, vectors: terms.map((_, at) => unitVector(at % 5)) })]);
  return added!;
}

async function open(): Promise<void> {
  await close();
  [damages, failures] = [[], []];
  indexes = await openWords({
    dataDirectory,
    openDatasets: 8,
    onDamage: (damage) => damages.push(damage),
    onBuildFailure: (reason) => failures.push(reason),
  });
}

async function close(): Promise<void> {
  await indexes?.close();
  indexes = null;
}

const rangeOf = ({ firstChunkId, chunkCount }: StoredFile) => ({
  first: firstChunkId,
  last: firstChunkId + chunkCount - 1,
});
const answers = () =>
  Promise.all(
    QUESTIONS.map(async (terms) => {
      const question = { terms: Uint32Array.from(terms), importance: new Float32Array(terms.length).fill(1) };
      const { matches, holders, chunks } = await indexes!.search({ datasetId: file.datasetId, question, count: 20 });
      return { matches, holders, chunks };
    }),
  );
const savedFiles = (): string[] => (existsSync(folder) ? readdirSync(folder) : []);

test("what was saved is searched after a start, is private to its owner, and what came and went meanwhile counts", async () => {
  await open();
  const before = await answers();
  await open();
  expect(savedFiles()).toHaveLength(1);
  expect(statSync(join(folder, savedFiles()[0]!)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(await answers()).toEqual(before);
  expect(await verifySavedWords(dataDirectory)).toEqual({ whole: 1, damaged: [] });
  await close();

  const late = await addFile(50);
  await store.deleteFiles({ fileRows: [file.id] });
  await open();
  const [all] = await answers();
  expect(all!.chunks).toBe(50);
  expect(all!.matches.every(({ chunkId }) => chunkId >= late.firstChunkId)).toBe(true);
  expect(damages).toEqual([]);
});

test("segments that were merged leave no file behind, and an emptied dataset none at all", async () => {
  await open();
  await answers();
  await open();
  for (let round = 0; round < 3; round++) {
    const more = await addFile(2000);
    await answers();
    await indexes!.add({ datasetId: more.datasetId, range: rangeOf(more) });
  }
  const before = await answers();
  await open();
  expect(savedFiles()).toHaveLength(1);
  expect(await answers()).toEqual(before);

  const everything = { first: 0, last: Number.MAX_SAFE_INTEGER };
  await store.forgetCustomer("nobody");
  await store.deleteFiles({ fileRows: store.filesOfDataset(file.datasetId).map(({ id }) => id) });
  await indexes!.remove({ datasetId: file.datasetId, ranges: [everything] });
  expect(existsSync(folder)).toBe(false);
});

test("a dataset that lost its chunks while nobody looked loses its folder at the next start", async () => {
  await open();
  await answers();
  await close();
  expect(savedFiles()).toHaveLength(1);
  await store.deleteFiles({ fileRows: [file.id] });
  await open();
  expect(existsSync(folder)).toBe(false);
});

const path = (): string => join(folder, savedFiles()[0]!);
const replaceBy = (make: (at: string) => void): void => {
  const at = path();
  rmSync(at);
  make(at);
};
const damagesOf: [name: string, inflict: () => void, told: number][] = [
  ...Array.from({ length: 20 }, (_, round): (typeof damagesOf)[number] => [
    `one bit flipped (${round})`,
    () => {
      const bytes = readFileSync(path());
      bytes[Math.floor((bytes.length * (round * 7919)) / 150_461) % bytes.length]! ^= 1 << (round % 8);
      writeFileSync(path(), bytes);
    },
    1,
  ]),
  ["cut short", () => writeFileSync(path(), readFileSync(path()).subarray(0, 500)), 1],
  ["empty", () => writeFileSync(path(), ""), 1],
  ["longer", () => writeFileSync(path(), Buffer.concat([readFileSync(path()), Buffer.alloc(8)])), 1],
  ["missing", () => rmSync(path()), 0],
  ["a folder", () => replaceBy((at) => mkdirSync(at)), 1],
  ["a pipe", () => replaceBy((at) => void Bun.spawnSync(["mkfifo", at])), 1],
  ["a link to a device that never ends", () => replaceBy((at) => symlinkSync("/dev/zero", at)), 1],
  ["there twice", () => writeFileSync(`${path().slice(0, -8)}00000000`, readFileSync(path())), 0],
  ["beside a half-written one", () => writeFileSync(`${path()}.partial`, "half"), 0],
];
test.each(damagesOf)("a file that is %s changes no answer, and is made anew", async (_, inflict, told) => {
  await open();
  const before = await answers();
  await close();
  inflict();
  expect((await verifySavedWords(dataDirectory)).damaged).toHaveLength(told);
  await open();
  expect(await answers()).toEqual(before);
  expect(damages).toEqual(Array(told).fill({ datasetId: file.datasetId, reason: expect.any(String) }) as never);
  await open();
  expect(await answers()).toEqual(before);
  expect([damages, failures, savedFiles().length]).toEqual([[], [], 1]);
  expect(await verifySavedWords(dataDirectory)).toEqual({ whole: 1, damaged: [] });
});

test("where nothing can be saved it is told once, and searches answer as before", async () => {
  await open();
  const before = await answers();
  await close();
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "");
  await open();
  expect(await answers()).toEqual(before);
  await indexes!.add({ datasetId: file.datasetId, range: rangeOf(file) });
  await Bun.sleep(1500);
  expect(await answers()).toEqual(before);
  expect(failures).toHaveLength(1);
});

test("any segment is read back as it was written, and nothing else is read", () => {
  const chunks = fc.array(fc.uniqueArray(fc.nat({ max: 1e7 }), { maxLength: 12 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(chunks, fc.nat(), fc.nat({ max: 7 }), (lists, at, bit) => {
      const contents = new TermCounts();
      for (const terms of lists) {
        contents.reserve(terms.length);
        for (const term of [...terms].sort((left, right) => left - right)) {
          contents.terms[contents.length] = term;
          contents.counts[contents.length++] = 1 + (term % 3);
        }
        contents.ends.push(contents.length);
      }
      const segment = Segment.of(
        lists.map((_, row) => 3 * row + 5),
        contents,
      );
      const bytes = encodeSegment(segment.parts());
      expect(decodeSegment(bytes.slice())).toEqual(segment.parts());
      bytes[at % bytes.length]! ^= 1 << bit;
      expect(() => decodeSegment(bytes)).toThrow("a saved part of a lexical index is damaged");
    }),
  );
});
