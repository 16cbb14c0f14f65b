/** Names of the fields of an upload form. Other fields are ignored, but not one that was plainly meant for one of these. */
import { editDistance } from "../foundation/closest.ts";
import { fail } from "../foundation/errors.ts";

/** Every field that an upload reads. */
export const UPLOAD_FIELDS = [
  "datasetId",
  "chunkSize",
  "chunkOverlap",
  "extraMeta",
  "externalId",
  "externalIds",
  "path",
  "paths",
  "language",
  "ocrLanguages",
  "async",
] as const;

/** Those that may come several times: their values are joined by commas. */
export const REPEATABLE_FIELDS: ReadonlySet<string> = new Set(["ocrLanguages"]);

/** Letters of a field from which on one of them may be wrong; in shorter names that makes another word. */
const LONG_ENOUGH = 7;

/** Throws INVALID_REQUEST for a field that is one of the known ones but for case, a separator or one letter. */
export function checkFieldNames(names: Iterable<string>, known: readonly string[]): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    const meant = known.find((candidate) => isMistyped(bare(name), bare(candidate)));
    if (meant !== undefined)
      throw fail("INVALID_REQUEST", { reason: `there is no field ${JSON.stringify(name)}; did you mean ${meant}?` });
  }
}

const bare = (name: string): string => name.toLowerCase().replace(/[-_ .]/g, "");

function isMistyped(name: string, known: string): boolean {
  return name === known || (known.length >= LONG_ENOUGH && editDistance(name, known) <= 1);
}
