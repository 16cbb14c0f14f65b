/** Filters as they are typed, and as a search takes them. Pure. */

export const COMPARISONS = ["is", "isNot", "anyOf", "atLeast", "atMost"] as const;
export type Comparison = (typeof COMPARISONS)[number];

export interface TypedFilter {
  readonly key: string;
  readonly comparison: Comparison;
  readonly value: string;
}

type Scalar = string | number | boolean;

/** Left out where its field or value is not typed yet. A value in quotation marks is text, whatever stands in them. */
export function filtersOf(typed: readonly TypedFilter[]): { key: string; match: Record<string, unknown> }[] {
  return typed
    .filter(({ key, value }) => key.trim() !== "" && value.trim() !== "")
    .map(({ key, comparison, value }) => ({ key: key.trim(), match: matchOf(comparison, value) }));
}

function matchOf(comparison: Comparison, value: string): Record<string, unknown> {
  switch (comparison) {
    case "is":
      return { value: scalarOf(value) };
    case "isNot":
      return { not: scalarOf(value) };
    case "anyOf":
      return {
        any: value
          .split(",")
          .filter((one) => one.trim() !== "")
          .map(scalarOf),
      };
    case "atLeast":
      return { range: { gte: boundOf(value) } };
    case "atMost":
      return { range: { lte: boundOf(value) } };
  }
}

/** `2026` and `true` are what they look like; `"2026"` is text. */
export function scalarOf(typed: string): Scalar {
  const value = typed.trim();
  const quoted = /^"(.*)"$/s.exec(value);
  if (quoted !== null) return quoted[1]!;
  if (value === "true" || value === "false") return value === "true";
  return /^-?\d+(\.\d+)?$/.test(value) && Number.isFinite(Number(value)) ? Number(value) : value;
}

function boundOf(typed: string): string | number {
  const value = scalarOf(typed);
  return typeof value === "boolean" ? String(value) : value;
}
