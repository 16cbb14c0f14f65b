/**
 * What the ranking network is trained on: the numbers that the server's own code makes of each question and its candidates.
 *
 *     bun inputs.ts SETS OUT        (folders; every SETS/*.json becomes OUT/NAME.json and OUT/NAME.f32)
 */
import { mkdirSync, readdirSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { Bm25 } from "../../../bench/quality/bm25.ts";
import { dotProduct } from "../../../src/foundation/dot-product.ts";
import { openEmbedder, type Embedder } from "../../../src/embedding/index.ts";
import type { CommonTokens } from "../../../src/search/index.ts";
import type { Candidate } from "../../../src/ranking/index.ts";
import { chooseCandidates } from "../../../src/ranking/candidates.ts";
import { CHUNK_INPUTS, joinedBefore, MATCH_INPUTS, QUESTION_INPUTS, UNIT_INPUTS } from "../../../src/ranking/inputs.ts";
import { CANDIDATES } from "../../../src/operations/ranking.ts";
import { openReader } from "../../../src/ranking/open-reader.ts";
import { MOST_UNITS } from "../../../src/ranking/unit-vectors.ts";
import { tokensOf } from "../../../src/foundation/term-ids.ts";

const COMMON_TOKENS = 64;
const TEXTS_AT_ONCE = 1000;
/** Numbers of one question: see `train.py`, which reads them. */
const NUMBERS = CANDIDATES * MOST_UNITS * MATCH_INPUTS + MOST_UNITS * UNIT_INPUTS + CANDIDATES * CHUNK_INPUTS + QUESTION_INPUTS + 2;
/** The right passage is not among the candidates; it is not there at all. */
const MISSED = -1;
const UNANSWERABLE = -2;

interface QuestionSet {
  readonly name: string;
  readonly kind: string;
  readonly language: string;
  readonly passages: readonly string[];
  readonly questions: readonly { readonly text: string; readonly right: number | null; readonly language: string }[];
}

const [setFolder, outFolder] = process.argv.slice(2);
if (!setFolder || !outFolder) throw new Error("bun inputs.ts SETS OUT");
mkdirSync(outFolder, { recursive: true });
const embedder = await openEmbedder({ modelDirectory: null, threads: Math.min(4, cpus().length), maxQueuedTexts: 10 * TEXTS_AT_ONCE });
const reader = await openReader({ withLexicon: false });
for (const file of readdirSync(setFolder).filter((name) => name.endsWith(".json")).sort()) await makeInputs((await Bun.file(join(setFolder, file)).json()) as QuestionSet);
await embedder.close();

async function makeInputs({ name, kind, language, passages, questions }: QuestionSet): Promise<void> {
  const started = performance.now();
  const read = await embedAll(embedder, passages, "passage");
  const lexical = new Bm25(read.terms);
  const tokens = read.terms.map(tokensOf);
  const common = commonTokens(tokens);
  const asked = await embedAll(embedder, questions.map(({ text }) => text), "query");
  const numbers = new Float32Array(questions.length * NUMBERS);
  const right: number[] = [];
  let reciprocals = 0;
  let dataset: number[] = [];
  questions.forEach((question, index) => {
    const vector = asked.vectors[index]!;
    const cosines = Float32Array.from(read.vectors, (passage) => dotProduct(vector, passage));
    const terms = asked.terms[index]!, importance = asked.importance[index]!;
    const overlaps = lexical.scores({ terms, importance });
    const candidates = firstStage(cosines, overlaps);
    const inputs = reader.inputs({ terms, importance, holders: lexical.holders(terms), chunks: passages.length, common }, candidates, candidates.map(({ chunkId }) => tokens[chunkId]!));
    right.push(question.right === null ? UNANSWERABLE : Math.max(MISSED, candidates.findIndex(({ chunkId }) => chunkId === question.right)));
    const joined = candidates.toSorted((left, other) => joinedBefore(other) - joinedBefore(left)).slice(0, 10).findIndex(({ chunkId }) => chunkId === question.right);
    if (joined >= 0) reciprocals += 1 / (joined + 1);
    dataset = [...inputs.dataset];
    let at = index * NUMBERS;
    const put = (values: ArrayLike<number>, room: number): void => {
      numbers.set(values, at);
      at += room;
    };
    put(inputs.matches, CANDIDATES * MOST_UNITS * MATCH_INPUTS);
    put(inputs.unitInputs, MOST_UNITS * UNIT_INPUTS);
    put(inputs.chunks, CANDIDATES * CHUNK_INPUTS);
    put(inputs.question, QUESTION_INPUTS);
    put([inputs.candidates, inputs.units], 2);
  });
  const answerable = questions.filter((question) => question.right !== null).length;
  const header = { name, kind, language, questions: questions.length, candidates: CANDIDATES, units: MOST_UNITS, passages: passages.length, languages: questions.map((question) => question.language), right, dataset, reciprocal: { joined: reciprocals / Math.max(1, answerable) } };
  await Bun.write(join(outFolder!, `${name}.json`), JSON.stringify(header));
  await Bun.write(join(outFolder!, `${name}.f32`), numbers);
  const found = right.filter((place) => place >= 0).length;
  console.log(`${name}: ${questions.length} questions, ${passages.length} passages, recall ${(found / Math.max(1, answerable)).toFixed(3)}, first stage ${header.reciprocal.joined.toFixed(3)}, ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

/** As the server's lexical index tells them. */
function commonTokens(passages: readonly Uint32Array[]): CommonTokens {
  const holders = new Map<number, number>();
  for (const tokens of passages) for (const token of new Set(tokens)) holders.set(token, (holders.get(token) ?? 0) + 1);
  const common = [...holders].sort((left, right) => right[1] - left[1]).slice(0, COMMON_TOKENS);
  return { tokens: Uint32Array.from(common, ([token]) => token), shares: Float32Array.from(common, ([, held]) => held / passages.length) };
}

function firstStage(cosines: Float32Array, overlaps: Float32Array): Candidate[] {
  const proposed = new Set([...best(cosines), ...best(overlaps).filter((passage) => overlaps[passage]! > 0)]);
  return chooseCandidates([...proposed].map((passage) => ({ chunkId: passage, cosine: cosines[passage]!, overlap: overlaps[passage]! })), CANDIDATES);
}

function best(values: Float32Array): number[] {
  return [...values.keys()].sort((left, right) => values[right]! - values[left]!).slice(0, CANDIDATES);
}

async function embedAll(model: Embedder, texts: readonly string[], kind: "query" | "passage") {
  const all = { vectors: [] as Float32Array[], terms: [] as Uint32Array[], importance: [] as Float32Array[] };
  for (let start = 0; start < texts.length; start += TEXTS_AT_ONCE) {
    const part = await model.embedWithTerms(texts.slice(start, start + TEXTS_AT_ONCE), kind, "upload");
    all.vectors.push(...part.vectors);
    all.terms.push(...part.terms);
    all.importance.push(...part.importance);
  }
  return all;
}
