/**
 * Rows of a table of which pages are damaged: SQLite gives up at the first that it cannot read, this goes on behind it. Reads alone, by
 * the rows' own numbers and not through any index.
 */
import type { Database } from "bun:sqlite";

export type Row = Record<string, string | number | Uint8Array | null>;

/** Rows in one statement, as long as none is damaged. */
const ROWS_AT_ONCE = 256;
/** Behind it there is no number of a row. */
const LAST_NUMBER = Number.MAX_SAFE_INTEGER;

/** What is read of each row besides its own columns. */
const NUMBER = "rowNumber";

/**
 * Every readable row of a table with row numbers above 0, in their order. A table that is not there, or whose definition cannot be read, has
 * none. Of what lies between two damaged places, some rows may be passed over as well.
 */
export function* readableRows(database: Database, table: string): Generator<Row> {
  let next = 1;
  let size = ROWS_AT_ONCE;
  for (;;) {
    const rows = rowsFrom(database, table, next, size);
    if (rows === null && size > 1) {
      size = 1;
      continue;
    }
    if (rows === null) {
      const beyond = behindDamage(database, table, next);
      if (beyond === null) return;
      next = beyond;
      continue;
    }
    for (const { [NUMBER]: _, ...row } of rows) yield row;
    if (rows.length === 0) return;
    next = Number(rows.at(-1)![NUMBER]) + 1;
    size = Math.min(ROWS_AT_ONCE, size * 2);
  }
}

/** Columns of a table as it stands in the database; none where that cannot be read. */
export function columnsOf(database: Database, table: string): Column[] {
  return (
    attempt(() =>
      database.query<Column, [string]>("SELECT name, type, [notnull] FROM pragma_table_info(?)").all(table),
    ) ?? []
  );
}

export interface Column {
  readonly name: string;
  readonly type: string;
  /** 1: it is never null. */
  readonly notnull: 0 | 1;
}

/** Whether a row holds, in each of the columns, what these may hold. A column that the row does not have is left to its default. */
export function fits(row: Row, columns: readonly Column[]): boolean {
  return columns.every(({ name, type, notnull }) => {
    const value = row[name];
    if (value === undefined) return true;
    if (value === null) return notnull === 0;
    if (type.toLowerCase() === "integer") return Number.isSafeInteger(value);
    return type.toLowerCase() === "blob" ? value instanceof Uint8Array : typeof value === "string";
  });
}

/** What `read` returns, null where SQLite cannot read it. */
export function attempt<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch {
    // Whatever the reason, a page that cannot be had is passed over: a damaged one as well as one that the disk does not give.
    return null;
  }
}

function rowsFrom(database: Database, table: string, first: number, limit: number): Row[] | null {
  return attempt(() => {
    const rows = database
      .query<Row, [number, number]>(
        `SELECT rowid AS ${NUMBER}, * FROM "${table}" NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT ?`,
      )
      .all(first, limit);
    const isInOrder = rows.every(
      (row, at) => Number(row[NUMBER]) >= (at === 0 ? first : Number(rows[at - 1]![NUMBER]) + 1),
    );
    if (!isInOrder) throw new RangeError("The rows are not in order.");
    return rows;
  });
}

/** The first number from which on something can be read again: sought in growing steps, then closer and closer. null: there is none. */
function behindDamage(database: Database, table: string, damaged: number): number | null {
  const isReadable = (number: number): boolean => rowsFrom(database, table, number, 1) !== null;
  let [bad, good] = [damaged, damaged];
  for (let step = 1; good === damaged; step *= 2) {
    if (bad === LAST_NUMBER) return null;
    const tried = Math.min(LAST_NUMBER, damaged + step);
    if (isReadable(tried)) good = tried;
    else bad = tried;
  }
  while (good - bad > 1) {
    const middle = bad + Math.floor((good - bad) / 2);
    if (isReadable(middle)) good = middle;
    else bad = middle;
  }
  return good;
}
