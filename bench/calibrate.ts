/**
 * Chooses what a manifest's `search` and `calibration` hold, on question sets with passages (quality/question-set.ts): how well
 * each weight of the vectors finds the right passage, and for the manifest's own weight the maps from similarity to score.
 * Every passage is compared, by the product's own BM25 and cosines.
 */
import { dotProduct } from "../src/foundation/dot-product.ts";
import { openEmbedder, type Embedder } from "../src/embedding/index.ts";
import { scoreMap } from "../src/embedding/calibration.ts";
import type { Calibration } from "../src/embedding/manifest.ts";
import { WordIndex } from "../src/search/words/word-index.ts";
import { SEGMENT_ROWS } from "../src/search/words/segment.ts";
import { joinedSimilarity } from "../src/ranking/joined-similarity.ts";
import { TermCounts } from "../src/store/index.ts";
import { appendTermCounts, encodeChunkTokens } from "../src/store/chunk-tokens.ts";
import type { BenchOptions } from "./options.ts";
import { bandShares, fitCalibration, type JudgedResult } from "./quality/calibration.ts";
import { rankOf, retrievalScores } from "./quality/measures.ts";
import { readQuestionSets, type QuestionSet } from "./quality/question-set.ts";

const WEIGHTS = [0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.7, 1];
/** Results of a search that are judged. */
const RESULTS = 8;

/** What each passage of a question's pool has to say for itself. */
interface Evidence {
  readonly cosines: Float32Array;
  readonly overlaps: Float32Array;
  readonly right: readonly number[];
}

export async function benchCalibrate(options: BenchOptions): Promise<void> {
  if (options.questionFolder === null) throw new Error("calibrate needs --questions FOLDER");
  for (const model of options.models.length > 0 ? options.models : ["default"]) {
    const embedder = await openEmbedder({
      modelDirectory: model === "default" ? null : model,
      threads: 2,
      maxQueuedTexts: 1_000_000,
    });
    const { denseWeight } = embedder.manifest.search;
    const judged = {
      vector: [[], []] as [JudgedResult[], JudgedResult[]],
      hybrid: [[], []] as [JudgedResult[], JudgedResult[]],
    };
    let half = 0;
    console.log(
      `model: ${embedder.modelId}\nMRR@10 by weight of the vectors`.padEnd(30) +
        WEIGHTS.map((weight) => String(weight).padStart(7)).join(""),
    );
    for (const set of readQuestionSets(options.questionFolder)) {
      const ranks = WEIGHTS.map((): number[] => []);
      for await (const { cosines, overlaps, right } of gatherEvidence(set, embedder)) {
        WEIGHTS.forEach((weight, index) => ranks[index]!.push(rankOf(join(cosines, overlaps, weight), right)));
        judged.vector[half]!.push(...judge(cosines, right));
        judged.hybrid[half]!.push(...judge(join(cosines, overlaps, denseWeight), right));
        half = 1 - half;
      }
      console.log(set.name.padEnd(30) + ranks.map((own) => retrievalScores(own).mrr.toFixed(3).padStart(7)).join(""));
    }
    for (const [mode, halves] of Object.entries(judged)) {
      const points = fitCalibration(halves.flat());
      const [first, second] = halves;
      // What a fit promises for questions that it has not seen.
      const others = [...place(second, fitCalibration(first)), ...place(first, fitCalibration(second))];
      console.log(
        `${mode}: ${JSON.stringify(points)}\n  on the same questions: ${tell(place(halves.flat(), points))}\n  fitted on one half, judged on the other: ${tell(others)}`,
      );
    }
    await embedder.close();
  }
}

async function* gatherEvidence(set: QuestionSet, embedder: Embedder): AsyncGenerator<Evidence> {
  for (const [dataset, questions] of Map.groupBy(set.questions, (question) => question.dataset)) {
    const passages = set.passages.filter((passage) => passage.dataset === dataset);
    const place = new Map(passages.map(({ id }, index) => [id, index]));
    const held = await embedder.embedWithTerms(
      passages.map(({ text }) => text),
      "passage",
      "upload",
    );
    const asked = await embedder.embedWithTerms(
      questions.map(({ text }) => text),
      "query",
      "upload",
    );
    const index = indexOf(held.terms);
    const ids = passages.map((_, at) => at);
    for (const [at, question] of questions.entries()) {
      yield {
        cosines: Float32Array.from(held.vectors, (vector) => dotProduct(asked.vectors[at]!, vector)),
        overlaps: Float32Array.from(index.scores({ terms: asked.terms[at]!, importance: asked.importance[at]! }, ids)),
        right: question.right.map((id) => place.get(id)!),
      };
    }
  }
}

/** Passages are numbered from 0. */
function indexOf(terms: readonly Uint32Array[]): WordIndex {
  const index = new WordIndex();
  for (let start = 0; start < terms.length; start += SEGMENT_ROWS) {
    const contents = new TermCounts();
    const part = terms.slice(start, start + SEGMENT_ROWS);
    for (const one of part) appendTermCounts(contents, encodeChunkTokens(one));
    index.append(
      part.map((_, at) => start + at),
      contents,
    );
  }
  return index;
}

const join = (cosines: Float32Array, overlaps: Float32Array, weight: number): Float32Array =>
  cosines.map((cosine, at) => joinedSimilarity(cosine, overlaps[at]!, weight));

/** Results with the score that a calibration gives them in the similarity's place. */
function place(results: readonly JudgedResult[], points: Calibration): JudgedResult[] {
  const score = scoreMap(points);
  return results.map(({ similarity, isRight }) => ({ similarity: score(similarity), isRight }));
}

const tell = (scored: readonly JudgedResult[]): string =>
  bandShares(scored, (score) => score)
    .map(({ from, results, right }) => `${from}+: ${results} results, ${(100 * right).toFixed(1)} % right`)
    .join("; ");

function judge(similarities: Float32Array, right: readonly number[]): JudgedResult[] {
  const best = Array.from(similarities.keys())
    .sort((left, other) => similarities[other]! - similarities[left]!)
    .slice(0, RESULTS);
  return best.map((passage) => ({ similarity: similarities[passage]!, isRight: right.includes(passage) }));
}
