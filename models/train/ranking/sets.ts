/**
 * Question sets that the ranking network is trained and judged on, one JSON file each (`QuestionSet` in pools.ts). What each is made of: README.md.
 *
 *     bun sets.ts CORPUS_FOLDER OUTPUT_FOLDER
 *
 * The same files come of the same corpus every time.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Chance } from "./chance.ts";
import { Corpus, type Translated } from "./corpus.ts";
import { asked, grouped, joined, otherTopics, type Pool, type QuestionSet, questionSet, quoted, type Quoting, together } from "./pools.ts";
import { span } from "./questions.ts";
import { smallSet, type SmallCollection, type SmallSources } from "./small-sets.ts";

/** Of questions that people asked and that are cut to keywords in training; judged in sets of their own. */
const SHORT = 0.15;
const TRAINING: Quoting = { share: [0.3, 0.8], short: 0.12 };
const JUDGING: Quoting = { share: [0.3, 0.8], short: 0 };
const SHORT_ONLY: Quoting = { share: [0.3, 0.8], short: 1 };

const NEWS_LANGUAGES = "de ru ar el hi tr vi zh th es ro ja ko fa pl uk bn he hu fi fr id nl sv ta sw ka hy it pt".split(" ");
const COURSE_LANGUAGES = "de ru ar el hi tr vi zh th es ro ja ko fa pl uk bn he hu fi".split(" ");
const MIXED_NEWS_LANGUAGES = "de ru ar el hi tr vi zh th es ro ja ko fa pl uk bn he hu fi fr id nl sv".split(" ");
const MIXED_COURSE_LANGUAGES = "de ru ar el hi tr vi zh th es ro ja ko fa pl uk".split(" ");
const OTHER_WAY_LANGUAGES = "de ru ar hi tr zh th es ja ko".split(" ");
/** Languages of which the news were translated twice. */
const TWICE_TRANSLATED = "es fr pt zh".split(" ");
const MANY_TOGETHER = ["en de ru ar el hi tr vi zh th es ro".split(" "), "en ja ko fa pl uk fr id bn he fi zh".split(" "), "en nl sv hu ta sw ka it pt ar ru hi".split(" ")];
const JUDGED_LANGUAGES = "ar de el es hi ro ru th tr vi zh".split(" ");
const JUDGED_NEWS: Record<string, string> = { ja: "jpn", ko: "kor", fa: "fas", fi: "fin", sw: "swa" };

/** How many consecutive sentences of the news make a passage, language by language in turn: from a remark to a page. */
const NEWS_GROUPS = [6, 3, 8, 4, 2];
const COURSE_GROUPS = [5, 8, 6, 4];
/** Rows of a course that its pool is made of. */
const COURSE_ROWS = [1600, 8000, 14000, 4000];

/** Passages of a small collection, and how many such collections are trained on and judged by. */
const SMALL_SIZES = [8, 14, 24, 40, 70, 120];
const SMALL_TRAINED = 90, SMALL_JUDGED = 36;

const turn = <Item>(items: readonly Item[], at: number) => items[at % items.length] as Item;

/** Rows in a row, from a place by chance. */
function stretch<Row>(rows: readonly Row[], count: number, chance: Chance): readonly Row[] {
  const start = chance.below(Math.max(1, rows.length - count + 1));
  return rows.slice(start, start + count);
}

/** Passages on both sides, `own` of them in the asker's language; the question's passage is in English but for `ownRight` of the questions. */
function mixed(rows: readonly Translated[], { language, group, count, own, ownRight, quoting }: { language: string; group: number; count: number; own: number; ownRight: number; quoting: Quoting }, chance: Chance): Pool {
  const sides = grouped(rows, group).map(() => chance.next() < own ? "translation" as const : "english" as const);
  const half = (side: "english" | "translation", share: number) => quoted(rows, { language, group, count: Math.round(count * share), side: (at) => turn(sides, at), asks: (of) => of === side, quoting }, chance);
  const [english, translated] = [half("english", 1 - ownRight), half("translation", ownRight)];
  return { passages: english.passages, questions: [...english.questions, ...translated.questions] };
}

