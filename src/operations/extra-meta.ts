/** Checks the `extraMeta` of an upload. Pure. */
import { fail } from "../foundation/errors.ts";
import { fieldLimits } from "../foundation/field-limits.ts";
import { excessOf } from "../foundation/json-shape.ts";

/**
 * Reads a JSON object from its text; missing or empty text means none.
 *
 * Throws INVALID_METADATA when it is no JSON object, too large or too deep, or claims a reserved key. `chunkIndex` is none of these: a
 * file's own is kept and shown with the file, while results and filters mean by it the passage's place.
 */
export function readExtraMeta(text: string | undefined): Record<string, unknown> | null {
  if (text === undefined || text.trim() === "") return null;
  const { maxBytes, reservedKeys } = fieldLimits.extraMeta;
  if (Buffer.byteLength(text) > maxBytes)
    throw fail("INVALID_METADATA", { reason: `is larger than ${maxBytes} bytes.` }, { limit: maxBytes });
  const excess = excessOf(text);
  if (excess !== null) throw fail("INVALID_METADATA", { reason: `${excess}.` });
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw fail("INVALID_METADATA", { reason: "is not a JSON object." });
  const reserved = reservedKeys.find((key) => Object.hasOwn(value, key));
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
