/**
 * How well the right passage is found, what scores mean, and what is answered: question sets (quality/question-set.ts says how they are
 * written) measured on the model alone and over HTTP on the executable, beside others where `--against` names some. Without
 * `--questions`, the small sets over `samples/` and in `quality/differences/`, each also as other people would ask (quality/variants.ts).
 */
import { cpus } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/steps.ts";
import type { BenchOptions } from "./options.ts";
import { measured, readContender, ServedSet, type Contender } from "./quality/contender.ts";
import { ModelUnderTest } from "./quality/direct.ts";
import { explain } from "./quality/explain.ts";
import {
  absenceColumns,
  moveColumns,
  moves,
  rankColumns,
  rankOfRight,
  replyColumns,
  scoreColumns,
  type ByContender,
} from "./quality/figures.ts";
import { correlationEstimate, ratioOf } from "./quality/intervals.ts";
import { layouts } from "./quality/layouts.ts";
import { mean } from "./quality/measures.ts";
import {
  readQuestionSet,
  readQuestionSets,
  type Passage,
  type Question,
  type QuestionSet,
} from "./quality/question-set.ts";
import { makeTable, printTable, type Column, type Row, type Table } from "./quality/report.ts";
import { answers, withClients } from "./quality/uploaded-set.ts";
import { variants, vary } from "./quality/variants.ts";
import { Random } from "./random.ts";
import { percentile } from "./statistics.ts";

/** Of a set's passages that questions ask for, the share that is taken out to see what is said then. */
const WITHHELD = 1 / 3;
/** Questions asked again after a file was added. */
const ASKED_AGAIN = 300;
const UNRELATED = `Rehearsals of the choir. The choir meets on Thursdays at half past seven in the hall behind the bakery. Whoever cannot come tells the
conductor the day before. The sopranos sit by the window, the basses beside the stove, and the piano is tuned twice a year. In spring
we sing madrigals, towards Christmas carols. New voices are welcome, also those who cannot read notes. Tea and biscuits are brought
along in turn; the list hangs beside the coat rack.`;

/** What `--record` writes: every table of every set. */
type QualityRecord = Table & { readonly model: string; readonly set: string };

/** Measures one question set by one model, and tells each table. */
interface Measuring {
  readonly set: QuestionSet;
  /** The same sample for every table. */
  readonly questions: readonly Question[];
  readonly options: BenchOptions;
  readonly served: readonly ServedSet[];
  table(request: TableOfQuestions): void;
  row(table: Table): void;
}

interface TableOfQuestions {
  readonly title: string;
  /** Those that the columns' ratios are about. */
  readonly questions: readonly Question[];
  readonly contenders: readonly string[];
  readonly columns: readonly Column[];
  readonly total: "mean of rows" | "all questions";
}

export async function benchQuality(options: BenchOptions): Promise<void> {
  const sets = withLayouts(
    options.questionFolder === null ? ownSets() : readQuestionSets(options.questionFolder),
    options,
  );
  if (options.explain !== null) return explain(options.explain, sets, options.models[0] ?? "default");
  const contenders = [measured, ...options.against.map(readContender)];
  const records: QualityRecord[] = [];
  for (const model of options.models.length > 0 ? options.models : ["default"]) {
    const directory = model === "default" ? null : model;
    const direct = await ModelUnderTest.open(directory, Math.min(4, cpus().length));
    console.log(`model: ${direct.name}`);
    try {
      for (const set of sets) {
        await measure(set, direct, directory, contenders, options, (table) => {
          printTable(table, options.rows);
          records.push({ model: direct.name, set: set.name, ...table });
        });
      }
    } finally {
      await direct.close();
    }
  }
  if (options.record !== null) await Bun.write(options.record, `${JSON.stringify(records, null, 1)}\n`);
}

const ownSets = (): QuestionSet[] => [
  readQuestionSet(join(import.meta.dir, "quality/samples"), join(root, "samples")),
  ...readQuestionSets(join(import.meta.dir, "quality/differences")),
];

