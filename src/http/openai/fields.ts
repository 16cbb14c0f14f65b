/** Reads the fields that requests of OpenAI's interface share. Pure. */
import { refuse } from "./errors.ts";

/** null counts as left out. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Throws INVALID_REQUEST unless it is a text with something in it. */
export function readModel({ model }: Readonly<Record<string, unknown>>): string {
  if (typeof model === "string" && model !== "") return model;
  throw refuse("model", "model must be a string, and name one of those that GET /v1/models lists.");
}

/** false where it is left out. Throws INVALID_REQUEST. */
export function readFlag(name: string, value: unknown): boolean {
  if (!isGiven(value)) return false;
  if (typeof value !== "boolean") throw refuse(name, `${name} is not a boolean.`);
  return value;
}
