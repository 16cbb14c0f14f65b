/**
 * Other datasets from the same texts: what `--layout` does to a question set. From a set's passages, all of them in one dataset. From its
 * bitext, English texts and their translations, passages of several sentences each and questions that are parts of a sentence in another
 * language: passages in English alone, half of them in English, or each in every language. Which half and which part follow from the
 * texts and the seed. Pure.
 */
import { Random } from "../random.ts";
import type { BitextRow, Passage, Question, QuestionSet } from "./question-set.ts";

/** Sentences that make a passage. */
const SENTENCES = 5;
/** Questions of each language. */
const QUESTIONS = 200;
/** Share of a sentence that a question repeats, at least and at most, and of the words in it that are left out. */
const LEAST_PART = 0.3;
const MOST_PART = 0.7;
const LEFT_OUT = 0.15;
const SHORTEST = 25;
const ENGLISH = "en";
/** Of languages that are written without spaces: parts are cut by characters. */
const DENSE = new Set(["zh", "ja", "th", "lo", "km", "my", "bo", "dz", "yue"]);

/** null: the set holds nothing to lay out so. */
type Layout = (set: QuestionSet, seed: number) => QuestionSet | null;

export const layouts: Readonly<Record<string, Layout>> = {
  "one-dataset": inOneDataset,
  "english-passages": (set, seed) =>
    fromBitext(set, "english passages", seed, ({ language, group }) => [
      { id: group.id, language: ENGLISH, text: group.english, dataset: ENGLISH, isAsked: language !== ENGLISH },
    ]),
  "half-english": (set, seed) =>
    fromBitext(set, "half English", seed, ({ language, group }) => {
      const isEnglish = group.chance < 0.5;
      return [
        {
          id: `${group.id}@${language}`,
          language: isEnglish ? ENGLISH : language,
          text: isEnglish ? group.english : group.own,
          dataset: `${ENGLISH} and ${language}`,
          isAsked: isEnglish,
        },
      ];
    }),
  "all-languages": (set, seed) =>
    fromBitext(
      set,
      "all languages",
      seed,
      ({ language, group }) => [
        { id: `${group.id}@${language}`, language, text: group.own, dataset: "all", isAsked: true },
      ],
      true,
    ),
};

function inOneDataset(set: QuestionSet): QuestionSet | null {
  if (set.passages.length === 0) return null;
  const dataset = "all";
  return {
    ...set,
    name: `${set.name}, one dataset`,
    bitext: [],
    similarity: [],
    passages: set.passages.map((passage) => ({ ...passage, dataset })),
    questions: set.questions.map((question) => ({ ...question, dataset })),
  };
}

/** Some sentences in a row, in English and in another language. */
interface Group {
  readonly id: string;
  /** 0-1, the same for the group in every language. */
  readonly chance: number;
  readonly english: string;
  readonly own: string;
  readonly sentences: readonly string[];
}

/**
 * `place` says which passages a language's group becomes. With `anywhere`, a group's passages in every language answer what asks for it.
 */
function fromBitext(
  set: QuestionSet,
  name: string,
  seed: number,
  place: (request: { language: string; group: Group }) => (Passage & { isAsked: boolean })[],
  anywhere = false,
): QuestionSet | null {
  if (set.bitext.length === 0) return null;
  const passages = new Map<string, Passage>();
  const asking: { language: string; text: string; group: string; passage: Passage }[] = [];
  for (const [language, rows] of Map.groupBy(set.bitext, (row) => row.language)) {
    const random = new Random(Bun.hash.xxHash32(language, seed));
    const groups = groupsOf(rows, seed).flatMap((group) =>
      place({ language, group }).map((passage) => ({ group, passage })),
    );
    for (const {
      passage: { isAsked: _, ...passage },
    } of groups)
      passages.set(passage.id, passage);
    const asked = groups.filter(({ passage }) => passage.isAsked);
    for (let count = 0; count < Math.min(QUESTIONS, asked.length * SENTENCES); count++) {
      const { group, passage } = asked[random.below(asked.length)]!;
      asking.push({
        language,
        text: partOf(random.pick(group.sentences)!, language, random),
        group: group.id,
        passage,
      });
    }
  }
  const languages = [...new Set(set.bitext.map(({ language }) => language))];
  const questions = asking.map(({ language, text, group, passage }): Question => {
    const right = anywhere
      ? languages.map((other) => `${group}@${other}`).filter((id) => passages.has(id))
      : [passage.id];
    return { language, text, right, passageLanguage: passage.language, dataset: passage.dataset, answers: [] };
  });
  return {
    name: `${set.name}, ${name}`,
    questions,
    passages: [...passages.values()],
    documents: null,
    bitext: [],
    similarity: [],
  };
}

/** Short and repeated sentences are left out. */
function groupsOf(rows: readonly BitextRow[], seed: number): Group[] {
  const seen = new Set<string>();
  const kept = rows.filter(({ text }) => text.length > SHORTEST && !seen.has(text) && seen.add(text));
  return Array.from({ length: Math.floor(kept.length / SENTENCES) }, (_, at): Group => {
    const own = kept.slice(at * SENTENCES, (at + 1) * SENTENCES);
    const english = own.map(({ text }) => text).join(" ");
    return {
      id: String(at),
      chance: new Random(Bun.hash.xxHash32(english, seed)).next(),
      english,
      own: own.map(({ translation }) => translation).join(" "),
      sentences: own.map(({ translation }) => translation),
    };
  });
}

/** A stretch of a sentence, of which some words are left out. */
function partOf(sentence: string, language: string, random: Random): string {
  const share = LEAST_PART + (MOST_PART - LEAST_PART) * random.next();
  const isDense = DENSE.has(language.split("-")[0]!);
  const pieces = isDense ? [...sentence] : sentence.split(" ");
  const length = Math.max(isDense ? 6 : 3, Math.floor(pieces.length * share));
  const start = random.below(Math.max(1, pieces.length - length + 1));
  const part = pieces.slice(start, start + length);
  return isDense ? part.join("") : part.filter((_, at) => at === 0 || !random.chance(LEFT_OUT)).join(" ");
}