function withLayouts(sets: readonly QuestionSet[], { layouts: names, seed }: BenchOptions): readonly QuestionSet[] {
  if (names.length === 0) return sets;
  const chosen = names.map((name) => {
    if (!(name in layouts))
      throw new Error(`There is no layout "${name}"; there are ${Object.keys(layouts).join(", ")}.`);
    return layouts[name]!;
  });
  const laidOut = sets.flatMap((set) => chosen.flatMap((layout) => layout(set, seed) ?? []));
  if (laidOut.length === 0)
    throw new Error(
      `No set can be laid out as ${names.join(", ")}: english-passages, half-english and all-languages need a bitext.tsv, one-dataset needs passages.`,
    );
  return laidOut;
}

async function measure(
  set: QuestionSet,
  direct: ModelUnderTest,
  model: string | null,
  contenders: readonly Contender[],
  options: BenchOptions,
  tell: (table: Table) => void,
): Promise<void> {
  const named = (table: Table): void => tell({ ...table, title: `${set.name}: ${table.title}` });
  const measuring = (served: readonly ServedSet[]): Measuring => ({
    set,
    questions: sample(set.questions, options.perPair),
    options,
    served,
    row: named,
    table: ({ questions, ...request }) => {
      const rows = [...Map.groupBy(questions.keys(), (index) => questions[index]!.language)]
        .toSorted(([left], [right]) => (left < right ? -1 : 1))
        .map(([label, own]) => ({ label, questions: own }));
      if (rows.length > 0) named(makeTable({ ...request, rows }, new Random(options.seed)));
    },
  });
  await measurePairs(measuring([]), direct);
  if (set.questions.length === 0) return;

  const served: ServedSet[] = [];
  try {
    if (options.withServer)
      for (const contender of contenders) served.push(await ServedSet.open(contender, set, model));
    const passages = set.documents === null ? set.passages : (served[0]?.chunks() ?? []);
    if (passages.length === 0)
      throw new Error(`${set.name}: documents are read by the server; leave --without-server out`);
    const all = measuring(served);
    await measureModel(all, direct, passages);
    if (served.length === 0) return;
    await measureSearch(all);
    if (options.variants) await measureVariants(all);
    await measureMoves(all);
    if (options.withAnswers) await measureReplies(all);
    await measureAbsence(all);
  } finally {
    for (const one of served) await one.close();
  }
}

/** Texts and translations, and texts that people compared, by the model's vectors alone. */
async function measurePairs({ set, table, row }: Measuring, direct: ModelUnderTest): Promise<void> {
  if (set.bitext.length > 0) {
    const found = await direct.bitext(set.bitext);
    table({
      title: "text found by its translation",
      questions: set.bitext.map(({ language, translation }) => ({
        language,
        text: translation,
        right: [],
        passageLanguage: language,
        dataset: "",
        answers: [],
      })),
      contenders: ["model alone"],
      columns: [{ name: "found first", ratios: [ratioOf(found, (isFound) => isFound)] }],
      total: "mean of rows",
    });
  }
  if (set.similarity.length > 0) {
    const rows = [...(await direct.similarity(set.similarity))].map(([label, value]): Row => {
      const count = set.similarity.filter(({ language }) => language === label).length;
      return { label, count, estimates: [[correlationEstimate(value, count)]], differences: [] };
    });
    const total: Row = {
      label: `mean of ${rows.length}`,
      count: set.similarity.length,
      estimates: [[{ value: mean(rows.map(({ estimates }) => estimates[0]![0]!.value)), low: NaN, high: NaN }]],
      differences: [],
    };
    row({
      title: "similarity as people see it",
      contenders: ["model alone"],
      columns: ["Spearman"],
      rows,
      total: rows.length > 1 ? total : null,
    });
  }
}

