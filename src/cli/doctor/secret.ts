/** Whether the secret, from which every token and download link is signed, is there and whole. */
import { existsSync } from "node:fs";
import { accessDatabasePath, checkSecret, secretPath } from "../../access/index.ts";
import { bad, good, type Finding } from "./finding.ts";

const SUBJECT = "secret";

export function examineSecret(dataDirectory: string): Finding {
  const path = secretPath(dataDirectory);
  const mend = "Stop the server and put the secret back from the last backup. Without one, delete what is left of it; `lectern serve --accept-loss` makes another, and all tokens and download links end.";
  try {
    if (checkSecret(dataDirectory)) return good(SUBJECT, `${path} is whole.`);
  } catch (error) {
    return bad(SUBJECT, (error as Error).message, mend);
  }
  if (!existsSync(accessDatabasePath(dataDirectory))) return good(SUBJECT, `${path} is not there yet.`);
  return bad(SUBJECT, `${path} is missing beside access.db: tokens and download links that were given out have no meaning.`, mend);
}
