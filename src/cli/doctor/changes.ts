/** Whether `access.db` is the last one, by the number of changes that is noted beside it. */
import { existsSync, statSync } from "node:fs";
import {
  accessDatabasePath,
  changeNotePath,
  changesIn,
  describeOlder,
  OLDER_MEND,
  readChangeNote,
} from "../../access/index.ts";
import { openReading } from "../../store/database.ts";
import { bad, warning, type Finding } from "./finding.ts";

const SUBJECT = "customers";

/** Nothing where it is, or where the database's own finding says what is wrong. */
export function checkChanges(dataDirectory: string): Finding[] {
  // Before the database is looked at: what is changed meanwhile, beside a running server, is then no matter.
  const noted = readChangeNote(dataDirectory);
  if (noted === null) return damagedNote(changeNotePath(dataDirectory));
  const missing = noted - (knownChanges(accessDatabasePath(dataDirectory)) ?? noted);
  return missing > 0 ? [bad(SUBJECT, describeOlder(dataDirectory, missing), `Stop the server. ${OLDER_MEND}`)] : [];
}

/** None is there before the first start of this version. */
function damagedNote(path: string): Finding[] {
  if (!existsSync(path) || statSync(path).isDirectory()) return [];
  return [
    warning(
      SUBJECT,
      `${path} is damaged: it does not tell whether access.db is the last one.`,
      "The next start, or change of customers or keys, writes it anew.",
    ),
  ];
}

/** null where that cannot be told. */
function knownChanges(path: string): number | null {
  if (!existsSync(path)) return 0;
  try {
    using database = openReading(path);
    return changesIn(database);
  } catch {
    return null;
  }
}
