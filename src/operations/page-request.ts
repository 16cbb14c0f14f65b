/** Reads what a request says about the page of a listing that it wants. Pure. */
import { fail } from "../foundation/errors.ts";
import { fieldLimits } from "../foundation/field-limits.ts";

/** A parameter that is empty counts as left out. */
export function given(raw: string | null): string | null {
  return raw === null || raw === "" ? null : raw;
}

/** Items on a page; null where it is left out. Throws INVALID_REQUEST unless it is a whole number, written plainly, within its limits. */
export function readLimit(raw: string | null): number | null {
  return readWholeNumber("limit", raw, fieldLimits.pageLimit);
}

/** The same of any parameter. */
export function readWholeNumber(
  name: string,
  raw: string | null,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): number | null {
  const text = given(raw);
  if (text === null) return null;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= minimum && number <= maximum))
    throw fail("INVALID_REQUEST", { reason: `${name} must be a whole number between ${minimum} and ${maximum}.` });
  return number;
}