/** Passages of the same texts in several languages, each in one of them; questions in all, of which `ownRight` are answered in their own. */
function manyLanguages(corpus: Corpus, source: string, languages: readonly string[], code: (language: string) => string, { group, count, ownRight, quoting }: { group: number; count: number; ownRight: number; quoting: Quoting }, chance: Chance): Pool {
  const foreign = languages.filter((language) => language !== "en");
  const texts = new Map(foreign.map((language) => [language, new Map(corpus.translations(source, code(language)).map((row) => [row.english, row.translation]))]));
  const english = [...(texts.get(foreign[0] as string) as Map<string, string>).keys()].filter((text) => foreign.every((language) => texts.get(language)?.has(text)));
  const said = (text: string, language: string) => texts.get(language)?.get(text) ?? text;
  const groups = grouped(english, group).map((own) => ({ own, language: turn(languages, chance.below(languages.length)) }));
  const questions = chance.sample(english.map((text, at) => ({ text, right: Math.floor(at / group) })), count).map(({ text, right }) => {
    const answered = groups[right]?.language as string;
    const others = languages.filter((language) => language !== answered);
    const language = chance.next() < ownRight ? answered : turn(others, chance.below(others.length));
    return { text: span(said(text, language), language, chance.between(...quoting.share), chance), right, language };
  });
  return { passages: groups.map(({ own, language }) => own.map((text) => said(text, language)).join(" ")), questions };
}

/** Collections of every size and sort in turn. */
function* smallSets(prefix: string, sources: SmallSources, count: number, quoting: Quoting): Generator<QuestionSet> {
  for (let at = 0; at < count; at++) {
    const collection: SmallCollection = { size: turn(SMALL_SIZES, at), sort: turn(["many", "quoted", "one"], Math.floor(at / SMALL_SIZES.length)) };
    const name = `${prefix}small-${collection.sort}-${at}`;
    yield smallSet(name, `${prefix}small`, sources, collection, quoting, new Chance(name));
  }
}

