/** Models that lose their way say the same over and over. */

/** Words that are repeated at most, and how often they may be said in a row. */
const MOST_WORDS = 12;
const MOST_TIMES = 3;

/** A text in which nothing is said more often in a row than people do. */
export function withoutLoops(text: string): string {
  const words = text.split(/\s+/);
  const plain = words.map((word) => word.toLowerCase().replace(/[^\p{L}\p{N}']/gu, ""));
  const kept: number[] = [];
  for (let index = 0; index < words.length; index += 1) {
    kept.push(index);
    for (let length = 1; length <= MOST_WORDS; length += 1) {
      if (
        !isRepeated(
          kept.map((at) => plain[at]!),
          length,
        )
      )
        continue;
      kept.splice(kept.length - length);
      break;
    }
  }
  return kept.map((at) => words[at]).join(" ");
}

/** Whether the last so many words have been said once more than they may be. */
function isRepeated(words: readonly string[], length: number): boolean {
  // A word alone is said often: "no, no, no, no".
  const times = length === 1 ? MOST_TIMES + 2 : MOST_TIMES;
  const needed = length * (times + 1);
  if (words.length < needed) return false;
  const last = words.slice(-length).join(" ");
  for (let time = 1; time <= times; time += 1)
    if (words.slice(-length * (time + 1), -length * time).join(" ") !== last) return false;
  return true;
}

/** The share of words that stand between the same two neighbours as some did before. */
export function repetitionOf(text: string): number {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  const seen = new Set<string>();
  let repeated = 0;
  for (let index = 0; index + 2 < words.length; index += 1) {
    const three = words.slice(index, index + 3).join(" ");
    if (seen.has(three)) repeated += 1;
    seen.add(three);
  }
  return repeated / Math.max(1, words.length - 2);
}
