/** Whether the SQLite files are whole. */
import { existsSync } from "node:fs";
import { accessDatabasePath } from "../../access/index.ts";
import { documentsDatabasePath, openReading } from "../../store/database.ts";
import { bad, good, type Finding } from "./finding.ts";

/** Reads every page of both databases; a gigabyte takes a few seconds. */
export function checkDatabases(dataDirectory: string): Finding[] {
  return [
    checkDatabase("documents", documentsDatabasePath(dataDirectory)),
    checkDatabase("customers", accessDatabasePath(dataDirectory)),
  ];
}

function checkDatabase(subject: string, path: string): Finding {
  if (!existsSync(path)) return good(subject, `${path} is not there yet.`);
  const mend = "Stop the server and put back the last backup of the whole data directory.";
  try {
    const database = openReading(path);
    try {
      const faults = database.query<{ quick_check: string }, []>("PRAGMA quick_check(3)").all().map((row) => row.quick_check);
      return faults[0] === "ok" ? good(subject, `${path} is whole.`) : bad(subject, `${path} is damaged: ${faults.join("; ")}`, mend);
    } finally {
      database.close();
    }
  } catch (error) {
    return bad(subject, `${path} cannot be read: ${(error as Error).message}`, mend);
  }
}
