/** Request bodies that are JSON objects. */
import { fail } from "../foundation/errors.ts";
import { fieldLimits } from "../foundation/field-limits.ts";
import { excessOf } from "../foundation/json-shape.ts";

/** Throws INVALID_REQUEST for a content coding or character set that is not read here. */
export function checkEncoding(headers: Headers): void {
  const coding = headers.get("content-encoding");
  if (coding !== null && coding.toLowerCase() !== "identity")
    throw fail("INVALID_REQUEST", { reason: "the body is compressed; send it as it is." });
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers.get("content-type") ?? "")?.[1];
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset))
    throw fail("INVALID_REQUEST", { reason: "the character set must be UTF-8." });
}

/** Throws INVALID_REQUEST when the text is not JSON, not an object, or too deep or wide to be parsed in passing. */
export function parseJsonObject(text: string): Record<string, unknown> {
  const excess = excessOf(text, fieldLimits.body);
  if (excess !== null) throw fail("INVALID_REQUEST", { reason: `the body ${excess}.` });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw fail("INVALID_REQUEST", { reason: "the body is not JSON." }, undefined, error);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw fail("INVALID_REQUEST", { reason: "the body is not a JSON object." });
  return value as Record<string, unknown>;
}
