/** What the distances between rows say: which are lines of one row of a table, where its rows stand apart. */
import type { Row } from "./run.ts";

/** Base lines of one cell are not farther apart, in heights of the letters. */
const SAME_CELL = 1.45;
/** Where at least this share of the gaps is larger, and this share is not, rows stand apart from one another. */
const APART = 0.2;
const TOGETHER = 0.2;

export function isNear(previous: Row, row: Row): boolean {
  return previous.baseline - row.baseline <= Math.max(previous.height, row.height) * SAME_CELL;
}

/** Whether gaps tell rows of a table from lines of one row. */
export function standApart(rows: readonly Row[]): boolean {
  const pairs = rows.slice(1).map((row, index) => isNear(rows[index]!, row));
  const together = pairs.filter((near) => near).length;
  return together >= pairs.length * TOGETHER && pairs.length - together >= pairs.length * APART;
}
