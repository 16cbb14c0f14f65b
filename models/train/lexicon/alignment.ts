/**
 * Which words of a language stand for which English ones, out of texts that say the same: IBM's first model of translation (Brown et al.,
 * "The mathematics of statistical machine translation", 1993), with few candidates for each word. Pure.
 */

/** Two texts that say the same, as the distinct words of each. */
export interface WordPair {
  readonly english: readonly string[];
  readonly foreign: readonly string[];
  /** Both are one word: an entry of a dictionary. */
  readonly isEntry: boolean;
}

export interface Aligned {
  readonly english: string;
  /** How often it is what stands for the word, 0-1. */
  readonly share: number;
}

/** English words that are considered for each: those that stand beside it more often than by chance. */
const CANDIDATES = 30;
const ROUNDS = 5;
/** What a text has that nothing in the other stands for: shares of this come from nowhere. */
const FROM_NOWHERE = 0.02;
/** A dictionary's entry counts as so many texts. */
const ENTRY_COUNT = 2;
/** Occurrences that are thought in which another word would stand: what was seen once or twice proves little. */
const DOUBT = 0.5;
const LEAST_COUNT = 2;
const LEAST_SHARE = 0.12;

/** The English words of each word that was seen often enough, best first, at most `most`. `isWanted`: of an English word. */
export function align(pairs: readonly WordPair[], most: number, isWanted: (english: string) => boolean): Map<string, Aligned[]> {
  const english = new Numbers(), foreign = new Numbers();
  const texts = pairs.map((pair) => ({
    english: pair.english.map((word) => english.of(word)),
    foreign: pair.foreign.map((word) => foreign.of(word)),
    count: pair.isEntry ? ENTRY_COUNT : 1,
  }));
  const englishCounts = new Float64Array(english.words.length), foreignCounts = new Float64Array(foreign.words.length);
  const together = foreign.words.map(() => new Map<number, number>());
  let total = 0;
  for (const { english: own, foreign: other, count } of texts) {
    total += count;
    for (const word of own) englishCounts[word]! += count;
    for (const word of other) {
      foreignCounts[word]! += count;
      const beside = together[word]!;
      for (const one of own) beside.set(one, (beside.get(one) ?? 0) + count);
    }
  }
  let chances = together.map((beside, word) => {
    const likely = [...beside]
      .map(([one, count]) => [one, count * Math.log((count * total) / (englishCounts[one]! * foreignCounts[word]!))] as const)
      .filter(([, worth]) => worth > 0)
      .sort((left, right) => right[1] - left[1])
      .slice(0, CANDIDATES);
    return new Map(likely.map(([one]) => [one, 1 / likely.length]));
  });
  together.length = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const counts = chances.map((own) => new Map(Array.from(own.keys(), (one) => [one, 0])));
    for (const { english: own, foreign: other, count } of texts) {
      for (const one of own) {
        let sum = (FROM_NOWHERE * englishCounts[one]!) / total;
        for (const word of other) sum += chances[word]!.get(one) ?? 0;
        for (const word of other) {
          const chance = chances[word]!.get(one);
          if (chance) counts[word]!.set(one, counts[word]!.get(one)! + (count * chance) / sum);
        }
      }
    }
    chances = counts.map((own, word) => {
      const all = round < ROUNDS ? [...own.values()].reduce((sum, count) => sum + count, 0) : foreignCounts[word]!;
      return new Map(Array.from(own, ([one, count]) => [one, count / (all + DOUBT)]));
    });
  }
  const found = new Map<string, Aligned[]>();
  chances.forEach((own, word) => {
    if (foreignCounts[word]! < LEAST_COUNT) return;
    const best = Array.from(own, ([one, share]) => ({ english: english.words[one]!, share: Math.min(1, share) }))
      .filter((aligned) => aligned.share >= LEAST_SHARE && isWanted(aligned.english))
      .sort((left, right) => right.share - left.share)
      .slice(0, most);
    if (best.length > 0) found.set(foreign.words[word]!, best);
  });
  return found;
}

/** Words by the order in which they were met. */
class Numbers {
  readonly words: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    this.#numbers.set(word, this.words.length);
    return this.words.push(word) - 1;
  }
}