async function measureModel(
  { set, questions, table }: Measuring,
  direct: ModelUnderTest,
  passages: readonly Passage[],
): Promise<void> {
  const isRight =
    set.documents === null
      ? (question: Question, passage: Passage) => question.right.includes(passage.id)
      : (question: Question, chunk: Passage) => question.right.some((place) => answers(place, chunk.id, chunk.text));
  const asked = questions.filter(isAnswerable);
  const { dense, bm25, hybrid } = await direct.retrieve(asked, passages, isRight);
  for (const [title, chosen] of byPairs(asked)) {
    const own = (ranks: readonly number[]): ByContender<number> => [chosen.map((index) => ranks[index]!)];
    const columns = [
      ...rankColumns(own(hybrid)),
      rankColumns(own(dense), "dense ")[0]!,
      rankColumns(own(bm25), "bm25 ")[0]!,
    ];
    table({
      title: `model alone, ${title}`,
      questions: chosen.map((index) => asked[index]!),
      contenders: ["model alone"],
      columns,
      total: "mean of rows",
    });
  }
}

async function measureSearch(measuring: Measuring): Promise<void> {
  const { set, served, questions, table } = measuring;
  const asked = questions.filter(isAnswerable);
  const { found, milliseconds } = await search(served, asked);
  served.forEach(({ contender }, at) =>
    console.log(
      `${set.name}: ${contender.name} over HTTP, four clients: p50 ${percentile(milliseconds[at]!, 0.5).toFixed(1)} ms, p99 ${percentile(milliseconds[at]!, 0.99).toFixed(1)} ms`,
    ),
  );
  for (const [title, chosen] of byPairs(asked)) {
    const own = found.map((results) => chosen.map((index) => results[index]!));
    const about = {
      questions: chosen.map((index) => asked[index]!),
      contenders: served.map(({ contender }) => contender.name),
    };
    table({ ...about, title: `over HTTP, ${title}`, columns: rankColumns(ranksOf(set, own)), total: "mean of rows" });
    table({ ...about, title: `scores, ${title}`, columns: scoreColumns(own), total: "all questions" });
  }
}

async function measureVariants({ set, served, questions, options, table }: Measuring): Promise<void> {
  for (const [name, variant] of Object.entries(variants)) {
    const asked = vary(variant, questions.filter(isAnswerable), set.passages, options.seed);
    const { found } = await search(served, asked);
    table({
      title: `over HTTP, asked with ${name}`,
      questions: asked,
      contenders: served.map(({ contender }) => contender.name),
      columns: rankColumns(ranksOf(set, found)),
      total: "mean of rows",
    });
  }
}

/** How much scores change with what else is searched: when a filter leaves half of the files, and when one unrelated file is added to each dataset. */
async function measureMoves({ set, served, questions, table }: Measuring): Promise<void> {
  const asked = spread(questions.filter(isAnswerable), ASKED_AGAIN);
  const before = (await search(served, asked)).found;
  const tell = (title: string, after: typeof before): void => {
    table({
      title,
      questions: asked,
      contenders: served.map(({ contender }) => contender.name),
      columns: moveColumns(before, after),
      total: "all questions",
    });
    served.forEach(({ contender }, at) => {
      const all = before[at]!.flatMap((results, question) => moves(results, after[at]![question]!));
      console.log(
        `${set.name}: ${contender.name}: 99 of 100 results move by at most ${percentile(all, 0.99).toFixed(3)}, none by more than ${Math.max(0, ...all).toFixed(3)}`,
      );
    });
  };
  tell(
    "scores when a filter leaves half of the files",
    (await askAll(served, asked, (one, question) => one.set.search(question, { half: true }))).outcomes,
  );
  const takeOut = await Promise.all(
    served.map((one) => one.set.add("choir.txt", UNRELATED, new Set(asked.map(({ dataset }) => dataset)))),
  );
  tell("scores when one unrelated file is added", (await search(served, asked)).found);
  for (const undo of takeOut) await undo();
}

