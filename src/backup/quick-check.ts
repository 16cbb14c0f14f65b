/** Whether a database's pages fit together. */
import type { Database } from "bun:sqlite";

const MOST_TOLD = 3;

/** What SQLite finds broken, as the transaction that is open sees it; null: nothing. A gigabyte takes some seconds. */
export function faultsOf(database: Database): string | null {
  try {
    const found = database.query<{ quick_check: string }, []>(`PRAGMA quick_check(${MOST_TOLD})`).all();
    const faults = found.map(({ quick_check }) => quick_check).join("; ");
    return faults === "ok" ? null : faults;
  } catch (error) {
    return (error as Error).message;
  }
}
