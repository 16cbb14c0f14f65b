/** Checks the `filters` of a search and brings them into the form the store looks for. Pure. */
import { fail } from "../foundation/errors.ts";
import { fieldLimits } from "../foundation/field-limits.ts";
import type { MetadataFilter } from "../store/index.ts";

/**
 * Reads `[{key: string, match: {value: string | number | boolean}}]` into distinct filters, all of which a chunk must match.
 * A missing or null value means no filter. Unknown further fields are ignored.
 *
 * Throws INVALID_FILTER, naming the filter by its position.
 */
export function readFilters(raw: unknown): MetadataFilter[] {
  if (raw === undefined || raw === null) return [];
  if (!Array.isArray(raw)) throw invalidFilter("it is not an array");
  if (raw.length > fieldLimits.filters.maxItems) throw invalidFilter(`there are ${raw.length}`);

  const distinct = new Map<string, MetadataFilter>();
  raw.forEach((filter: unknown, index) => {
    const checked = readFilter(filter, index);
    distinct.set(JSON.stringify([checked.key, checked.value]), checked);
  });
  return [...distinct.values()];
}

function readFilter(filter: unknown, index: number): MetadataFilter {
  const place = `filters[${index}]`;
  if (!isObject(filter)) throw invalidFilter(`${place} is not an object`);
  if (typeof filter.key !== "string" || filter.key.length < fieldLimits.filterKey.minLength)
    throw invalidFilter(`${place}.key is not a string with at least one character`);
  if (!isObject(filter.match)) throw invalidFilter(`${place}.match is not an object`);
  const { value } = filter.match;
  if (
    typeof value !== "string" &&
    typeof value !== "boolean" &&
    !(typeof value === "number" && Number.isFinite(value))
  ) {
    throw invalidFilter(`${place}.match.value is not a string, finite number or boolean`);
  }
  return { key: filter.key, value: value === 0 ? 0 : value };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalidFilter(reason: string) {
  return fail("INVALID_FILTER", { limit: fieldLimits.filters.maxItems, reason });
}
