/** What a model finds by itself: every vector and every term compared, without a server, an index or chunking. */
import { dotProduct } from "../../src/foundation/dot-product.ts";
import { openEmbedder, type EmbeddedTexts, type Embedder } from "../../src/embedding/index.ts";
import { joinedSimilarity } from "../../src/ranking/joined-similarity.ts";
import { Bm25 } from "./bm25.ts";
import { rankOf, spearman } from "./measures.ts";
import type { Passage, Question, QuestionSet } from "./question-set.ts";

const TEXTS_AT_ONCE = 2000;

/** The ranks of each question's first right passage, in the questions' order, by each way of finding. */
export interface Ranks {
  readonly dense: number[];
  readonly bm25: number[];
  readonly hybrid: number[];
}

export class ModelUnderTest {
  private constructor(
    readonly name: string,
    private readonly embedder: Embedder,
  ) {}

  /** `directory` null: the built-in model. */
  static async open(directory: string | null, threads: number): Promise<ModelUnderTest> {
    const embedder = await openEmbedder({ modelDirectory: directory, threads, maxQueuedTexts: 10 * TEXTS_AT_ONCE });
    return new ModelUnderTest(embedder.modelId, embedder);
  }

  close(): Promise<void> {
    return this.embedder.close();
  }

  /** Ranks among all passages of the question's dataset. */
  async retrieve(
    questions: readonly Question[],
    passages: readonly Passage[],
    isRight: (question: Question, passage: Passage) => boolean,
  ): Promise<Ranks> {
    const ranks = {
      dense: new Array<number>(questions.length),
      bm25: new Array<number>(questions.length),
      hybrid: new Array<number>(questions.length),
    };
    const { denseWeight } = this.embedder.manifest.search;
    for (const [dataset, asked] of Map.groupBy(questions.keys(), (index) => questions[index]!.dataset)) {
      const candidates = passages.filter((passage) => passage.dataset === dataset);
      const { vectors, terms } = await this.embed(
        candidates.map(({ text }) => text),
        "passage",
      );
      const lexical = new Bm25(terms);
      const asking = await this.embed(
        asked.map((index) => questions[index]!.text),
        "query",
      );
      for (const [at, index] of asked.entries()) {
        const right = candidates.flatMap((passage, candidate) =>
          isRight(questions[index]!, passage) ? [candidate] : [],
        );
        const dense = Float32Array.from(vectors, (vector) => dotProduct(asking.vectors[at]!, vector));
        const bm25 = lexical.scores({ terms: asking.terms[at]!, importance: asking.importance[at]! });
        ranks.dense[index] = rankOf(dense, right);
        ranks.bm25[index] = bm25.some((score) => score > 0) ? rankOf(bm25, right) : Infinity;
        ranks.hybrid[index] = rankOf(
          dense.map((cosine, passage) => joinedSimilarity(cosine, bm25[passage]!, denseWeight)),
          right,
        );
      }
    }
    return ranks;
  }

  /** Of each row in order, whether its text is found by its translation among all texts of that language. */
  async bitext(rows: QuestionSet["bitext"]): Promise<boolean[]> {
    const found = new Array<boolean>(rows.length);
    let known = { texts: "", vectors: [] as Float32Array[] };
    for (const [, places] of Map.groupBy(rows.keys(), (place) => rows[place]!.language)) {
      const sources = places.map((place) => rows[place]!.text);
      const texts = JSON.stringify(sources);
      // Sets usually translate the same texts into every language.
      if (known.texts !== texts) known = { texts, vectors: (await this.embed(sources, "passage")).vectors };
      const { vectors: translations } = await this.embed(
        places.map((place) => rows[place]!.translation),
        "passage",
      );
      translations.forEach((vector, index) => (found[places[index]!] = nearest(vector, known.vectors) === index));
    }
    return found;
  }

  /** By language: Spearman's correlation of cosine and people's judgement. */
  async similarity(rows: QuestionSet["similarity"]): Promise<Map<string, number>> {
    const scores = new Map<string, number>();
    for (const [language, pairs] of Map.groupBy(rows, (row) => row.language)) {
      const { vectors: left } = await this.embed(
        pairs.map((pair) => pair.left),
        "passage",
      );
      const { vectors: right } = await this.embed(
        pairs.map((pair) => pair.right),
        "passage",
      );
      scores.set(
        language,
        spearman(
          left.map((vector, index) => dotProduct(vector, right[index]!)),
          pairs.map((pair) => pair.similarity),
        ),
      );
    }
    return scores;
  }

  private async embed(texts: readonly string[], kind: "query" | "passage"): Promise<EmbeddedTexts> {
    const vectors: Float32Array[] = [];
    const terms: Uint32Array[] = [];
    const importance: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += TEXTS_AT_ONCE) {
      const slice = await this.embedder.embedWithTerms(texts.slice(start, start + TEXTS_AT_ONCE), kind, "upload");
      vectors.push(...slice.vectors);
      terms.push(...slice.terms);
      importance.push(...slice.importance);
    }
    return { vectors, terms, importance };
  }
}

function nearest(vector: Float32Array, others: readonly Float32Array[]): number {
  let best = -1,
    highest = -Infinity;
  others.forEach((other, index) => {
    const similarity = dotProduct(vector, other);
    if (similarity > highest) [best, highest] = [index, similarity];
  });
  return best;
}