function* trainingSets(corpus: Corpus): Generator<QuestionSet> {
  const drcd = corpus.passages("questions/drcd");
  const drcdTest = corpus.passages("questions/drcd_t");
  const iapp = corpus.passages("questions/iapp");
  const qed = corpus.passages("questions/qed-dev");
  const covid = corpus.passages("questions/covid");
  const course = (language: string) => corpus.translations("ms_docs", language);
  const news = (language: string) => corpus.translations("ntrex", language);
  const courseInEnglish = grouped(course("de"), 4).map((rows) => joined(rows, "english"));

  const same = [
    { name: "drcd", language: "zh", from: drcd, count: 700 },
    { name: "drcd-small", language: "zh", from: drcd, size: 180, count: 180 },
    { name: "drcd_t", language: "zh", from: drcdTest, count: 500 },
    { name: "drcd-both", language: "zh", from: [...drcd, ...drcdTest], count: 350 },
    { name: "drcd-large", language: "zh", from: [...drcd, ...drcdTest], count: 300, others: grouped(course("zh"), 4).map((rows) => joined(rows, "translation")) },
    { name: "iapp", language: "th", from: iapp, count: 650 },
    { name: "iapp-small", language: "th", from: iapp, size: 90, count: 180 },
    { name: "iapp-large", language: "th", from: iapp, count: 200, others: grouped(course("th"), 5).map((rows) => joined(rows, "translation")) },
    { name: "qed", language: "en", from: qed, count: 800 },
    { name: "qed-small", language: "en", from: qed, size: 200, count: 200 },
    { name: "covid", language: "en", from: covid, size: 700, count: 400 },
    { name: "covid-all", language: "en", from: covid, count: 250 },
    { name: "english-large", language: "en", from: [...qed, ...covid], count: 400, others: courseInEnglish },
  ];
  for (const { name, language, from, ...rest } of same) {
    const chance = new Chance(`same-${name}`);
    yield questionSet(`same-${name}`, "same", language, asked(from, language, { ...rest, short: SHORT }, chance), chance);
  }
  for (const [from, language, passages] of [["drcd", "zh", drcd], ["iapp", "th", iapp], ["qed", "en", qed], ["covid", "en", covid]] as const) {
    const name = `other-topic-${from}`;
    yield otherTopics(name, "other-topic", language, passages, 300, new Chance(name));
  }
  const people = [{ language: "zh", passages: [...drcd, ...drcdTest] }, { language: "th", passages: iapp }, { language: "en", passages: qed }, { language: "en", passages: covid }];
  yield* smallSets("", { asked: people, translated: NEWS_LANGUAGES.map((language) => ({ language, rows: news(language) })) }, SMALL_TRAINED, TRAINING);
  for (const language of TWICE_TRANSLATED) {
    const name = `same-news-${language}`;
    const chance = new Chance(name);
    const otherWords = new Map(corpus.translations("ntrex", language, 1).map((row) => [row.english, row.translation]));
    // The passages are of the one translation and the questions of the other.
    const rows = news(language).flatMap((row) => otherWords.has(row.english) ? [{ english: row.translation, translation: otherWords.get(row.english) as string }] : []);
    yield questionSet(name, "same", language, quoted(rows, { language, group: 4, count: 80, quoting: TRAINING }, chance), chance);
  }

  for (const [at, language] of NEWS_LANGUAGES.entries()) {
    const name = `cross-news-${language}`;
    const chance = new Chance(name);
    yield questionSet(name, "cross", language, quoted(news(language), { language, group: turn(NEWS_GROUPS, at), count: 90, quoting: TRAINING }, chance), chance);
  }
  for (const [at, language] of COURSE_LANGUAGES.entries()) {
    const name = `cross-course-${language}`;
    const chance = new Chance(name);
    const rows = stretch(course(language), turn(COURSE_ROWS, at), chance);
    yield questionSet(name, "cross", language, quoted(rows, { language, group: turn(COURSE_GROUPS, at), count: 60, quoting: TRAINING }, chance), chance);
  }
  for (const language of OTHER_WAY_LANGUAGES) {
    const name = `cross-from-english-${language}`;
    const chance = new Chance(name);
    const pool = quoted(news(language), { language: "en", group: 4, count: 40, side: () => "translation", from: "english", quoting: TRAINING }, chance);
    yield questionSet(name, "cross", "en", pool, chance);
  }
  for (const language of ["de", "ru", "ar", "zh", "hi", "th"]) {
    const name = `cross-large-${language}`;
    const chance = new Chance(name);
    const pool = quoted(news(language), { language, group: 4, count: 50, others: [...courseInEnglish, ...qed.map(({ text }) => text)], quoting: TRAINING }, chance);
    yield questionSet(name, "cross", language, pool, chance);
  }

  for (const [at, language] of MIXED_NEWS_LANGUAGES.entries()) {
    for (const [sort, own, ownRight] of [["most", 0.6, 0.1], ["half", 0.5, 0.2], ["any", turn([0.1, 0.25, 0.75, 0.9], at), 0.4]] as const) {
      const name = `mixed-news-${sort}-${language}`;
      const chance = new Chance(name);
      const group = turn(NEWS_GROUPS, at + 1);
      yield questionSet(name, "mixed", language, mixed(news(language), { language, group, count: 40, own, ownRight, quoting: TRAINING }, chance), chance);
    }
  }
  for (const [at, language] of MIXED_COURSE_LANGUAGES.entries()) {
    for (const [sort, own, ownRight] of [["most", 0.6, 0.1], ["half", 0.5, 0.2]] as const) {
      const name = `mixed-course-${sort}-${language}`;
      const chance = new Chance(name);
      const rows = stretch(course(language), turn(COURSE_ROWS, at + 1), chance);
      yield questionSet(name, "mixed", language, mixed(rows, { language, group: turn(COURSE_GROUPS, at), count: 30, own, ownRight, quoting: TRAINING }, chance), chance);
    }
  }
  // Questions that people asked, answered in their own language, beside quotations answered in English: both among passages of both.
  const ownAndEnglish = [
    { name: "drcd", language: "zh", from: drcd, size: 400, count: 250 },
    { name: "drcd_t", language: "zh", from: drcdTest, size: 250, count: 150 },
    { name: "iapp", language: "th", from: iapp, size: 382, count: 250 },
  ];
  for (const { name: from, language, from: passages, size, count } of ownAndEnglish) {
    const name = `mixed-${from}`;
    const chance = new Chance(name);
    const quotes = quoted(news(language), { language, group: 4, count: 100, quoting: TRAINING }, chance);
    yield questionSet(name, "mixed", language, together([asked(passages, language, { size, count, short: SHORT }, chance), quotes]), chance);
  }
  for (const language of ["de", "ru", "zh", "ar"]) {
    const name = `mixed-qed-${language}`;
    const chance = new Chance(name);
    const quotes = quoted(news(language), { language: "en", group: 4, count: 50, side: () => "translation", from: "english", quoting: TRAINING }, chance);
    yield questionSet(name, "mixed", "en", together([asked(qed, "en", { size: 350, count: 60, short: SHORT }, chance), quotes]), chance);
  }

  for (const [at, languages] of MANY_TOGETHER.entries()) {
    for (const [sort, group] of [["short", 3], ["long", 6]] as const) {
      const name = `many-news-${sort}-${at}`;
      const chance = new Chance(name);
      yield questionSet(name, "many", "mul", manyLanguages(corpus, "ntrex", languages, (language) => language, { group, count: 220, ownRight: 0.3, quoting: TRAINING }, chance), chance);
    }
  }
}

