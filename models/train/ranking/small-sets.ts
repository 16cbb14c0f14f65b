/** Small collections, as a department keeps them: a few documents of one kind or of many languages, and questions of which half are about something else. */

import type { Chance } from "./chance.ts";
import type { Passage, Translated } from "./corpus.ts";
import { BETWEEN, type Question, type QuestionSet, type Quoting } from "./pools.ts";
import { quotable, span } from "./questions.ts";

export interface SmallSources {
  /** Passages with questions that people asked. */
  readonly asked: readonly { readonly language: string; readonly passages: readonly Passage[] }[];
  /** Texts with their translations into each language. */
  readonly translated: readonly { readonly language: string; readonly rows: readonly Translated[] }[];
}

export interface SmallCollection {
  readonly size: number;
  /** `one`: passages of one source, with questions that people asked; `many`: of two sources, and of others in many languages; `quoted`: the same, and questions quote translations. */
  readonly sort: "one" | "many" | "quoted";
}

/** Of the questions that something answers, and as many that nothing does. */
const QUESTIONS = 12;
/** Sentences of a translated passage. */
const SHORTEST = 2, LONGEST = 6;

/** A collection with its questions, chosen by chance. */
export function smallSet(name: string, kind: string, { asked, translated }: SmallSources, { size, sort }: SmallCollection, quoting: Quoting, chance: Chance): QuestionSet {
  const passages: string[] = [];
  const answered: Question[] = [], unanswered: Question[] = [];
  const chosen = new Set(chance.sample(asked, sort === "one" ? 1 : 2));
  const ofAsked = sort === "one" ? size : Math.ceil(size / 2);
  for (const source of asked) {
    const count = chosen.has(source) ? Math.ceil(ofAsked / chosen.size) : 0;
    const start = chance.below(Math.max(1, source.passages.length - count + 1));
    source.passages.forEach(({ text, questions }, at) => {
      const isHeld = at >= start && at < start + count;
      const isNear = !isHeld && count > 0 && at >= start - BETWEEN && at < start + count + BETWEEN;
      if (isNear) return;
      const right = isHeld ? passages.push(text) - 1 : null;
      if (sort !== "quoted") (isHeld ? answered : unanswered).push(...questions.map((question) => ({ text: question, right, language: source.language })));
    });
  }
  if (sort !== "one") {
    const others = new Map(translated.map(({ language, rows }) => [language, new Map(rows.map((row) => [row.english, row.translation]))]));
    const inPassages = new Map<string, { right: number; language: string }>();
    while (passages.length < size) {
      const { language, rows } = chance.sample(translated, 1)[0]!;
      const start = chance.below(rows.length - LONGEST);
      const own = rows.slice(start, start + SHORTEST + chance.below(LONGEST - SHORTEST + 1));
      const right = passages.push(own.map(({ translation }) => translation).join(" ")) - 1;
      for (const { english } of own) inPassages.set(english, { right, language });
    }
    const quote = (english: string, language: string, right: number | null): Question[] => {
      const text = others.get(language)?.get(english);
      return text !== undefined && quotable(text, english, language) ? [{ text: span(text, language, chance.between(...quoting.share), chance), right, language }] : [];
    };
    const inAny = (english: string, but: string | null, right: number | null) => quote(english, chance.sample(translated.filter(({ language }) => language !== but), 1)[0]!.language, right);
    if (sort === "quoted") for (const [english, { right, language }] of inPassages) answered.push(...inAny(english, language, right));
    const elsewhere = chance.sample(translated[0]!.rows.filter(({ english }) => !inPassages.has(english)), QUESTIONS);
    const share = sort === "quoted" ? elsewhere : elsewhere.slice(0, QUESTIONS / 2);
    const quotes = share.flatMap(({ english }) => inAny(english, null, null));
    const people = chance.sample(unanswered.splice(0), QUESTIONS - quotes.length);
    unanswered.push(...quotes, ...people);
  }
  return { name, kind, language: "mul", passages, questions: [...chance.sample(answered, QUESTIONS), ...chance.sample(unanswered, QUESTIONS)] };
}
