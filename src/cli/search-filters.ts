/** Reads the filters of `lectern search` and `lectern query`: `--filter` for one comparison, `--filters` for JSON as POST /v1/search takes it. Pure. */
import { fail } from "../foundation/errors.ts";
import type { Command } from "./command.ts";

/** The flags that say them. */
export const filterFlags: Command["flags"] = {
  filter: {
    value: "KEY=VALUE",
    sentence: "Only passages with this metadata; also !=, >, >=, < and <=. May be given several times: all must match.",
    repeatable: true,
  },
  filters: {
    value: "JSON",
    sentence: 'More filters as POST /v1/search takes them, e.g. [{"key":"year","match":{"any":[2025,2026]}}].',
  },
};

/** The first operator in the text ends the key. */
const COMPARISON = /^(.+?)(!=|>=|<=|=|>|<)([^]*)$/u;
const MATCHES: Readonly<Record<string, (value: unknown) => object>> = {
  "=": (value) => ({ value }),
  "!=": (not) => ({ not }),
  ">": (gt) => ({ range: { gt } }),
  ">=": (gte) => ({ range: { gte } }),
  "<": (lt) => ({ range: { lt } }),
  "<=": (lte) => ({ range: { lte } }),
};

/** All of them. Throws USAGE. */
export function readSearchFilters(comparisons: readonly string[], json: string | undefined): unknown[] {
  return [...comparisons.map(readComparison), ...(json === undefined ? [] : readJson(json))];
}

/** `key=value`, `key!=value`, `key>=value`, …: a value that is a number, a boolean or a string in JSON is that, any other is a text. */
function readComparison(text: string): object {
  const [, key, operator, value] = COMPARISON.exec(text) ?? [];
  if (key === undefined)
    throw fail("USAGE", {
      reason: `--filter must be KEY=VALUE, or with !=, >, >=, < or <= in place of =, and is ${JSON.stringify(text)}.`,
    });
  return { key, match: MATCHES[operator!]!(readValue(value!)) };
}

function readValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? text : value;
  } catch {
    return text;
  }
}

function readJson(json: string): unknown[] {
  let filters: unknown;
  try {
    filters = JSON.parse(json);
  } catch (error) {
    throw invalidJson(error);
  }
  if (!Array.isArray(filters)) throw invalidJson();
  return filters as unknown[];
}

const invalidJson = (cause?: unknown): Error =>
  fail(
    "USAGE",
    { reason: '--filters must be a JSON list such as [{"key":"year","match":{"value":2024}}].' },
    undefined,
    cause,
  );