async function measureReplies({ served, questions, table }: Measuring): Promise<void> {
  const asked = questions.filter(isAnswerable);
  const { outcomes } = await askAll(served, asked, (one, question) => one.set.ask(question));
  table({
    title: "answers",
    questions: asked,
    contenders: served.map(({ contender }) => contender.name),
    columns: replyColumns(asked, outcomes),
    total: "all questions",
  });
}

/** Questions that nothing answers: those of the set, and those whose passages are taken out for it. Comes last. */
async function measureAbsence({ set, served, questions, options, table }: Measuring): Promise<void> {
  const random = new Random(options.seed);
  const withheld = new Set<string>();
  if (set.documents === null) {
    const most = new Set(questions.flatMap(({ right }) => right)).size * WITHHELD;
    for (const { right } of shuffled(questions.filter(isAnswerable), random))
      if (withheld.size < most) right.forEach((id) => withheld.add(id));
    for (const one of served) await one.set.withhold(withheld);
  }
  const left = new Set(set.passages.filter(({ id }) => !withheld.has(id)).map(({ dataset }) => dataset));
  const asked = questions.filter(
    ({ right, dataset }) => right.every((id) => withheld.has(id)) && (set.documents !== null || left.has(dataset)),
  );
  const { found } = await search(served, asked);
  const replies = options.withAnswers
    ? (await askAll(served, asked, (one, question) => one.set.ask(question))).outcomes
    : null;
  table({
    title: "questions that nothing answers",
    questions: asked,
    contenders: served.map(({ contender }) => contender.name),
    columns: absenceColumns(found, replies),
    total: "all questions",
  });
}

async function search(served: readonly ServedSet[], questions: readonly Question[]) {
  const { outcomes, milliseconds } = await askAll(served, questions, (one, question) => one.set.search(question));
  return { found: outcomes, milliseconds };
}

/** Asks every contender every question, one contender after the other question by question, so that a busy moment slows all of them. */
async function askAll<Outcome>(
  served: readonly ServedSet[],
  questions: readonly Question[],
  ask: (one: ServedSet, question: Question) => Promise<Outcome>,
): Promise<{ outcomes: Outcome[][]; milliseconds: number[][] }> {
  const milliseconds = served.map((): number[] => []);
  const { outcomes } = await withClients([...questions.keys()], async (index) => {
    const own = new Array<Outcome>(served.length);
    for (let turn = 0; turn < served.length; turn++) {
      const at = (index + turn) % served.length;
      const started = performance.now();
      own[at] = await ask(served[at]!, questions[index]!);
      milliseconds[at]!.push(performance.now() - started);
    }
    return own;
  });
  return { outcomes: served.map((_, at) => outcomes.map((own) => own[at]!)), milliseconds };
}

const isAnswerable = ({ right }: Question): boolean => right.length > 0;
const ranksOf = (set: QuestionSet, found: Awaited<ReturnType<typeof search>>["found"]): number[][] =>
  found.map((own) => own.map((results) => rankOfRight(results, set.documents === null)));

/** Positions of the questions asked in a language of their passages, and of those asked in another. */
function byPairs(questions: readonly Question[]): [title: string, positions: number[]][] {
  const isAcross = (index: number): boolean => questions[index]!.language !== questions[index]!.passageLanguage;
  const all = [...questions.keys()];
  return [
    ["question and passage in the same language", all.filter((index) => !isAcross(index))],
    ["question in one language, passage in another", all.filter(isAcross)],
  ];
}

/** At most so many questions of each pair of languages, spread evenly over them. */
function sample(questions: readonly Question[], most: number): Question[] {
  return [
    ...Map.groupBy(questions, (question) => `${question.language}\t${question.passageLanguage}`).values(),
  ].flatMap((own) => spread(own, most));
}

function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  return items.length <= most
    ? items
    : Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)]!);
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .sort((left, right) => left.place - right.place)
    .map(({ item }) => item);
}
