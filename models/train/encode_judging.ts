/**
 * Texts to judge by → token ids, by the library and file that read text in use.
 *
 *     bun encode_judging.ts JUDGING_FOLDER HELD_OUT_FOLDER TOKENIZER_JSON OUTPUT_FOLDER
 *
 * Writes for each set: NAME.ids (uint16), NAME.lengths (uint16, one per text) and NAME.json, one row per line of the set:
 * its language, how many texts it has and what belongs to them (a similarity, a page).
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer } from "tokenizers";

interface Row {
  readonly language: string;
  readonly texts: readonly string[];
  readonly about: string;
}

const MOST_TOKENS = 512;

const [judging, sections, tokenizerFile, output] = process.argv.slice(2) as [string, string, string, string];
const tokenizer = Tokenizer.fromFile(tokenizerFile);
tokenizer.disablePadding();
tokenizer.disableTruncation();

/** Columns: language, text, text, and for sentence pairs their similarity. */
function tableRow(line: string): Row {
  const [language, left, right, similarity] = line.split("\t") as [string, string, string, string?];
  return { language, texts: [left, right], about: similarity ?? "" };
}

/** One passage, then its questions. */
function questionRow(line: string): Row {
  const { passage, questions } = JSON.parse(line) as { passage: string; questions: string[] };
  return { language: "ja", texts: [passage, ...questions], about: "" };
}

function sectionRow(line: string): Row {
  const [page, language, heading, section] = line.split("\t") as [string, string, string, string];
  return { language, texts: [heading, section], about: page };
}

async function encode(name: string, rows: readonly Row[]) {
  const encodings = await tokenizer.encodeBatch(rows.flatMap((row) => [...row.texts]));
  const ids = encodings.map((encoding) => encoding.getIds().slice(0, MOST_TOKENS));
  writeFileSync(join(output, name + ".ids"), Uint16Array.from(ids.flat()));
  writeFileSync(join(output, name + ".lengths"), Uint16Array.from(ids, (own) => own.length));
  writeFileSync(join(output, name + ".json"), JSON.stringify(rows.map((row) => [row.language, row.texts.length, row.about])));
  console.log(name, rows.length, "rows");
}

mkdirSync(output, { recursive: true });
for (const file of readdirSync(judging)) {
  const lines = execFileSync("xzcat", [join(judging, file)], { maxBuffer: 1 << 30 }).toString("utf8").trimEnd().split("\n");
  await encode(file.split(".")[0] as string, lines.map(file.includes(".tsv") ? tableRow : questionRow));
}
const lines = readdirSync(sections).flatMap((name) => readFileSync(join(sections, name), "utf8").trimEnd().split("\n"));
await encode("held_out_sections", lines.map(sectionRow));
