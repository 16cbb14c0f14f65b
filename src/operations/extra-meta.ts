/** Checks the `extraMeta` of an upload. Pure. */
import { fail } from "../errors.ts";
import { excessOf } from "../json-shape.ts";

/** UTF-8 bytes of the JSON text. */
export const MAX_EXTRA_META_BYTES = 16 * 1024;
/**
 * Keys of every result's metadata that a file's own metadata may not claim. One more, `chunkIndex`, a file may hold: it is kept and
 * shown with the file, while results and filters mean by it the passage's place.
 */
export const RESERVED_KEYS: readonly string[] = ["fileId", "originalName", "customerId", "datasetId"];

/**
 * Reads a JSON object from its text; missing or empty text means none.
 *
 * Throws INVALID_METADATA when it is no JSON object, too large or too deep, or claims a reserved key.
 */
export function readExtraMeta(text: string | undefined): Record<string, unknown> | null {
  if (text === undefined || text.trim() === "") return null;
  if (Buffer.byteLength(text) > MAX_EXTRA_META_BYTES) {
    throw fail(
      "INVALID_METADATA",
      { reason: `is larger than ${MAX_EXTRA_META_BYTES} bytes.` },
      { limit: MAX_EXTRA_META_BYTES },
    );
  }
  const excess = excessOf(text);
  if (excess !== null) throw fail("INVALID_METADATA", { reason: `${excess}.` });
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw fail("INVALID_METADATA", { reason: "is not a JSON object." });
  const reserved = RESERVED_KEYS.find((key) => Object.hasOwn(value, key));
  if (reserved !== undefined)
    throw fail("INVALID_METADATA", { reason: `uses the reserved key "${reserved}".` }, { key: reserved });
  return value as Record<string, unknown>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw fail("INVALID_METADATA", { reason: "is not JSON." }, undefined, error);
  }
}
