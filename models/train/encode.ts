/**
 * Pairs of texts → token ids, by the very library and file that read text in use, so that training and use cannot differ.
 *
 *     bun encode.ts PAIRS_FOLDER JUDGING_FOLDER TOKENIZER_JSON OUTPUT_FOLDER [SOURCE...]
 *
 * Writes for each PAIRS_FOLDER/SOURCE.tsv, or the SOURCEs named, unless it is there: SOURCE.ids (uint16, left and right texts in turn), SOURCE.lengths (uint16, one
 * per text) and SOURCE.json ([language, pairs] in the order of the ids). Pairs of which a side equals a text of
 * JUDGING_FOLDER (*.tsv.xz, *.jsonl.xz) but for case, blanks and punctuation are left out and counted.
 */

import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Tokenizer } from "tokenizers";
import sampling from "./sampling.json";

/** Pairs taken of one language and source, by source; lexicons would otherwise drown the rest. */
const MOST_PAIRS: Record<string, number> = {
  freedict: 15_000, cldr: 5_000, gatitos: 5_000, osm: 3_000, iso_codes: 3_000,
  mediawiki: 3_000, chromium: 4_000, ret_ddtp: 4_000, cross_ddtp: 4_000, ret_jaquad: 40_000,
  kde_docs: 15_000, foreign_lo_help: 10_000,
};
const MOST_PAIRS_OTHERWISE = 7_000;
/** Sources whose rows follow each other as in the text they come from: they are cut off, not sampled. */
const CONSECUTIVE: ReadonlySet<string> = new Set(sampling.consecutive);
/** A source of consecutive rows gives so many times the pairs. */
const CONSECUTIVE_FACTOR = 2;
const MOST_CHARACTERS = 800;
const MOST_TOKENS = 256;
/** Shorter texts (single words, names) may well be the same by chance. */
const SHORTEST_COMPARED = 20;
const BATCH = 512;

const comparable = (text: string) => text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** Every text of the judging sets, in comparable form. */
function judgingTexts(folder: string): Set<string> {
  const texts = new Set<string>();
  const add = (text: string) => {
    const form = comparable(text);
    if (form.length >= SHORTEST_COMPARED) texts.add(form);
  };
  for (const name of readdirSync(folder)) {
    const lines = execFileSync("xzcat", [join(folder, name)], { maxBuffer: 1 << 30 }).toString("utf8").trimEnd().split("\n");
    for (const line of lines) {
      if (name.includes(".tsv")) line.split("\t").slice(1).forEach(add);
      else {
        const { passage, questions } = JSON.parse(line) as { passage: string; questions: string[] };
        [passage, ...questions].forEach(add);
      }
    }
  }
  return texts;
}

async function* rows(file: string): AsyncGenerator<[string, string, string]> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const fields = line.split("\t");
    if (fields.length === 3) yield fields as [string, string, string];
  }
}

/** A repeatable number in [0, 1) for a row. */
function chance(row: number): number {
  let state = (row + 1) * 0x9e3779b1;
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return ((state ^ (state >>> 16)) >>> 0) / 2 ** 32;
}

async function encodeSource(source: string, pairs: string, output: string, tokenizer: Tokenizer, never: ReadonlySet<string>) {
  const file = join(pairs, source + ".tsv");
  const available = new Map<string, number>();
  for await (const [language] of rows(file)) available.set(language, (available.get(language) ?? 0) + 1);
  const most = MOST_PAIRS[source] ?? MOST_PAIRS_OTHERWISE;
  const chosen = new Map<string, string[]>();
  let row = 0;
  let dropped = 0;
  for await (const [language, left, right] of rows(file)) {
    row += 1;
    const total = available.get(language) as number;
    if (total < sampling.fewestPairs || left === "" || !/^[a-z]{2,3}([-_].*)?$/i.test(language)) continue;
    if (CONSECUTIVE.has(source) ? (chosen.get(language)?.length ?? 0) / 2 >= CONSECUTIVE_FACTOR * most : chance(row) >= most / total) continue;
    if ([left, right].some((side) => side.length >= SHORTEST_COMPARED && never.has(comparable(side)))) {
      dropped += 1;
      continue;
    }
    const texts = chosen.get(language) ?? [];
    if (texts.length === 0) chosen.set(language, texts);
    texts.push(left.slice(0, MOST_CHARACTERS), right.slice(0, MOST_CHARACTERS));
  }
  const ids: number[][] = [];
  const lengths: number[] = [];
  for (const texts of chosen.values()) {
    for (let at = 0; at < texts.length; at += BATCH) {
      for (const encoding of await tokenizer.encodeBatch(texts.slice(at, at + BATCH))) {
        const own = encoding.getIds().slice(0, MOST_TOKENS);
        ids.push(own);
        lengths.push(own.length);
      }
    }
  }
  const flat = new Uint16Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const own of ids) {
    flat.set(own, at);
    at += own.length;
  }
  writeFileSync(join(output, source + ".ids"), flat);
  writeFileSync(join(output, source + ".lengths"), Uint16Array.from(lengths));
  writeFileSync(join(output, source + ".json"), JSON.stringify([...chosen].map(([language, texts]) => [language, texts.length / 2])));
  console.log(`${source}: ${lengths.length / 2} pairs, ${chosen.size} languages, ${at} tokens; ${dropped} pairs equal to a judging text left out`);
}

const [pairs, judging, tokenizerFile, output, ...named] = process.argv.slice(2) as [string, string, string, string, ...string[]];
mkdirSync(output, { recursive: true });
const tokenizer = Tokenizer.fromFile(tokenizerFile);
tokenizer.disablePadding();
tokenizer.disableTruncation();
const never = judgingTexts(judging);
const size = (source: string) => statSync(join(pairs, source + ".tsv")).size;
const all = readdirSync(pairs).filter((name) => name.endsWith(".tsv")).map((name) => name.slice(0, -4));
const sources = named.length > 0 ? named : all;
for (const source of sources.toSorted((a, b) => size(b) - size(a))) {
  if (!source.startsWith("mono") && !existsSync(join(output, source + ".json"))) await encodeSource(source, pairs, output, tokenizer, never);
}

/** Words that questions begin with in each language, from the lexicons whose English side names them. */
const QUESTION_WORDS = new Set(["what", "who", "where", "when", "why", "how", "which", "whose", "how many", "how much", "what is", "is", "are", "was", "does", "did", "can"]);
const questions: Record<string, number[][]> = { en: [] };
const questionWords = async (text: string) => (await tokenizer.encode(text)).getIds();
for (const word of QUESTION_WORDS) questions.en?.push(await questionWords(word));
for (const lexicon of ["gatitos.tsv", "freedict.tsv"]) {
  for await (const [language, english, translation] of rows(join(pairs, lexicon))) {
    if (QUESTION_WORDS.has(english.toLowerCase())) (questions[language] ??= []).push(await questionWords(translation));
  }
}
writeFileSync(join(output, "question_words.json"), JSON.stringify(questions));
