/** What answers a question, and what it is given: types. */
import type { Question, Ranking } from "../ranking/index.ts";

/** A passage that was found. */
export interface FoundPassage {
  /** As it stands in its document. */
  readonly text: string;
  /** Its document and where it stands there, for whoever reads it: headings and the like. */
  readonly source: string;
  /** Which document it belongs to. */
  readonly document: string;
  /** Its position among the document's passages, from 0. */
  readonly position: number;
  /** 0-1: how sure the search is that it answers. */
  readonly score: number;
  /** 0-1: how sure it is that anything that is stored answers, as far as it shows. */
  readonly support: number;
  /** How much of the question it holds, all kinds of evidence in one sum; null where it was not read. */
  readonly held: number | null;
}

/** A passage as the answer was given it: one found passage, or neighbours of one document joined where they overlap. */
export interface GivenPassage {
  readonly text: string;
  /** Of its first part in reading order. */
  readonly source: string;
  /** Positions in the request's `passages` that it was made of, the most relevant first. */
  readonly from: readonly number[];
  /** Whether it was read, and may well have nothing to do with the question. */
  readonly isWeak: boolean;
}

/** How texts are read for the question that was asked. */
export interface QuestionReader {
  readonly question: Question;
  readonly ranking: Pick<Ranking, "read">;
}

export interface AnswerRequest {
  readonly question: string;
  /** Most relevant first. May be empty. */
  readonly passages: readonly FoundPassage[];
  /** Passages with less support do not answer; where the best ones have less, nothing that was found does. 0: all may. */
  readonly floor: number;
  /** null where searches do not read. */
  readonly reader: QuestionReader | null;
  /** Aborted when nobody waits for the answer any more; its work ends with the token, or the step of the prompt, that is being computed. */
  readonly signal: AbortSignal;
}

/** What a language model read and wrote; zero where none was used. */
export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
}

export interface Answer {
  /** Who answers: "extractive", or the language model's name. */
  readonly model: string;
  /** Exactly the passages that the answer is made from, in the order of their citations. */
  readonly given: readonly GivenPassage[];
  /** The answer in pieces, to be joined as they are. Read once, or abort the request's signal. */
  readonly text: AsyncIterable<string>;
  /** Final once `text` has been read to its end. */
  usage(): TokenUsage;
}

/** What the answering engine is doing right now. */
export interface AnswerLoad {
  /** Answers being written. */
  readonly running: number;
  /** Answers accepted and not begun. */
  readonly waiting: number;
  /** Answers that may be written at once; 0 without a language model. */
  readonly sequences: number;
  /** Resident bytes of the language model's process; 0 while there is none. */
  readonly processBytes: number;
  /** Starts of that process since the server started. */
  readonly starts: number;
}

export interface Answerer {
  /** Who answers: "extractive", or the language model's name. */
  readonly model: string;
  /** How many passages it can make use of, at most. */
  readonly passagesWanted: number;
  /**
   * Resolves when it is settled what the answer is made from; words may take longer. Throws BUSY, QUESTION_TOO_LONG, or
   * ANSWER_UNAVAILABLE; reading `text` throws ANSWER_UNAVAILABLE when the model fails half-way.
   */
  answer(request: AnswerRequest): Promise<Answer>;
  load(): AnswerLoad;
  /** Why it cannot answer, as far as it is known without asking it, as a sentence that says what to do; null: nothing is known against it. */
  problem(): string | null;
  close(): Promise<void>;
}
