/**
 * Builds a question set from public pages in many languages that the built-in model was not trained on:
 *
 *     bun bench/quality/held-out-pages.ts FOLDER [--exclude TSV_FOLDER]
 *
 * Downloads the packages of held-out-sources.ts (with apt) into FOLDER/debs and writes FOLDER/pages/questions.tsv and
 * passages.tsv: a section's heading, or where that says little its first sentence, asks for the section, in the same language and
 * in another one. `--exclude` leaves out every section whose question or beginning stands in a field of these training files.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { HELP_PACKAGES, MANUAL_PACKAGES } from "./held-out-sources.ts";
import { helpSections, manualSections, type Section } from "./page-sections.ts";
import { escapeText } from "./question-set.ts";

/** Languages with fewer sections are left out; of others at most so many are taken. */
const FEWEST_SECTIONS = 40;
const MOST_SECTIONS = 400;
const MOST_CROSS_QUESTIONS = 200;
const LEAST_CHARACTERS = 120;
const MOST_CHARACTERS = 1500;
/** Characters of a question. Scripts without spaces say more in fewer. */
const LEAST_QUESTION = 12;
const LEAST_QUESTION_DENSE = 5;
const MOST_QUESTION = 200;

/** Words of English alone; two different ones among few words make a text English. */
const ENGLISH_WORDS = new Set("the and of to for with that are you this from its by which or can will when".split(" "));
const ENGLISH_SHARE = 0.12;

interface Item {
  /** The same section in every language. */
  readonly key: string;
  readonly language: string;
  readonly question: string;
  readonly passage: string;
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { exclude: { type: "string" } } });
const folder = positionals[0]!;
const debs = join(folder, "debs");
mkdirSync(debs, { recursive: true });
download();
const sections = readSections();
const items = withoutRepeats(onePerLanguage(removeUntranslated(sections).flatMap(toItem)));
const kept = values.exclude === undefined ? items : await withoutTrainingText(items, values.exclude);
writeSet(kept);

function download(): void {
  for (const name of [...HELP_PACKAGES, ...MANUAL_PACKAGES]) {
    if (readdirSync(debs).some((file) => file.startsWith(`${name}_`))) continue;
    const { success } = Bun.spawnSync(["apt-get", "download", "-qq", name], { cwd: debs, stderr: "inherit" });
    if (!success) console.error(`${name} cannot be downloaded and is left out`);
  }
}

function readSections(): Section[] {
  const pages = join(folder, "unpacked");
  mkdirSync(pages, { recursive: true });
  const found: Section[] = [];
  for (const file of readdirSync(debs)
    .filter((name) => name.endsWith(".deb"))
    .sort()) {
    const target = join(pages, file.split("_")[0]!);
    if (!existsSync(target)) {
      const { success } = Bun.spawnSync(["dpkg-deb", "-x", join(debs, file), target]);
      if (!success) throw new Error(`${file} cannot be unpacked`);
    }
    found.push(...helpSections(target), ...manualSections(target));
  }
  return found;
}

function isEnglish(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  const english = words.filter((word) => ENGLISH_WORDS.has(word));
  return new Set(english).size >= 2 && english.length / words.length >= ENGLISH_SHARE;
}

/** Sections that hold an English paragraph are not translated, or not wholly. */
function removeUntranslated(sections: readonly Section[]): Section[] {
  const english = new Map(
    sections
      .filter(({ language }) => language === "en")
      .map((section) => [section.key, new Set([section.heading, ...section.paragraphs])]),
  );
  return sections.filter(({ key, language, heading, paragraphs }) => {
    const original = language === "en" ? undefined : english.get(key);
    if (language !== "en" && (isEnglish(heading) || isEnglish(paragraphs.join(" ")))) return false;
    return !original || ![heading, ...paragraphs].some((text) => text.length > 3 && original.has(text));
  });
}

function toItem({ key, language, heading, paragraphs }: Section): Item[] {
  const text = paragraphs.join("\n");
  const sentences = [...new Intl.Segmenter(language, { granularity: "sentence" }).segment(text)].map(
    ({ segment }) => segment,
  );
  const asksByHeading = isTelling(heading, language);
  const question = asksByHeading ? heading : (sentences[0] ?? "").trim();
  const passage = (asksByHeading ? text : sentences.slice(1).join("")).trim();
  // A sentence that only introduces a list asks for nothing.
  if (
    !isTelling(question, language) ||
    /[:：]$/.test(question) ||
    passage.length < (isDense(language) ? LEAST_CHARACTERS / 2 : LEAST_CHARACTERS)
  )
    return [];
  return [{ key, language, question, passage: passage.slice(0, MOST_CHARACTERS) }];
}

