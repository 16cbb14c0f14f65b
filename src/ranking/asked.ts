/** A question as it is read: its units, and what each weighs in the dataset that it is asked of. Pure but for the units' slots. */
import { wordId } from "../embedding/lexical-terms.ts";
import { rarity } from "../search/words/bm25.ts";
import { tokensOf } from "../foundation/term-ids.ts";
import type { Question } from "./types.ts";
import { MOST_UNITS, NO_SLOT, type UnitVectors } from "./unit-vectors.ts";
import { AFTER_SPACE, KIND, SPACED, UNSPACED, type Vocabulary } from "./vocabulary.ts";

export interface AskedUnit {
  readonly slot: number;
  /** How rare it is in the dataset: the logarithm of one in so many chunks. */
  readonly rarity: number;
  /** How much it says beside others as rare; 1 is usual. */
  readonly importance: number;
  /** Its share in what the question asks; the units' sum to 1. */
  readonly weight: number;
}

export interface Asked {
  /** Distinct, in the question's order. */
  readonly units: readonly AskedUnit[];
  /** How much of the dataset is in the question's language, 0-1: the share of chunks that hold its commonest tokens. */
  readonly ownLanguage: number;
  readonly chunks: number;
  readonly dataset: DatasetLanguage;
  /** Whether it names what it asks for by a part number, an error code, a file name: that is the same in every language. */
  readonly isNamed: boolean;
}

/** How much of one language a dataset is, as far as its commonest tokens of letters tell. */
export interface DatasetLanguage {
  /** The mean share of chunks that hold each of them. */
  readonly common: number;
  /** The share that holds the commonest. */
  readonly commonest: number;
}

/** Parts of an identifier that are looked for. */
const MOST_PARTS = 8;
/** What an identifier says at least; no other word says so much. */
const LEAST_IDENTIFIER = 3;
/** A dataset's tokens that tell how much of one language it is. */
const COMMON_TOKENS = 8;
/** Tokens that tell how much of a dataset is in the question's language. */
const TELLING_TOKENS = 3;
const DIGITS = /\p{N}/u;
/** Letters and digits in one word. */
const NAMES = /\p{L}\p{N}|\p{N}\p{L}/u;

export function readQuestion(
  vocabulary: Vocabulary,
  vectors: UnitVectors,
  { terms, importance, holders, chunks, common }: Question,
): Asked {
  const tokens = tokensOf(terms);
  const placeOfWord = new Map<number, number>();
  for (let at = tokens.length; at < terms.length; at++) placeOfWord.set(terms[at]!, at);

  const count = vectors.find(tokens);
  const bounds = vectors.bounds.slice(0, 2 * count);
  const textBetween = (start: number, end: number): string =>
    Array.from(tokens.subarray(start, end), vocabulary.textOf).join("");
  const identifiers = identifierOf(
    bounds,
    (start, end) =>
      hasSpace(vocabulary, tokens, start, end) ? undefined : placeOfWord.get(wordId(textBetween(start, end))),
    importance,
  );

  const units: Omit<AskedUnit, "weight">[] = [];
  const seen = new Set<number>();
  for (let unit = 0; unit < count; unit++) {
    const start = bounds[2 * unit]!,
      end = bounds[2 * unit + 1]!;
    const slot = vectors.slot(tokens, start, end);
    if (slot === NO_SLOT || seen.has(slot)) continue;
    seen.add(slot);
    const text = textBetween(start, end);
    const word = identifiers[unit] ?? placeOfWord.get(wordId(text));
    const held = word === undefined ? Math.min(...holders.subarray(start, end)) : holders[word]!;
    // What a part number says is not in its tokens. A year or an amount is one word among others.
    const says =
      word !== undefined && (identifiers[unit] !== undefined || NAMES.test(text))
        ? importance[word]!
        : Math.hypot(...importance.subarray(start, end));
    units.push({ slot, rarity: rarity(chunks, held), importance: says });
  }
  const isNamed = identifiers.some((word) => word !== undefined);
  return {
    units: weighed(units),
    ownLanguage: ownLanguage(vocabulary, tokens, holders, chunks),
    chunks,
    dataset: datasetLanguage(vocabulary, common),
    isNamed,
  };
}

/** Of each unit that is part of a part number, an error code, a file name: the word that the whole of it is, else undefined. */
function identifierOf(
  bounds: Int32Array,
  wordBetween: (start: number, end: number) => number | undefined,
  importance: Float32Array,
): (number | undefined)[] {
  const count = bounds.length / 2;
  const whole = new Array<number | undefined>(count).fill(undefined);
  for (let first = 0; first < count; first++) {
    for (let last = Math.min(count, first + MOST_PARTS) - 1; last > first; last--) {
      const word = wordBetween(bounds[2 * first]!, bounds[2 * last + 1]!);
      if (word === undefined || importance[word]! < LEAST_IDENTIFIER) continue;
      whole.fill(word, first, last + 1);
      first = last;
      break;
    }
  }
  return whole;
}

/** Whether a space stands before any but the first of the tokens. */
function hasSpace({ shape }: Vocabulary, tokens: Uint32Array, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++) if ((shape[tokens[at]!] ?? 0) & AFTER_SPACE) return true;
  return false;
}

/** The units that weigh most, in the question's order. */
function weighed(units: readonly Omit<AskedUnit, "weight">[]): AskedUnit[] {
  const heaviest =
    units.length <= MOST_UNITS
      ? units
      : units
          .toSorted((left, right) => right.rarity * right.importance - left.rarity * left.importance)
          .slice(0, MOST_UNITS);
  const kept = new Set(heaviest);
  const sum = heaviest.reduce((total, { rarity, importance }) => total + rarity * importance, 0);
  return units
    .filter((unit) => kept.has(unit))
    .map((unit) => ({ ...unit, weight: sum > 0 ? (unit.rarity * unit.importance) / sum : 0 }));
}

/** Numbers and marks belong to every language. */
function ownLanguage(vocabulary: Vocabulary, tokens: Uint32Array, holders: Uint32Array, chunks: number): number {
  if (chunks === 0) return 0;
  const shares = new Map<number, number>();
  tokens.forEach((token, at) => {
    if (isLetters(vocabulary, token)) shares.set(token, holders[at]! / chunks);
  });
  const telling = [...shares.values()].sort((left, right) => right - left).slice(0, TELLING_TOKENS);
  return telling.length === 0 ? 0 : telling.reduce((sum, share) => sum + share, 0) / telling.length;
}

export function datasetLanguage(vocabulary: Vocabulary, { tokens, shares }: Question["common"]): DatasetLanguage {
  const telling = [...shares].filter((_, at) => isLetters(vocabulary, tokens[at]!)).slice(0, COMMON_TOKENS);
  return { common: telling.reduce((sum, share) => sum + share, 0) / COMMON_TOKENS, commonest: telling[0] ?? 0 };
}

function isLetters(vocabulary: Vocabulary, token: number): boolean {
  const begins = (vocabulary.shape[token] ?? 0) & KIND;
  return (begins === SPACED || begins === UNSPACED) && !DIGITS.test(vocabulary.textOf(token));
}
