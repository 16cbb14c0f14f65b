/** Whether the secret, from which every token and download link is signed, is there and whole. */
import { existsSync, statSync } from "node:fs";
import { accessDatabasePath, checkSecret, secretPath } from "../../access/index.ts";
import { LecternError } from "../../foundation/errors.ts";
import { openReading } from "../../store/database.ts";
import { bad, good, type Finding } from "./finding.ts";

const SUBJECT = "secret";

/** Whether there is a secret, and the one that is noted in `access.db`. Throws OPERATION_FAILED when it is damaged. */
function isIntact(dataDirectory: string): boolean {
  const path = accessDatabasePath(dataDirectory);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return checkSecret(dataDirectory, null);
  try {
    using database = openReading(path);
    return checkSecret(dataDirectory, database);
  } catch (error) {
    if (error instanceof LecternError) throw error;
    // The database's own finding says what is wrong with it.
    return checkSecret(dataDirectory, null);
  }
}

export function examineSecret(dataDirectory: string): Finding {
  const path = secretPath(dataDirectory);
  const mend =
    "Stop the server and put the secret back from the last backup. Without one, delete what is left of it; `lectern serve --accept-loss` makes another, and all tokens and download links end.";
  try {
    if (isIntact(dataDirectory)) return good(SUBJECT, `${path} is whole.`);
  } catch (error) {
    return bad(SUBJECT, (error as Error).message, mend);
  }
  if (!existsSync(accessDatabasePath(dataDirectory))) return good(SUBJECT, `${path} is not there yet.`);
  return bad(
    SUBJECT,
    `${path} is missing beside access.db: tokens and download links that were given out have no meaning.`,
    mend,
  );
}
