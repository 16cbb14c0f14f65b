/** Texts as words, as the ranking's units are found (src/ranking/units.ts); in scripts without spaces as ICU's dictionaries cut them, too. */
import { join } from "node:path";
import { QuickTokenizer } from "../../../src/embedding/quick-tokenizer.ts";
import { findUnits } from "../../../src/ranking/units.ts";
import { loadVocabulary } from "../../../src/ranking/vocabulary.ts";

/** Characters of a text that are read: paragraphs that are longer say too much for one word to be found in another. */
const LONGEST_TEXT = 600;
const MOST_WORDS = 160;
/** Languages whose scripts put no spaces between words. */
const UNSPACED = new Set("th lo km my zh ja yue bo dz".split(" "));

const model = join(import.meta.dir, "../../default");
const vocabulary = loadVocabulary(model);
const tokenizer = QuickTokenizer.of(await Bun.file(join(model, "tokenizer.json")).text())!;
const segmenters = new Map<string, Intl.Segmenter>();
let bounds = new Int32Array(0);

/** The tokens of a text by the model's tokenizer; null where it cannot tell. */
export const tokensOf = (text: string): number[] | null => tokenizer.ids(text);

/** A text's distinct words. */
export function wordsOf(text: string, language: string): string[] {
  const tokens = tokensOf(text.slice(0, LONGEST_TEXT)) ?? [];
  const pieces = tokens.map((token) => vocabulary.textOf(token));
  const words = UNSPACED.has(language) ? segmented(pieces, language) : [];
  if (bounds.length < 2 * tokens.length) bounds = new Int32Array(4 * tokens.length);
  const count = findUnits(vocabulary, tokens, bounds);
  for (let unit = 0; unit < count; unit++) words.push(pieces.slice(bounds[2 * unit], bounds[2 * unit + 1]).join(""));
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/** Words that begin and end where tokens do. */
function segmented(pieces: readonly string[], language: string): string[] {
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: "word" });
  segmenters.set(language, segmenter);
  const edges = new Set([0]);
  let end = 0;
  for (const piece of pieces) edges.add((end += piece.length));
  const words: string[] = [];
  for (const { segment, index, isWordLike } of segmenter.segment(pieces.join("")))
    if (isWordLike && edges.has(index) && edges.has(index + segment.length)) words.push(segment);
  return words;
}
