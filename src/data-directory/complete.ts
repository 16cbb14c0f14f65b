/** Whether a data directory that holds documents still has what belongs to them: without it a start would silently make new ones. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../foundation/errors.ts";

/** What is made on an empty data directory, and what its loss means beside documents. */
const PARTS: Readonly<Record<string, string>> = {
  "access.db":
    "All customers, API keys and credits were in it; the documents still belong to customers of the same ids, and `lectern customer create` makes those again",
  secret: "All frontend tokens and download links were signed with it and end",
};

/** The parts that are missing beside documents, each with what that means. */
function missingParts(dataDirectory: string): { path: string; meaning: string }[] {
  // What is empty holds nothing either: SQLite takes it for a database that is to be made.
  const missing = Object.entries(PARTS).filter(
    ([name]) => (statSync(join(dataDirectory, name), { throwIfNoEntry: false })?.size ?? 0) === 0,
  );
  if (missing.length === 0 || !holdsDocuments(dataDirectory)) return [];
  return missing.map(([name, meaning]) => ({ path: join(dataDirectory, name), meaning }));
}

/** Throws OPERATION_FAILED, with the ways out, when a part is missing beside documents. */
export function checkComplete(dataDirectory: string): void {
  const [first] = missingParts(dataDirectory);
  if (!first) return;
  throw fail("OPERATION_FAILED", {
    reason: `${first.path} is missing, or empty, beside documents. Put it back from a backup. If there is none: ${first.meaning}; \`lectern serve --accept-loss\` makes a new one.`,
  });
}

/** Every stored file's bytes lie in one of the folders of `files/`. */
function holdsDocuments(dataDirectory: string): boolean {
  const files = join(dataDirectory, "files");
  if (!existsSync(files)) return false;
  return readdirSync(files, { withFileTypes: true }).some(
    (entry) => entry.isDirectory() && readdirSync(join(files, entry.name)).length > 0,
  );
}
