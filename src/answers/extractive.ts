/**
 * Answers without a language model: the sentences of the best passages that come nearest to the question, word for word,
 * each with its citation, in reading order. It never invents a word.
 */
import { NOTHING_FOUND, type Answer, type AnswerRequest, type Answerer, type GivenPassage } from "./index.ts";
import { joinNeighbours, withoutDuplicates } from "./passages.ts";
import { splitSentences } from "./sentences.ts";

/** Passages whose sentences are looked at, from the best on. */
const PASSAGES = 8;
/** Sentences looked at per passage, which may be several neighbours joined. */
const SENTENCES_PER_PASSAGE = 80;
/** Sentences in an answer. */
const SENTENCES = 4;
/** A sentence must come this near to the question, compared with the nearest one. */
const NEAR_ENOUGH = 0.75;

/** What it needs of the embedding engine. */
interface SentenceEmbedder {
  embed(texts: readonly string[], kind: "query" | "passage", priority: "search" | "upload"): Promise<Float32Array[]>;
}

interface Candidate {
  readonly sentence: string;
  /** Position of its passage, from 0. */
  readonly passage: number;
  /** Position among all candidates: the reading order. */
  readonly position: number;
  readonly similarity: number;
}

export function createExtractiveAnswerer(embedder: SentenceEmbedder): Answerer {
  return {
    passagesWanted: PASSAGES,
    async answer(request) {
      const given = joinNeighbours(request.passages, withoutDuplicates(request.passages.slice(0, PASSAGES)));
      const sentences = await chooseSentences(embedder, request, given);
      return toAnswer(given, sentences.length === 0 ? [NOTHING_FOUND] : sentences.map(({ sentence, passage }) => `${withoutMarks(sentence)} [${passage + 1}]`));
    },
    load: () => ({ running: 0, waiting: 0, sequences: 0, processBytes: 0, starts: 0 }),
    close: () => Promise.resolve(),
  };
}

/** The best sentences in reading order: passage by passage as ranked, within one from its start to its end. */
async function chooseSentences(embedder: SentenceEmbedder, { question, signal }: AnswerRequest, given: readonly GivenPassage[]): Promise<Candidate[]> {
  const seen = new Set<string>();
  const found = given.flatMap(({ text }, passage) =>
    splitSentences(text)
      .slice(0, SENTENCES_PER_PASSAGE)
      // Overlapping chunks repeat sentences; the better passage keeps them.
      .filter((sentence) => !seen.has(sentence) && seen.add(sentence))
      .map((sentence) => ({ sentence, passage })),
  );
  if (found.length === 0) return [];
  signal.throwIfAborted();
  const [questionVectors, vectors] = await Promise.all([
    embedder.embed([question.toWellFormed()], "query", "search"),
    embedder.embed(found.map(({ sentence }) => sentence), "passage", "search"),
  ]);
  const candidates = found.map((candidate, position): Candidate => ({ ...candidate, position, similarity: dot(questionVectors[0]!, vectors[position]!) }));
  const best = candidates.toSorted((left, right) => right.similarity - left.similarity).slice(0, SENTENCES);
  const threshold = best[0]!.similarity > 0 ? best[0]!.similarity * NEAR_ENOUGH : best[0]!.similarity;
  return best.filter(({ similarity }) => similarity >= threshold).sort((left, right) => left.position - right.position);
}

/** A document's own reference marks, such as `[3]`, would pass for our citations. */
function withoutMarks(sentence: string): string {
  return sentence.replace(/\s?\[\d{1,6}\]/g, "");
}

function toAnswer(given: readonly GivenPassage[], parts: readonly string[]): Answer {
  return {
    model: "extractive",
    given,
    text: inPieces(parts),
    usage: () => ({ promptTokens: 0, completionTokens: 0 }),
  };
}

async function* inPieces(parts: readonly string[]): AsyncGenerator<string> {
  for (const [index, part] of parts.entries()) yield index === 0 ? part : ` ${part}`;
}

function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index++) sum += left[index]! * right[index]!;
  return sum;
}
