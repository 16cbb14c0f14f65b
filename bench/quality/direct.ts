/** What a model finds by itself: every vector and every token compared, without a server, an index or chunking. */
import { openEmbedder, modelFolder, type Embedder } from "../../src/embedding/index.ts";
import { ModelTokenizer } from "../../src/embedding/tokenizer.ts";
import { Bm25 } from "./bm25.ts";
import { rankOf, spearman } from "./measures.ts";
import type { Passage, Question, QuestionSet } from "./question-set.ts";

/** Weight of the dense cosine beside BM25 in the sum that stands for hybrid search. */
const DENSE_WEIGHT = 0.3;
const TEXTS_AT_ONCE = 2000;

/** The ranks of each question's first right passage, in the questions' order, by each way of finding. */
export interface Ranks {
  readonly [way: string]: number[];
}

export class ModelUnderTest {
  private constructor(
    readonly name: string,
    private readonly embedder: Embedder,
    private readonly tokenizer: ModelTokenizer,
  ) {}

  /** `directory` null: the built-in model. */
  static async open(directory: string | null, threads: number): Promise<ModelUnderTest> {
    const embedder = await openEmbedder({ modelDirectory: directory, threads, maxQueuedTexts: 10 * TEXTS_AT_ONCE });
    return new ModelUnderTest(embedder.modelId, embedder, ModelTokenizer.load(modelFolder(directory), embedder.manifest.maxTokens));
  }

  close(): Promise<void> {
    return this.embedder.close();
  }

  /** Ranks among all passages of the right one's language, or among all of them for documents. */
  async retrieve(questions: readonly Question[], passages: readonly Passage[], isRight: (question: Question, passage: Passage) => boolean, byLanguage: boolean): Promise<Ranks> {
    const ranks = { dense: new Array<number>(questions.length), bm25: new Array<number>(questions.length), hybrid: new Array<number>(questions.length) };
    const poolOf = (language: string): string => (byLanguage ? language : "");
    for (const [pool, asked] of Map.groupBy(questions.keys(), (index) => poolOf(questions[index]!.passageLanguage))) {
      const candidates = passages.filter((passage) => poolOf(passage.language) === pool);
      const vectors = await this.embed(candidates.map(({ text }) => text), "passage");
      const lexical = new Bm25(await this.tokenizer.ids(candidates.map(({ text }) => text)));
      const texts = asked.map((index) => questions[index]!.text);
      const questionVectors = await this.embed(texts, "query");
      const questionTokens = await this.tokenizer.ids(texts);
      for (const [at, index] of asked.entries()) {
        const right = candidates.flatMap((passage, candidate) => (isRight(questions[index]!, passage) ? [candidate] : []));
        const dense = Float32Array.from(vectors, (vector) => dot(questionVectors[at]!, vector));
        const bm25 = lexical.scores(questionTokens[at]!);
        ranks.dense[index] = rankOf(dense, right);
        ranks.bm25[index] = bm25.some((score) => score > 0) ? rankOf(bm25, right) : Infinity;
        ranks.hybrid[index] = rankOf(dense.map((score, passage) => DENSE_WEIGHT * score + (1 - DENSE_WEIGHT) * bm25[passage]!), right);
      }
    }
    return ranks;
  }

  /** By language: how often the text is found by its translation among all texts of that language. */
  async bitext(rows: QuestionSet["bitext"]): Promise<Map<string, number>> {
    const scores = new Map<string, number>();
    let known = { texts: "", vectors: [] as Float32Array[] };
    for (const [language, pairs] of Map.groupBy(rows, (row) => row.language)) {
      const sources = pairs.map(({ text }) => text);
      const texts = JSON.stringify(sources);
      // Sets usually translate the same texts into every language.
      if (known.texts !== texts) known = { texts, vectors: await this.embed(sources, "passage") };
      const translations = await this.embed(pairs.map(({ translation }) => translation), "passage");
      const found = translations.filter((vector, index) => nearest(vector, known.vectors) === index).length;
      scores.set(language, found / pairs.length);
    }
    return scores;
  }

  /** By language: Spearman's correlation of cosine and people's judgement. */
  async similarity(rows: QuestionSet["similarity"]): Promise<Map<string, number>> {
    const scores = new Map<string, number>();
    for (const [language, pairs] of Map.groupBy(rows, (row) => row.language)) {
      const left = await this.embed(pairs.map((pair) => pair.left), "passage");
      const right = await this.embed(pairs.map((pair) => pair.right), "passage");
      scores.set(language, spearman(left.map((vector, index) => dot(vector, right[index]!)), pairs.map((pair) => pair.similarity)));
    }
    return scores;
  }

  private async embed(texts: readonly string[], kind: "query" | "passage"): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += TEXTS_AT_ONCE) vectors.push(...(await this.embedder.embed(texts.slice(start, start + TEXTS_AT_ONCE), kind, "upload")));
    return vectors;
  }
}

function nearest(vector: Float32Array, others: readonly Float32Array[]): number {
  let best = -1, highest = -Infinity;
  others.forEach((other, index) => {
    const similarity = dot(vector, other);
    if (similarity > highest) [best, highest] = [index, similarity];
  });
  return best;
}

function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index++) sum += left[index]! * right[index]!;
  return sum;
}
