/** Fields of the console's own requests. */
import { fail } from "../../foundation/errors.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The body's fields. Throws INVALID_REQUEST for one that is none of these: only the console's pages send them. */
export function requestFields(body: Fields, known: readonly string[]): Fields {
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw fail("INVALID_REQUEST", { reason: `there is no field ${JSON.stringify(unknown)} here.` });
  return body;
}

/** Throws INVALID_REQUEST for what is no text. */
export function textField(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value !== undefined && typeof value !== "string") throw fail("INVALID_REQUEST", { reason: `${name} is a text.` });
  return value;
}

/** As `textField`; null and what is not there are null. */
export const optionalText = (fields: Fields, name: string): string | null =>
  fields[name] === null ? null : (textField(fields, name) ?? null);

/** Throws INVALID_REQUEST unless it is a whole number within the limits, as a number or in digits. */
export function wholeNumber(
  value: unknown,
  name: string,
  { minimum, maximum }: { minimum: number; maximum: number },
): number {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(number) || number < minimum || number > maximum)
    throw fail("INVALID_REQUEST", { reason: `${name} is a whole number from ${minimum} to ${maximum}.` });
  return number;
}