function isDense(language: string): boolean {
  return ["zh", "ja", "ko"].includes(language);
}

function isTelling(question: string, language: string): boolean {
  return (
    question.length >= (isDense(language) ? LEAST_QUESTION_DENSE : LEAST_QUESTION) && question.length <= MOST_QUESTION
  );
}

/** Of a language's regions one: a section in two of them would have two right answers that look alike. */
function onePerLanguage(items: readonly Item[]): Item[] {
  return [...new Map(items.toReversed().map((item) => [`${item.key}@${item.language}`, item])).values()].toReversed();
}

/** Leaves out questions that several sections of a language ask, and passages that stand in several places. */
function withoutRepeats(items: readonly Item[]): Item[] {
  const count = (text: (item: Item) => string): Map<string, number> =>
    items.reduce(
      (counts, item) => counts.set(text(item), (counts.get(text(item)) ?? 0) + 1),
      new Map<string, number>(),
    );
  const question = (item: Item): string => `${item.language} ${item.question.toLowerCase()}`;
  const passage = (item: Item): string => `${item.language} ${item.passage.slice(0, 200)}`;
  const questions = count(question),
    passages = count(passage);
  return items.filter((item) => questions.get(question(item)) === 1 && passages.get(passage(item)) === 1);
}

async function withoutTrainingText(items: readonly Item[], training: string): Promise<Item[]> {
  const trace = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "")
      .slice(0, 60);
  const wanted = new Set(items.flatMap(({ question, passage }) => [trace(question), trace(passage)]));
  const seen = new Set<string>();
  for (const file of readdirSync(training).filter((name) => name.endsWith(".tsv"))) {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of Bun.file(join(training, file)).stream()) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop()!;
      for (const line of lines)
        for (const field of line.split("\t").slice(1)) if (wanted.has(trace(field))) seen.add(trace(field));
    }
  }
  const kept = items.filter(({ question, passage }) => !seen.has(trace(question)) && !seen.has(trace(passage)));
  console.log(`${items.length - kept.length} of ${items.length} sections stand in the training text and are left out`);
  return kept;
}

function writeSet(items: readonly Item[]): void {
  // By a hash of the section, so that languages choose the same ones.
  const order = (item: Item): bigint => Bun.hash.xxHash64(item.key);
  const chosen = [...Map.groupBy(items, (item) => item.language)]
    .filter(([, own]) => own.length >= FEWEST_SECTIONS)
    .flatMap(([, own]) => own.toSorted((left, right) => (order(left) < order(right) ? -1 : 1)).slice(0, MOST_SECTIONS));
  const id = (item: Item): string => `${item.key}@${item.language}`;
  const byKey = Map.groupBy(chosen, (item) => item.key);
  const questions: string[] = chosen.map((item) => [item.language, escapeText(item.question), id(item)].join("\t"));
  for (const [, own] of Map.groupBy(chosen, (item) => item.language)) {
    const cross = own.flatMap((item) => {
      const others = byKey.get(item.key)!.filter((other) => other.language !== item.language);
      const other = others[Number(Bun.hash.xxHash64(id(item)) % BigInt(Math.max(1, others.length)))];
      return other ? [[item.language, escapeText(item.question), id(other)].join("\t")] : [];
    });
    questions.push(...cross.slice(0, MOST_CROSS_QUESTIONS));
  }
  const target = join(folder, "pages");
  mkdirSync(target, { recursive: true });
  writeFileSync(
    join(target, "passages.tsv"),
    chosen.map((item) => [id(item), item.language, escapeText(item.passage)].join("\t")).join("\n"),
  );
  writeFileSync(join(target, "questions.tsv"), questions.join("\n"));
  const languages = [...Map.groupBy(chosen, (item) => item.language)].map(
    ([language, own]) => `${language} ${own.length}`,
  );
  console.log(
    `${questions.length} questions about ${chosen.length} sections in ${languages.length} languages: ${languages.join(", ")}`,
  );
}
