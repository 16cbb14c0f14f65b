/**
 * How usual it is, in any language, that one letter follows another: the measure by which a text in the wrong encoding is told from a
 * right one. Made by scripts/pack-letter-pairs.ts.
 */
import table from "./letter-pairs.txt" with { type: "text" };

/** Costs are the negative logarithms of probabilities; the table has them in steps of this part. */
const STEPS_PER_E = 2;
const DIGITS = 36;
/** What stands before a word's first letter. */
const BEGINNING = "▁";
const UNKNOWN_PAIR = 12;
/** What a pair costs in real text, by the writing of the letter that is not ASCII: the more letters, the more. */
const TYPICAL: ReadonlyArray<readonly [RegExp, number]> = [
  [/\p{Script=Cyrillic}/u, 3.1],
  [/\p{Script=Latin}/u, 4.9],
  [/\p{Script=Greek}/u, 3.9],
  [/[\p{Script=Hebrew}\p{Script=Arabic}]/u, 4.1],
];
const TYPICAL_OF_OTHERS = 5;
/** What signs cost beyond what is typical: those of texts, and others. */
const USUAL_SIGN = 0.5;
const UNUSUAL_SIGN = 7;
const USUAL_SIGNS = /[\u2010-\u2019\u201C\u201D\u2020-\u2026\u00A0«»¿¡°§©®€£·\u064B-\u0652\u05B0-\u05BC]/;
/** Signs that stand before words only. */
const OPENING_SIGNS = /[\u201A\u201E¿¡]/;
const LETTER = /[\p{L}\p{M}]/u;
/** Writings of thousands of letters, of which pairs say little; those that are not among the most usual cost this. */
const MANY_LETTERS = /[\u1100-\u11FF\u3000-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF]/;
const LETTERS_LISTED = /[\u3400-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF]/;
const RARE_LETTER = 4;
/** Letters of another alphabet than Latin in a text that is nearly all Latin are seldom right. */
const NEARLY_ALL = 0.8;
const FOREIGN_LETTER = 1.5;

let pairs: ReadonlyMap<string, number> | undefined;
const typical = new Map<string, number>();

/** How much more the characters that are not ASCII, and those beside them, cost on average than in real text. */
export function excessCost(text: string): number {
  pairs ??= readTable();
  let cost = 0;
  let count = 0;
  let ascii = 0;
  let foreign = 0;
  let previous = BEGINNING;
  for (const character of text.normalize("NFC").toLowerCase()) {
    const isAscii = character < "\u0080";
    const isLetter = isAscii ? character >= "a" && character <= "z" : LETTER.test(character);
    if (isAscii && isLetter) ascii += 1;
    if (!isAscii) foreign += 1;
    if (LETTERS_LISTED.test(character) && !pairs.has(character)) cost += RARE_LETTER;
    if (!isAscii || (isLetter && previous >= "\u0080" && previous !== BEGINNING)) {
      count += 1;
      if (isLetter && !MANY_LETTERS.test(character) && !MANY_LETTERS.test(previous))
        cost += (pairs.get(previous + character) ?? UNKNOWN_PAIR) - typicalOf(isAscii ? previous : character);
      else if (!isLetter) cost += signCost(character, previous);
    }
    previous = isLetter ? character : BEGINNING;
  }
  if (count === 0) return 0;
  const isOutOfPlace = ascii > (ascii + foreign) * NEARLY_ALL && !/(?=[^ªº])[\u00C0-\u024F]/.test(text);
  return cost / count + (isOutOfPlace ? FOREIGN_LETTER : 0);
}

function signCost(sign: string, previous: string): number {
  if (OPENING_SIGNS.test(sign)) return previous === BEGINNING ? USUAL_SIGN : UNUSUAL_SIGN;
  return USUAL_SIGNS.test(sign) ? USUAL_SIGN : UNUSUAL_SIGN;
}

function typicalOf(letter: string): number {
  let cost = typical.get(letter);
  if (cost === undefined) {
    cost = TYPICAL.find(([script]) => script.test(letter))?.[1] ?? TYPICAL_OF_OTHERS;
    typical.set(letter, cost);
  }
  return cost;
}

/** The first line lists usual letters; each further one is a letter, then each that follows it with a digit for its cost. */
function readTable(): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  const [usual = "", ...lines] = table.split("\n");
  for (const letter of usual) costs.set(letter, 0);
  for (const line of lines) {
    const [first = "", ...rest] = line;
    for (let index = 0; index + 1 < rest.length; index += 2)
      costs.set(first + (rest[index] ?? ""), Number.parseInt(rest[index + 1] ?? "", DIGITS) / STEPS_PER_E);
  }
  return costs;
}
