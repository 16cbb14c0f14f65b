/**
 * Answers without a language model: the sentences of the best passages that hold most of the question, word for word, each with its
 * citation, in reading order. It never invents a word.
 */
import { dotProduct } from "../foundation/dot-product.ts";
import type { Answer, AnswerRequest, Answerer, FoundPassage, GivenPassage } from "./types.ts";
import { nothingFound } from "./floor.ts";
import { joinNeighbours, withoutDuplicates } from "./passages.ts";
import { sentenceValues } from "./sentence-values.ts";
import { splitSentences } from "./sentences.ts";

/** Passages whose sentences are looked at, from the best on. */
const PASSAGES = 8;
/** Sentences looked at per passage, which may be several neighbours joined. */
const SENTENCES_PER_PASSAGE = 80;

/** Which of the sentences an answer is made of. */
interface Choice {
  /** How good each sentence is, in the sentences' order. */
  readonly values: readonly number[];
  /** Sentences in an answer. */
  readonly most: number;
  /** What a sentence is worth at least, where the best one is worth so much. */
  readonly least: (best: number) => number;
}

/** What was measured to hold the answer most often at a given length: when sentences are read, and when their vectors are compared. */
const READ = { most: 3, least: (best: number) => best - 0.26 };
const COMPARED = { most: 4, least: (best: number) => (best > 0 ? best * 0.75 : best) };

/** What it needs of the embedding engine. */
interface SentenceEmbedder {
  embed(texts: readonly string[], kind: "query" | "passage", priority: "search" | "upload"): Promise<Float32Array[]>;
  terms(texts: readonly string[], priority: "search" | "upload"): Promise<Uint32Array[]>;
}

interface Sentence {
  readonly text: string;
  /** Position of its passage among those given, from 0. */
  readonly passage: number;
}

export function createExtractiveAnswerer(embedder: SentenceEmbedder): Answerer {
  return {
    model: "extractive",
    passagesWanted: PASSAGES,
    async answer(request) {
      const { passages, floor, signal } = request;
      const answering = withoutDuplicates(passages.slice(0, PASSAGES)).filter(
        (position) => passages[position]!.support >= floor,
      );
      const given = joinNeighbours(passages, answering);
      const sentences = given.flatMap(({ text }, passage) =>
        splitSentences(text)
          .slice(0, SENTENCES_PER_PASSAGE)
          .map((sentence): Sentence => ({ text: sentence, passage })),
      );
      if (sentences.length === 0) return nothingFound(request, "extractive");
      signal.throwIfAborted();
      const choice = (await read(embedder, request, given, sentences)) ?? (await compare(embedder, request, sentences));
      return toAnswer(
        given,
        choose(sentences, choice).map(({ text, passage }) => `${withoutMarks(text)} [${passage + 1}]`),
      );
    },
    problem: () => null,
    load: () => ({ running: 0, waiting: 0, sequences: 0, processBytes: 0, starts: 0 }),
    close: () => Promise.resolve(),
  };
}

/** By what each sentence, and what leads to it, holds of the question; null where that cannot be told. */
async function read(
  embedder: SentenceEmbedder,
  { reader, passages }: AnswerRequest,
  given: readonly GivenPassage[],
  sentences: readonly Sentence[],
): Promise<Choice | null> {
  if (reader === null) return null;
  const texts = await embedder.terms(
    sentences.map(({ text }) => text),
    "search",
  );
  const reading = await reader.ranking.read({ question: reader.question, texts });
  if (reading.weights.length === 0) return null;
  return {
    ...READ,
    values: sentenceValues(
      reading,
      sentences.map(({ text, passage }) => ({ passage, heldByPassage: heldAround(text, given[passage]!, passages) })),
    ),
  };
}

/** What the best of the found passages that the sentence stands in holds of the question. */
function heldAround(sentence: string, { from }: GivenPassage, passages: readonly FoundPassage[]): number {
  const members = from.map((position) => passages[position]!);
  const around =
    members.length === 1 ? members : members.filter(({ text }) => text.replace(/\s+/g, " ").includes(sentence));
  return Math.max(...(around.length === 0 ? members : around).map(({ held }) => held ?? 0));
}

/** By how near each sentence's vector is to the question's. */
async function compare(
  embedder: SentenceEmbedder,
  { question }: AnswerRequest,
  sentences: readonly Sentence[],
): Promise<Choice> {
  const [questionVectors, vectors] = await Promise.all([
    embedder.embed([question.toWellFormed()], "query", "search"),
    embedder.embed(
      sentences.map(({ text }) => text),
      "passage",
      "search",
    ),
  ]);
  return { ...COMPARED, values: vectors.map((vector) => dotProduct(questionVectors[0]!, vector)) };
}

/** The best sentences in reading order: passage by passage as ranked, within one from its start to its end. */
function choose(sentences: readonly Sentence[], { values, most, least }: Choice): Sentence[] {
  const seen = new Set<string>();
  // Overlapping chunks repeat sentences; the better passage keeps them.
  const own = [...sentences.keys()].filter(
    (position) => !seen.has(sentences[position]!.text) && seen.add(sentences[position]!.text),
  );
  const best = own.sort((left, right) => values[right]! - values[left]! || left - right).slice(0, most);
  const enough = least(values[best[0]!]!);
  return best
    .filter((position) => values[position]! >= enough)
    .sort((left, right) => left - right)
    .map((position) => sentences[position]!);
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
