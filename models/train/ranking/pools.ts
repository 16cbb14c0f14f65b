/** Question sets: passages to look in, and questions of which some have their right passage taken away. */

import type { Chance } from "./chance.ts";
import type { Passage, Translated } from "./corpus.ts";
import { quotable, span, WordCounts } from "./questions.ts";

export interface Question {
  readonly text: string;
  /** The passage that answers it, counted from 0; null when none of the set does. */
  readonly right: number | null;
  readonly language: string;
}

export interface QuestionSet {
  readonly name: string;
  /** What is asked where: `same`, `cross`, `mixed`, `many`, or one of them after `judge-`. */
  readonly kind: string;
  /** Of the questions; `mul` for several. */
  readonly language: string;
  readonly passages: readonly string[];
  readonly questions: readonly Question[];
}

/** Passages with the questions that each answers, before some are taken away. */
export interface Pool {
  readonly passages: readonly string[];
  readonly questions: readonly { text: string; right: number; language: string }[];
}

/** Of all questions; what nothing answers must be told so. */
const UNANSWERABLE = 0.2;

/** The pool with the passages of some questions, chosen by chance, taken away. */
export function questionSet(name: string, kind: string, language: string, pool: Pool, chance: Chance): QuestionSet {
  const asked = new Map<number, number>();
  for (const { right } of pool.questions) asked.set(right, (asked.get(right) ?? 0) + 1);
  const gone = new Set<number>();
  let unanswerable = 0;
  for (const passage of chance.sample([...asked.keys()], asked.size)) {
    if (unanswerable >= UNANSWERABLE * pool.questions.length) break;
    gone.add(passage);
    unanswerable += asked.get(passage) as number;
  }
  const moved = new Map<number, number>();
  const passages: string[] = [];
  pool.passages.forEach((text, at) => {
    if (!gone.has(at)) moved.set(at, passages.push(text) - 1);
  });
  const questions = pool.questions.map((question) => ({ ...question, right: moved.get(question.right) ?? null }));
  return { name, kind, language, passages, questions };
}

/** How much of the passages is looked in where others are asked about. */
const LOOKED_IN = 0.6;
/** Passages between those that are looked in and others that are asked about: neighbours are often of one article. */
export const BETWEEN = 10;

/** The first passages with `count` of their questions, and half as many about the last ones, which are not there: nothing answers those, and nothing near them is there either. */
export function otherTopics(name: string, kind: string, language: string, all: readonly Passage[], count: number, chance: Chance): QuestionSet {
  const end = Math.floor(all.length * LOOKED_IN);
  const passages = all.slice(0, end);
  const answered = passages.flatMap(({ questions }, right) => questions.map((text) => ({ text, right, language })));
  const others = all.slice(end + BETWEEN).flatMap(({ questions }) => questions.map((text) => ({ text, right: null, language })));
  return { name, kind, language, passages: passages.map(({ text }) => text), questions: [...chance.sample(answered, count), ...chance.sample(others, Math.round(count / 2))] };
}

/** `size` passages in a row with up to `count` of their questions, of which a `short` share is cut to its rarest words; `others` are passages that answer none. */
export function asked(
  all: readonly Passage[], language: string, { size = all.length, count, short = 0, others = [] }: { size?: number; count: number; short?: number; others?: readonly string[] }, chance: Chance,
): Pool {
  const start = chance.below(Math.max(1, all.length - size + 1));
  const chosen = all.slice(start, start + size);
  const passages = chosen.map(({ text }) => text);
  const counts = new WordCounts(passages, language);
  const questions = chosen.flatMap((passage, right) => passage.questions.map((text) => ({ text, right, language })));
  return {
    passages: [...passages, ...others],
    questions: chance.sample(questions, count).map((question) => ({ ...question, text: shortened(question.text, counts, short, chance) })),
  };
}

function shortened(text: string, counts: WordCounts, share: number, chance: Chance): string {
  if (chance.next() >= share) return text;
  return counts.rarest(text, 2 + chance.below(2)) ?? text;
}

/** A passage's language, or that it is in English. */
export type Side = "english" | "translation";

/** Rows in groups of so many: what stands together in a document stands together in a passage. */
export function grouped<Row>(rows: readonly Row[], size: number): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => rows.slice(at * size, (at + 1) * size));
}

export const joined = (rows: readonly Translated[], side: Side) => rows.map((row) => row[side]).join(" ");

/** Which share of a sentence questions quote, and how many questions are cut to their rarest words. */
export interface Quoting {
  readonly share: readonly [number, number];
  readonly short: number;
}

/** Passages of `group` rows, each on the side that `side` says of it, and `count` questions on rows of the passages that `asks` chooses, in `language` on the side `from`. */
export function quoted(
  rows: readonly Translated[],
  { language, group, count, side = () => "english", from = "translation", asks = () => true, quoting, others = [] }:
  { language: string; group: number; count: number; side?: (passage: number) => Side; from?: Side; asks?: (side: Side) => boolean; quoting: Quoting; others?: readonly string[] },
  chance: Chance,
): Pool {
  const groups = grouped(rows, group);
  const sides = groups.map((_, passage) => side(passage));
  const counts = new WordCounts(rows.map((row) => row[from]), language);
  const askable = rows
    .map((row, at) => ({ row, right: Math.floor(at / group) }))
    .filter(({ row, right }) => asks(sides[right] as Side) && quotable(row[from], row[from === "english" ? "translation" : "english"], language))
    .map(({ row, right }) => ({ text: row[from], right, language }));
  const questions = chance.sample(askable, count).map((question) => {
    const quote = span(question.text, language, chance.between(...quoting.share), chance);
    return { ...question, text: chance.next() < quoting.short ? counts.rarest(question.text, 2 + chance.below(2)) ?? quote : quote };
  });
  return { passages: [...groups.map((own, passage) => joined(own, sides[passage] as Side)), ...others], questions };
}

/** Pools side by side as one. */
export function together(pools: readonly Pool[]): Pool {
  let before = 0;
  const questions = pools.flatMap((pool) => {
    const own = pool.questions.map((question) => ({ ...question, right: question.right + before }));
    before += pool.passages.length;
    return own;
  });
  return { passages: pools.flatMap((pool) => pool.passages), questions };
}
