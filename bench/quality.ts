/**
 * How well the right passage is found: question sets (quality/question-set.ts says how they are written) measured on the
 * model alone and over HTTP on the executable. Without `--questions`, the small set over `samples/`.
 */
import { cpus } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/steps.ts";
import type { BenchOptions } from "./options.ts";
import { ModelUnderTest, type Ranks } from "./quality/direct.ts";
import { retrievalScores } from "./quality/measures.ts";
import { readQuestionSet, readQuestionSets, type Passage, type Question, type QuestionSet } from "./quality/question-set.ts";
import { printTable, scoreColumns, scoreValues } from "./quality/report.ts";
import { answers, knowsSearchModes, ServedSet } from "./quality/served.ts";
import { percentile } from "./statistics.ts";

/** Means by set, measurement and column, for `--record`. */
interface QualityRecord {
  readonly model: string;
  readonly set: string;
  readonly measurement: string;
  readonly columns: readonly string[];
  readonly means: readonly number[];
}

export async function benchQuality(options: BenchOptions): Promise<void> {
  const sets = options.questionFolder === null ? [readQuestionSet(join(import.meta.dir, "quality/samples"), join(root, "samples"))] : readQuestionSets(options.questionFolder);
  const records: QualityRecord[] = [];
  for (const model of options.models.length > 0 ? options.models : ["default"]) {
    const directory = model === "default" ? null : model;
    const direct = await ModelUnderTest.open(directory, Math.min(4, cpus().length));
    console.log(`model: ${direct.name}`);
    const report = (set: QuestionSet) => (title: string, columns: readonly string[], rows: Parameters<typeof printTable>[2]) => {
      if (rows.length === 0) return;
      const means = printTable(`${set.name}: ${title}`, columns, rows, options.rows);
      records.push({ model: direct.name, set: set.name, measurement: title, columns, means });
    };
    try {
      for (const set of sets) await measure(set, direct, directory, options, report(set));
    } finally {
      await direct.close();
    }
  }
  if (options.record !== null) await Bun.write(options.record, `${JSON.stringify(records, null, 1)}\n`);
}

type Report = (title: string, columns: readonly string[], rows: { label: string; count: number; values: number[] }[]) => void;

async function measure(set: QuestionSet, direct: ModelUnderTest, model: string | null, options: BenchOptions, report: Report): Promise<void> {
  const perLanguage = (scores: Map<string, number>, rows: readonly { language: string }[]) =>
    [...scores].map(([label, value]) => ({ label, count: rows.filter((row) => row.language === label).length, values: [value] }));
  if (set.bitext.length > 0) report("text found by its translation", ["found first"], perLanguage(await direct.bitext(set.bitext), set.bitext));
  if (set.similarity.length > 0) report("similarity as people see it", ["Spearman"], perLanguage(await direct.similarity(set.similarity), set.similarity));
  if (set.questions.length === 0) return;

  const questions = sample(set.questions, options.perPair);
  const served = options.withServer ? await ServedSet.open(set, model) : null;
  try {
    const isRight = set.documents === null ? (question: Question, passage: Passage) => question.right.includes(passage.id) : (question: Question, chunk: Passage) => question.right.some((place) => answers(place, chunk.id, chunk.text));
    const passages = set.documents === null ? set.passages : (served?.chunks() ?? []);
    if (passages.length === 0) throw new Error(`${set.name}: documents are read by the server; leave --without-server out`);
    reportRanks("model alone, ", await direct.retrieve(questions, passages, isRight, set.documents === null), questions, report);
    if (served === null) return;
    const ways: [string, Record<string, string>][] = knowsSearchModes() ? [["vector", { LECTERN_SEARCH_MODE: "vector" }], ["hybrid", { LECTERN_SEARCH_MODE: "hybrid" }]] : [["served", {}]];
    const ranks: Record<string, number[]> = {};
    for (const [way, environment] of ways) {
      await served.restart(environment);
      const found = await served.retrieve(questions);
      ranks[way] = found.ranks;
      console.log(`${set.name}: ${way} over HTTP, four clients: p50 ${percentile(found.milliseconds, 0.5).toFixed(1)} ms, p99 ${percentile(found.milliseconds, 0.99).toFixed(1)} ms`);
    }
    reportRanks("over HTTP, ", ranks, questions, report);
  } finally {
    await served?.close();
  }
}

/** One table for questions asked in their passage's language, one for those across languages, a row per language of the question. */
function reportRanks(where: string, ranks: Ranks, questions: readonly Question[], report: Report): void {
  const ways = Object.keys(ranks);
  const indexes = [...questions.keys()];
  const across = (index: number): boolean => questions[index]!.language !== questions[index]!.passageLanguage;
  for (const [title, chosen] of [["question and passage in the same language", indexes.filter((index) => !across(index))], ["question in one language, passage in another", indexes.filter(across)]] as const) {
    const rows = [...Map.groupBy(chosen, (index) => questions[index]!.language)].toSorted(([left], [right]) => (left < right ? -1 : 1));
    report(where + title, ways.flatMap(scoreColumns), rows.map(([label, own]) => ({ label, count: own.length, values: ways.flatMap((way) => scoreValues(retrievalScores(own.map((index) => ranks[way]![index]!)))) })));
  }
}

/** At most so many questions of each pair of languages, spread evenly over them. */
function sample(questions: readonly Question[], most: number): Question[] {
  const pairs = Map.groupBy(questions, (question) => `${question.language}\t${question.passageLanguage}`);
  return [...pairs.values()].flatMap((own) => (own.length <= most ? own : Array.from({ length: most }, (_, index) => own[Math.floor((index * own.length) / most)]!)));
}
