/** Reads what an assistant gives a tool, by the schema that the tool shows. Pure. */
import { fail } from "../foundation/errors.ts";
import { shownName } from "./told-errors.ts";

export interface ArgumentSchema {
  readonly type: "string" | "integer";
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface ToolSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, ArgumentSchema>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

export type ToolArguments = Readonly<Record<string, string | number | undefined>>;

/** Null counts as left out. Throws INVALID_REQUEST, which names the argument. */
export function readArguments(given: unknown, { properties, required }: ToolSchema): ToolArguments {
  const known = Object.keys(properties);
  const entries = Object.entries((given ?? {}) as Record<string, unknown>).filter(([, value]) => value !== null);
  for (const [name, value] of entries) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined)
      throw fail("INVALID_REQUEST", { reason: `there is no argument ${shownName(name)}, only ${known.join(", ")}.` });
    if (!matches(value, schema)) throw fail("INVALID_REQUEST", { reason: `${name} must be ${inWords(schema)}.` });
  }
  const read = Object.fromEntries(entries) as ToolArguments;
  const missing = required.find((name) => read[name] === undefined);
  if (missing !== undefined) throw fail("INVALID_REQUEST", { reason: `the argument ${missing} is missing.` });
  return read;
}

function matches(value: unknown, { type, minimum, maximum }: ArgumentSchema): boolean {
  if (type === "string") return typeof value === "string";
  return (
    Number.isSafeInteger(value) &&
    (value as number) >= (minimum ?? Number.NEGATIVE_INFINITY) &&
    (value as number) <= (maximum ?? Number.POSITIVE_INFINITY)
  );
}

function inWords({ type, minimum, maximum }: ArgumentSchema): string {
  if (type === "string") return "a string";
  if (minimum !== undefined && maximum !== undefined) return `a whole number from ${minimum} to ${maximum}`;
  return minimum === undefined ? "a whole number" : `a whole number, ${minimum} or more`;
}
