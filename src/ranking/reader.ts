/** Reads texts for a question, word by word: what of the question each holds, how near, and how close together. Holds no state between questions but units' signs. */
import type { Lexicon } from "../embedding/lexicon.ts";
import { readQuestion, type Asked } from "./asked.ts";
import type { Candidate, Question, QuestionReading } from "./types.ts";
import { candidateInputs, pairsShare, type Inputs } from "./inputs.ts";
import { UnitVectors } from "./unit-vectors.ts";
import type { Vocabulary } from "./vocabulary.ts";

export class Reader {
  private readonly vectors: UnitVectors;

  /** `table` and `lexicon` as `UnitVectors` wants them. */
  constructor(
    private readonly vocabulary: Vocabulary,
    table: Uint8Array,
    lexicon: Lexicon | null,
  ) {
    this.vectors = new UnitVectors(vocabulary, table, lexicon);
  }

  /** What the network is given of a question and its candidates; `tokens`: those of each candidate, in order. */
  inputs(question: Question, candidates: readonly Candidate[], tokens: readonly ArrayLike<number>[]): Inputs {
    const { asked, texts } = this.begin(question, tokens);
    return candidateInputs(
      asked,
      candidates,
      texts.map(({ length }) => length),
      (candidate) => this.vectors.read(texts[candidate]!),
    );
  }

  /** Reads texts by their tokens. */
  read(question: Question, tokens: readonly ArrayLike<number>[]): QuestionReading {
    const { asked, texts } = this.begin(question, tokens);
    return {
      weights: Float32Array.from(asked.units, ({ weight }) => weight),
      texts: texts.map((slots) => {
        const { nearest, pairs } = this.vectors.read(slots);
        return { matches: nearest.slice(), pairs: pairsShare(asked, pairs) };
      }),
    };
  }

  private begin(question: Question, tokens: readonly ArrayLike<number>[]): { asked: Asked; texts: Int32Array[] } {
    this.vectors.begin();
    const asked = readQuestion(this.vocabulary, this.vectors, question);
    const texts = tokens.map((text) => this.vectors.slotsOf(text));
    this.vectors.ask(
      asked.units.map(({ slot }) => slot),
      asked.units.map(({ weight }) => weight),
    );
    this.vectors.compare(texts);
    return { asked, texts };
  }
}
