/** Checks the `filters` of a search and brings them into the form the store looks for. Pure. */
import { fail } from "../foundation/errors.ts";
import { fieldLimits } from "../foundation/field-limits.ts";
import { dateSpan, isWrittenAsDate } from "../foundation/iso-date.ts";
import type { FilterValue, MetadataFilter, ValueRange } from "../store/index.ts";

const FORMS = ["value", "any", "not", "range"] as const;
const BOUNDS = ["gt", "gte", "lt", "lte"] as const;

/**
 * Reads `[{key: string, match: {…}}]` into distinct filters, all of which a chunk must match. `match` holds one of `value` (a string,
 * number or boolean), `any` (a list of them), `not` (one, or a list) and `range` (`gt`, `gte`, `lt`, `lte`: numbers or strings).
 * Missing or null means no filter. Unknown further fields of a filter and its `match` are ignored.
 *
 * Throws INVALID_FILTER, naming the filter by its position.
 */
export function readFilters(raw: unknown): MetadataFilter[] {
  if (raw === undefined || raw === null) return [];
  if (!Array.isArray(raw)) throw invalidFilter("it is not an array");
  if (raw.length > fieldLimits.filters.maxItems) throw invalidFilter(`there are ${raw.length}`);

  const distinct = new Map<string, MetadataFilter>();
  raw.forEach((filter: unknown, index) => {
    const checked = readFilter(filter, `filters[${index}]`);
    distinct.set(JSON.stringify(checked), checked);
  });
  return [...distinct.values()];
}

function readFilter(filter: unknown, place: string): MetadataFilter {
  if (!isObject(filter)) throw invalidFilter(`${place} is not an object`);
  const { key } = filter;
  if (typeof key !== "string" || key.length < fieldLimits.filterKey.minLength)
    throw invalidFilter(`${place}.key is not a string with at least one character`);
  const { match } = filter;
  if (!isObject(match)) throw invalidFilter(`${place}.match is not an object`);
  const forms = FORMS.filter((form) => Object.hasOwn(match, form) && match[form] !== undefined);
  if (forms.length > 1)
    throw invalidFilter(`${place}.match has both ${forms.join(" and ")}; one filter takes one of them`);
  const [form] = forms;
  if (form === undefined) throw invalidFilter(`${place}.match has none of ${FORMS.join(", ")}`);
  switch (form) {
    case "value":
      return { key, value: readValue(match.value, `${place}.match.value`) };
    case "any":
      return { key, any: readList(match.any, `${place}.match.any`) };
    case "not":
      return {
        key,
        not: Array.isArray(match.not)
          ? readList(match.not, `${place}.match.not`)
          : [readValue(match.not, `${place}.match.not`, "a string, finite number, boolean or list of them")],
      };
    case "range":
      return { key, range: readRange(match.range, `${place}.match.range`) };
  }
}

function readValue(value: unknown, place: string, wanted = "a string, finite number or boolean"): FilterValue {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value === 0 ? 0 : value;
  throw invalidFilter(`${place} is not ${wanted}`);
}

/** Distinct values. */
function readList(values: unknown, place: string): FilterValue[] {
  if (!Array.isArray(values)) throw invalidFilter(`${place} is not a list`);
  const { maxItems } = fieldLimits.filterValues;
  if (values.length > maxItems)
    throw invalidFilter(`${place} has ${values.length} values, and at most ${maxItems} are looked for`);
  const read = new Set<FilterValue>();
  // By index: a list from elsewhere than JSON may have holes.
  for (let index = 0; index < values.length; index++) read.add(readValue(values[index], `${place}[${index}]`));
  return [...read];
}

function readRange(range: unknown, place: string): ValueRange {
  if (!isObject(range)) throw invalidFilter(`${place} is not an object`);
  const unknown = Object.keys(range).find((name) => !(BOUNDS as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw invalidFilter(
      `${place} has a field ${JSON.stringify(unknown.slice(0, 40))}; its bounds are ${BOUNDS.join(", ")}`,
    );
  const bounds = BOUNDS.filter((name) => Object.hasOwn(range, name) && range[name] !== undefined).map(
    (name) => [name, readBound(range[name], `${place}.${name}`)] as const,
  );
  if (bounds.length === 0) throw invalidFilter(`${place} has none of ${BOUNDS.join(", ")}`);
  if (new Set(bounds.map(([, bound]) => kindOf(bound))).size > 1)
    throw invalidFilter(`${place} has bounds of different kinds: all must be numbers, dates, or other strings`);
  return Object.fromEntries(bounds);
}

function readBound(bound: unknown, place: string): string | number {
  if (typeof bound === "number" && Number.isFinite(bound)) return bound;
  if (typeof bound !== "string") throw invalidFilter(`${place} is not a string or finite number`);
  if (isWrittenAsDate(bound) && dateSpan(bound) === null)
    throw invalidFilter(`${place} is written as a date, and there is no such day or time`);
  return bound;
}

const kindOf = (bound: string | number): string =>
  typeof bound === "string" && dateSpan(bound) !== null ? "date" : typeof bound;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalidFilter(reason: string) {
  return fail("INVALID_FILTER", { limit: fieldLimits.filters.maxItems, reason });
}
