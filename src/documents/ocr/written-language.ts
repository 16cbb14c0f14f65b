/** In which of the built-in languages a text is written, by the words of it that say nothing. Pure. */

/** Frequent words that are written in one of the languages alone, in letters that a model of another reads as well. */
const FREQUENT: Readonly<Record<string, ReadonlySet<string>>> = {
  eng: words("the and of to is that for with was are this have from you be by or not which will at his they were when"),
  deu: words(
    "der die und das den von zu mit nicht ist ein eine auf dem im sich auch als wie aus bei nach oder wird sind",
  ),
  fra: words("le les et du une est dans pour qui sur au pas par avec sont cette ce vous nous ou plus aux elle leur"),
  spa: words("el los las y del por con una para al lo como su sus pero hay muy ser tiene ya este esta sin cada hasta"),
};

/** Of the words, those of the list at least, and how many times as many as of the next language. */
const LEAST_SHARE = 0.08;
const LEAST_WORDS = 4;
const CLEARLY = 2;
/** Names and quotations bring in a word of another language here and there, sentences several. */
const THROUGHOUT = 32;

/** By Tesseract's name; null where it is none of them, or too little to tell. */
export function writtenLanguage(text: string, languages: readonly string[]): string | null {
  return clearly(text, languages, CLEARLY);
}

/** The same of a text without so much as a sentence in another of the languages. */
export function writtenThroughout(text: string, languages: readonly string[]): string | null {
  return clearly(text, languages, THROUGHOUT);
}

function clearly(text: string, languages: readonly string[], times: number): string | null {
  const all = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = languages
    .map((language) => ({ language, count: all.filter((word) => FREQUENT[language]?.has(word)).length }))
    .toSorted((one, other) => other.count - one.count);
  const [first, second] = counts;
  if (first === undefined || first.count < Math.max(LEAST_WORDS, all.length * LEAST_SHARE)) return null;
  return first.count >= times * (second?.count ?? 0) ? first.language : null;
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
