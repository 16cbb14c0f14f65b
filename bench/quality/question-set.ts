/**
 * Question sets on disk: what `bun run bench quality --questions FOLDER` reads. A folder is one set, or holds one set
 * per folder in it. All files are tab-separated UTF-8, one row a line; `\n`, `\t` and `\\` inside a text stand for a line
 * break, a tab and a backslash. Lines that begin with `#` are remarks. Which files there are says what is measured:
 *
 *   questions.tsv   language, question, right passages (ids, with commas between them), dataset, answers
 *   passages.tsv    id, language, text, dataset. Without a dataset it lies in one that is called as its language
 *
 *   questions.tsv   language, question, document name or `name#words that stand in the passage`, its language, answers
 *   documents/      the documents, of any format that Lectern reads. A question is looked for in all of them
 *
 * A question is looked for in the dataset of its right passages. One that nothing answers has a dash for them, and is
 * looked for in the dataset that it names, or else the one called as its own language. Answers are as many further fields as
 * there are: what `/v1/query` answers should hold one of them. Fields at the end of a row may be left out.
 *
 *   bitext.tsv      language, text, its translation: how often the translation finds the text among all of that language
 *   similarity.tsv  language, text, text, how similar people found them: rank correlation with the cosine
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

export interface Passage {
  readonly id: string;
  readonly language: string;
  readonly text: string;
  readonly dataset: string;
}

export interface Question {
  readonly language: string;
  readonly text: string;
  /** Ids of the passages that answer it, all of one dataset; of a document set, `name` or `name#words`. None: nothing answers it. */
  readonly right: readonly string[];
  /** The question's own where a right passage is in that, else a right passage's. */
  readonly passageLanguage: string;
  readonly dataset: string;
  /** Words of which an answer should hold some; none where that is not known. */
  readonly answers: readonly string[];
}

export interface BitextRow {
  readonly language: string;
  readonly text: string;
  readonly translation: string;
}

export interface SimilarityRow {
  readonly language: string;
  readonly left: string;
  readonly right: string;
  readonly similarity: number;
}

export interface QuestionSet {
  readonly name: string;
  readonly questions: readonly Question[];
  readonly passages: readonly Passage[];
  /** Folder of the documents that the questions are about, instead of passages. */
  readonly documents: string | null;
  readonly bitext: readonly BitextRow[];
  readonly similarity: readonly SimilarityRow[];
}

/** Written in place of right passages. */
const NOTHING = "-";
/** The dataset of a set of documents. */
export const DOCUMENTS = "documents";
const FILES = ["questions.tsv", "bitext.tsv", "similarity.tsv"];

/** The sets of a folder. Throws an Error that names file and line of what cannot be read. */
export function readQuestionSets(folder: string): QuestionSet[] {
  const isSet = (path: string): boolean => FILES.some((file) => existsSync(join(path, file)));
  if (isSet(folder)) return [readQuestionSet(folder)];
  const folders = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .filter(isSet)
    .sort();
  if (folders.length === 0)
    throw new Error(`${folder} holds no ${FILES.join(", no ")}, and no folder with one of them`);
  return folders.map((path) => readQuestionSet(path));
}

/** One set; `documents` names another place for its documents. */
export function readQuestionSet(folder: string, documents = join(folder, "documents")): QuestionSet {
  const passages = readRows(
    join(folder, "passages.tsv"),
    3,
    ([id, language, text, dataset]): Passage => ({
      id: id!,
      language: language!,
      text: text!,
      dataset: dataset || language!,
    }),
  );
  const hasDocuments = passages.length === 0 && existsSync(documents);
  const known = new Map(passages.map((passage) => [passage.id, passage]));
  return {
    name: basename(folder),
    passages,
    documents: hasDocuments ? documents : null,
    questions: readRows(join(folder, "questions.tsv"), 3, (fields) =>
      hasDocuments ? questionOfDocuments(fields) : questionOfPassages(fields, known),
    ),
    bitext: readRows(join(folder, "bitext.tsv"), 3, ([language, text, translation]) => ({
      language: language!,
      text: text!,
      translation: translation!,
    })),
    similarity: readRows(join(folder, "similarity.tsv"), 4, ([language, left, right, similarity]) => {
      if (!Number.isFinite(Number(similarity))) throw new Error(`"${similarity}" is not a number`);
      return { language: language!, left: left!, right: right!, similarity: Number(similarity) };
    }),
  };
}

function questionOfDocuments([language, text, place, placeLanguage, ...answers]: string[]): Question {
  return {
    language: language!,
    text: text!,
    right: place === NOTHING ? [] : [place!],
    passageLanguage: placeLanguage || language!,
    dataset: DOCUMENTS,
    answers,
  };
}

function questionOfPassages(
  [language, text, ids, dataset, ...answers]: string[],
  passages: ReadonlyMap<string, Passage>,
): Question {
  const right = ids === NOTHING ? [] : ids!.split(",").map((id) => id.trim());
  const unknown = right.find((id) => !passages.has(id));
  if (unknown !== undefined) throw new Error(`there is no passage "${unknown}"`);
  const found = right.map((id) => passages.get(id)!);
  if (new Set(found.map((passage) => passage.dataset)).size > 1)
    throw new Error("its right passages lie in several datasets");
  const nearest = found.find((passage) => passage.language === language) ?? found[0];
  return {
    language: language!,
    text: text!,
    right,
    passageLanguage: nearest?.language ?? language!,
    dataset: nearest?.dataset ?? (dataset || language!),
    answers,
  };
}

/** The rows of a file, each with at least so many fields; none when the file is not there. */
function readRows<Row>(path: string, fields: number, toRow: (fields: string[]) => Row): Row[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split(/\r?\n/)
    .flatMap((line, index) => {
      if (line.trim() === "" || line.startsWith("#")) return [];
      try {
        const values = line.split("\t").map(unescaped);
        if (values.length < fields) throw new Error(`${values.length} fields where ${fields} are needed`);
        return [toRow(values)];
      } catch (error) {
        throw new Error(`${path}:${index + 1}: ${(error as Error).message}`);
      }
    });
}

/** A text as it stands in a file. */
export const escapeText = (text: string): string =>
  text.replace(/[\\\t\n]/g, (character) => ({ "\\": "\\\\", "\t": "\\t", "\n": "\\n" })[character]!);

const unescaped = (text: string): string =>
  text.replace(/\\([nt\\])/g, (_, character: string) => (character === "n" ? "\n" : character === "t" ? "\t" : "\\"));

/** Writes the passages and questions of a set as `readQuestionSet` reads them. */
export function writeQuestionSet(
  folder: string,
  { passages, questions }: Pick<QuestionSet, "passages" | "questions">,
): void {
  mkdirSync(folder, { recursive: true });
  const write = (file: string, rows: readonly (readonly string[])[]): void =>
    writeFileSync(join(folder, file), rows.map((row) => `${row.map(escapeText).join("\t")}\n`).join(""));
  write(
    "passages.tsv",
    passages.map(({ id, language, text, dataset }) => [id, language, text, ...(dataset === language ? [] : [dataset])]),
  );
  write(
    "questions.tsv",
    questions.map(({ language, text, right, dataset, answers }) => [
      language,
      text,
      right.join(",") || NOTHING,
      ...(right.length > 0 && answers.length === 0 ? [] : [dataset]),
      ...answers,
    ]),
  );
}
