/** What searches, scores and answers are worth: the columns of a report, from what each contender said to the same questions. Pure. */
import { ratioOf } from "./intervals.ts";
import { DEPTH } from "./measures.ts";
import type { Question } from "./question-set.ts";
import type { Column } from "./report.ts";
import type { Reply, Result } from "./uploaded-set.ts";

/** By contender, then by question. */
export type ByContender<Item> = readonly (readonly Item[])[];

/** From here on a result is called relevant. */
const RELEVANT = 0.7;
const BANDS = [
  { name: ".9+", from: 0.9, below: Infinity },
  { name: ".8+", from: 0.8, below: 0.9 },
  { name: ".7+", from: 0.7, below: 0.8 },
] as const;

/**
 * The rank of the first right result, from 1; Infinity when there is none among the first ten. Where a passage is a file, its best
 * chunk stands for it.
 */
export function rankOfRight(results: readonly Result[], filesArePassages: boolean): number {
  const distinct = filesArePassages
    ? results.filter(({ file }, at) => results.findIndex((other) => other.file === file) === at)
    : results;
  const at = distinct.slice(0, DEPTH).findIndex(({ isRight }) => isRight);
  return at < 0 ? Infinity : at + 1;
}

/** Mean reciprocal rank, and the share of questions with a right passage first, and among the first ten. */
export function rankColumns(ranks: ByContender<number>, prefix = ""): Column[] {
  return [
    column(`${prefix}MRR@10`, ranks, (rank) => (rank <= DEPTH ? 1 / rank : 0)),
    column(`${prefix}R@1`, ranks, (rank) => rank <= 1),
    column(`${prefix}R@10`, ranks, (rank) => rank <= DEPTH),
  ];
}

/** How often first results are called relevant that are right, or wrong; how often results of each band are right, and how many there are of them. */
export function scoreColumns(found: ByContender<readonly Result[]>): Column[] {
  const firstIs =
    (isRight: boolean) =>
    ([first]: readonly Result[]): boolean | null =>
      first?.isRight === isRight ? first.score >= RELEVANT : null;
  const within = (results: readonly Result[], { from, below }: (typeof BANDS)[number]): readonly Result[] =>
    results.filter(({ score }) => score >= from && score < below);
  return [
    column("right first ≥ .7", found, firstIs(true)),
    column("wrong first ≥ .7", found, firstIs(false)),
    ...BANDS.map((band) =>
      column(`right of ${band.name}`, found, (results) => [
        within(results, band).filter(({ isRight }) => isRight).length,
        within(results, band).length,
      ]),
    ),
    ...BANDS.map((band) => column(`${band.name} a question`, found, (results) => within(results, band).length)),
  ];
}

/** What is said to questions that nothing answers; `replies` null: they were only searched for. */
export function absenceColumns(found: ByContender<readonly Result[]>, replies: ByContender<Reply> | null): Column[] {
  return [
    column("first ≥ .7", found, ([first]) => first !== undefined && first.score >= RELEVANT),
    column("mean first score", found, ([first]) => first?.score ?? 0),
    ...(replies === null ? [] : [column("told so", replies, ({ saysNothing }) => saysNothing)]),
  ];
}

/** What is said to questions that something answers. */
export function replyColumns(questions: readonly Question[], replies: ByContender<Reply>): Column[] {
  return [
    column("holds the answer", replies, ({ text }, at) =>
      questions[at]!.answers.length === 0
        ? null
        : questions[at]!.answers.some((answer) => bare(text).includes(bare(answer))),
    ),
    column("characters", replies, ({ text, saysNothing }) => (saysNothing ? null : [...text].length)),
    column("told nothing does", replies, ({ saysNothing }) => saysNothing),
  ];
}

/** How far the scores of the same results move between two searches, and how often another result comes first. */
export function moveColumns(before: ByContender<readonly Result[]>, after: ByContender<readonly Result[]>): Column[] {
  const pairs = before.map((own, contender) =>
    own.map((results, question) => [results, after[contender]![question]!] as const),
  );
  return [
    column("first moves by", pairs, ([first, second]) => moves(first.slice(0, 1), second)[0] ?? null),
    column("results move by", pairs, ([first, second]) => [
      moves(first, second).reduce((sum, move) => sum + move, 0),
      moves(first, second).length,
    ]),
    column("moved over .05", pairs, ([first, second]) => [
      moves(first, second).filter((move) => move > 0.05).length,
      moves(first, second).length,
    ]),
    column("another first", pairs, ([[first], second]) =>
      second.some(({ chunk }) => chunk === first?.chunk) ? second[0]!.chunk !== first!.chunk : null,
    ),
  ];
}

/** How far the score of each result moved that both searches gave. */
export function moves(before: readonly Result[], after: readonly Result[]): number[] {
  const scores = new Map(after.map(({ chunk, score }) => [chunk, score]));
  return before.flatMap(({ chunk, score }) => (scores.has(chunk) ? [Math.abs(score - scores.get(chunk)!)] : []));
}

function column<Item>(
  name: string,
  items: ByContender<Item>,
  of: (item: Item, question: number) => readonly [number, number] | number | boolean | null,
): Column {
  return { name, ratios: items.map((own) => ratioOf(own, of)) };
}

/** Without what typesetting varies: an answer holds another one's words however they are spaced, wide or capitalised. */
const bare = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/g, "");
