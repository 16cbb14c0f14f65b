/** Whether a database's pages fit together. */
import { openReading } from "../store/database.ts";

const MOST_TOLD = 3;

/** What SQLite finds broken in a database; null: nothing. A gigabyte takes half a second, or some where a disk has to be read. */
export function faultsIn(path: string): string | null {
  try {
    using database = openReading(path);
    const found = database.query<{ quick_check: string }, []>(`PRAGMA quick_check(${MOST_TOLD})`).all();
    const faults = found.map(({ quick_check }) => quick_check).join("; ");
    return faults === "ok" ? null : faults;
  } catch (error) {
    // What is no database at all cannot even be opened.
    return (error as Error).message;
  }
}