function* judgingSets(corpus: Corpus): Generator<QuestionSet> {
  const natural = [
    { name: "korquad", language: "ko", from: corpus.passages("questions/korquad"), count: 400 },
    { name: "piaf", language: "fr", from: corpus.passages("questions/piaf"), count: 400 },
    { name: "jaquad", language: "ja", from: corpus.passages("eval/jaquad_dev"), count: 500 },
  ];
  const sentences = (language: string) => corpus.translations("eval/flores_dev", language);
  const newsInEnglish = grouped(corpus.translations("eval/ntrex_dev", "deu"), 3).map((rows) => joined(rows, "english"));
  const sentencesInEnglish = grouped(sentences("de"), 3).map((rows) => joined(rows, "english"));

  for (const { name: from, language, from: passages, count } of natural) {
    const whole = `judge-same-${from}`;
    const chance = new Chance(whole);
    yield questionSet(whole, "judge-same", language, asked(passages, language, { count }, chance), chance);
    yield questionSet(`judge-short-${from}`, "judge-short", language, asked(passages, language, { count: 100, short: 1 }, chance), chance);
    const elsewhere = `judge-other-topic-${from}`;
    yield otherTopics(elsewhere, "judge-other-topic", language, passages, 300, new Chance(elsewhere));
    yield questionSet(`judge-mixed-own-${from}`, "judge-mixed-own", language, asked(passages, language, { size: 450, count: 110, others: [...sentencesInEnglish, ...newsInEnglish] }, chance), chance);
  }
  yield* smallSets("judge-", { asked: natural.map(({ language, from }) => ({ language, passages: from })), translated: JUDGED_LANGUAGES.map((language) => ({ language, rows: sentences(language) })) }, SMALL_JUDGED, JUDGING);
  for (const language of JUDGED_LANGUAGES) {
    const name = `judge-cross-${language}`;
    const chance = new Chance(name);
    yield questionSet(name, "judge-cross", language, quoted(sentences(language), { language, group: 3, count: 45, others: newsInEnglish, quoting: JUDGING }, chance), chance);
  }
  for (const [language, code] of Object.entries(JUDGED_NEWS)) {
    const name = `judge-cross-news-${language}`;
    const chance = new Chance(name);
    const pool = quoted(corpus.translations("eval/ntrex_dev", code), { language, group: 3, count: 40, others: sentencesInEnglish, quoting: JUDGING }, chance);
    yield questionSet(name, "judge-cross", language, pool, chance);
  }
  for (const language of JUDGED_LANGUAGES) {
    const name = `judge-short-cross-${language}`;
    const chance = new Chance(name);
    yield questionSet(name, "judge-short-cross", language, quoted(sentences(language), { language, group: 3, count: 12, others: newsInEnglish, quoting: SHORT_ONLY }, chance), chance);
  }
  for (const language of JUDGED_LANGUAGES) {
    const name = `judge-mixed-${language}`;
    const chance = new Chance(name);
    const pool = mixed(sentences(language), { language, group: 3, count: 40, own: 0.5, ownRight: 0, quoting: JUDGING }, chance);
    yield questionSet(name, "judge-mixed", language, pool, chance);
  }
  for (const sort of ["own", "other"] as const) {
    const name = `judge-many-${sort}`;
    const chance = new Chance(name);
    const pool = manyLanguages(corpus, "eval/flores_dev", ["en", ...JUDGED_LANGUAGES], (language) => language, { group: 3, count: 220, ownRight: sort === "own" ? 1 : 0, quoting: JUDGING }, chance);
    yield questionSet(name, "judge-many", "mul", pool, chance);
  }
}

const [corpusFolder, output] = process.argv.slice(2) as [string, string];
mkdirSync(output, { recursive: true });
const corpus = new Corpus(corpusFolder);
const totals = { training: 0, judging: 0 };
for (const set of [...trainingSets(corpus), ...judgingSets(corpus)]) {
  writeFileSync(join(output, set.name + ".json"), JSON.stringify(set));
  totals[set.kind.startsWith("judge-") ? "judging" : "training"] += set.questions.length;
  console.log(`${set.name}: ${set.passages.length} passages, ${set.questions.length} questions, ${set.questions.filter(({ right }) => right === null).length} of them unanswerable`);
}
console.log(`${totals.training} questions to train on, ${totals.judging} to judge by`);
