/**
 * Names of the fields that requests have: of forms, JSON bodies and queries. Others are ignored and named in the answer's header
 * `X-Ignored-Fields`, but not one that was plainly meant for one of these: it is refused.
 */
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

const RETRIEVAL_FIELDS = ["datasetId", "question", "filters", "limit", "minScore", "highlights"] as const;

export const SEARCH_FIELDS = [...RETRIEVAL_FIELDS, "explain"] as const;

export const QUERY_FIELDS = [...RETRIEVAL_FIELDS, "stream"] as const;

export const TOKEN_FIELDS = ["datasetId", "ttlSeconds", "scope"] as const;

/** Those that may come several times: their values are joined by commas. */
export const REPEATABLE_FIELDS: ReadonlySet<string> = new Set(["ocrLanguages"]);

/** Letters of a field from which on one of them may be wrong; in shorter names that makes another word. */
const LONG_ENOUGH = 7;
/** Names that an answer tells, and UTF-16 units of each. */
const MOST_TOLD = 10;
const LONGEST_TOLD = 40;

/** Those that are none of the known ones. Throws INVALID_REQUEST for one that is, but for case, a separator or one letter. */
export function unknownNames(names: Iterable<string>, known: readonly string[]): string[] {
  const unknown: string[] = [];
  for (const name of names) {
    if (known.includes(name)) continue;
    const meant = known.find((candidate) => isMistyped(bare(name), bare(candidate)));
    if (meant !== undefined)
      throw fail("INVALID_REQUEST", { reason: `there is no field ${JSON.stringify(name)}; did you mean ${meant}?` });
    unknown.push(name);
  }
  return unknown;
}

/** Names as a header can hold them. */
export function namesForHeader(names: readonly string[]): string {
  const told = names
    .slice(0, MOST_TOLD)
    .map((name) => encodeURIComponent(name.slice(0, LONGEST_TOLD).toWellFormed()) || '""');
  return [...told, ...(names.length > MOST_TOLD ? ["..."] : [])].join(", ");
}

const bare = (name: string): string => name.toLowerCase().replace(/[-_ .]/g, "");

function isMistyped(name: string, known: string): boolean {
  if (name === known) return true;
  return known.length >= LONG_ENOUGH && Math.abs(name.length - known.length) <= 1 && editDistance(name, known) <= 1;
}
