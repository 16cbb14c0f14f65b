/**
 * Makes src/documents/letter-pairs.txt: how usual it is, in any language, that one letter follows another, from the vocabulary of the
 * built-in model, whose pieces of words have probabilities. Only pairs with a letter that is not ASCII, of alphabets that old encodings of
 * one byte hold. Usage: bun scripts/pack-letter-pairs.ts
 */
import { join } from "node:path";

const root = join(import.meta.dir, "..");
/** Pairs rarer than this, given their first letter, are left out. */
const LEAST_PROBABILITY = 1e-4;
/** A step of the scale that a pair's logarithm is written in; the first digit stands for a probability of one. */
const STEPS_PER_E = 2;
/** Of writings with thousands of letters, so many of the most usual are listed in the first line. */
const USUAL_LETTERS = 4000;
const MANY_LETTERS = /[\p{Script=Han}\p{Script=Hangul}]/u;
const ALPHABETS =
  /^(?:[a-z]|\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}|\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Thai})$/u;
const BEGINNING = "▁";

const { model } = (await Bun.file(join(root, "models/default/tokenizer.json")).json()) as {
  model: { vocab: Array<[piece: string, logarithm: number]> };
};

const usual = new Map<string, number>();
const following = new Map<string, Map<string, number>>();
for (const [piece, logarithm] of model.vocab) {
  if (piece.startsWith("<")) continue;
  const letters = Array.from(piece);
  for (const letter of letters)
    if (MANY_LETTERS.test(letter) && letter.length === 1)
      usual.set(letter, (usual.get(letter) ?? 0) + Math.exp(logarithm));
  for (let index = 1; index < letters.length; index += 1) {
    const [first = "", second = ""] = [letters[index - 1], letters[index]];
    if (!ALPHABETS.test(second) || !(first === BEGINNING || ALPHABETS.test(first))) continue;
    const seconds = following.get(first) ?? new Map<string, number>();
    following.set(first, seconds.set(second, (seconds.get(second) ?? 0) + Math.exp(logarithm)));
  }
}

const lines = [...following].toSorted().flatMap(([first, seconds]) => {
  const total = [...seconds.values()].reduce((sum, value) => sum + value, 0);
  const pairs = [...seconds].toSorted().flatMap(([second, value]) => {
    const isAscii = (first === BEGINNING || first < "\u0080") && second < "\u0080";
    if (isAscii || value / total < LEAST_PROBABILITY) return [];
    return [second + Math.round(-Math.log(value / total) * STEPS_PER_E).toString(36)];
  });
  return pairs.length === 0 ? [] : [first + pairs.join("")];
});
const usualLetters = [...usual].toSorted((a, b) => b[1] - a[1]).slice(0, USUAL_LETTERS);
lines.unshift(usualLetters.map(([letter]) => letter).join(""));
await Bun.write(join(root, "src/documents/letter-pairs.txt"), `${lines.join("\n")}\n`);
