/**
 * Answers without a language model: the sentences of the best passages that come nearest to the question, word for word,
 * each with its citation, in reading order. It never invents a word.
 */
import type { Answer, AnswerRequest, Answerer } from "./index.ts";
import { NOTHING_FOUND } from "./index.ts";
import { splitSentences } from "./sentences.ts";

/** Passages whose sentences are looked at, from the best on. */
const PASSAGES = 5;
/** Sentences looked at per passage. */
const SENTENCES_PER_PASSAGE = 40;
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
    async answer(request) {
      const sentences = await chooseSentences(embedder, request);
      return toAnswer(sentences.length === 0 ? [NOTHING_FOUND] : sentences.map(({ sentence, passage }) => `${sentence} [${passage + 1}]`));
    },
    close: () => Promise.resolve(),
  };
}

/** The best sentences in reading order: passage by passage as ranked, within one from its start to its end. */
async function chooseSentences(embedder: SentenceEmbedder, { question, passages, signal }: AnswerRequest): Promise<Candidate[]> {
  const seen = new Set<string>();
  const found = passages.slice(0, PASSAGES).flatMap((text, passage) =>
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

function toAnswer(parts: readonly string[]): Answer {
  return {
    model: "extractive",
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
