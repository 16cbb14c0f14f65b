/** How metadata fields become rows that filters can look up: exact by JSON type and value, whatever characters they hold. */
import { createHash } from "node:crypto";

/** Longer texts are kept as their hash: nothing is ever read back from them, only compared. */
const MAX_PLAIN_CHARACTERS = 200;

/** The text under which a key or a value is looked up: its JSON, so that `"1"` and `1` differ, or, when that is long, `#` and its SHA-256. */
export function attributeText(value: string | number | boolean): string {
  const json = JSON.stringify(value);
  return json.length <= MAX_PLAIN_CHARACTERS ? json : `#${createHash("sha256").update(json).digest("hex")}`;
}

/** The fields of extraMeta (as JSON text, or null) that a filter can match: top-level strings, numbers and booleans. */
export function attributesOf(extraMeta: string | null): Array<{ key: string; value: string }> {
  if (extraMeta === null) return [];
  return Object.entries(JSON.parse(extraMeta) as Record<string, unknown>).flatMap(([key, value]) =>
    isScalar(value) ? [{ key: attributeText(key), value: attributeText(value) }] : [],
  );
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
