/** Request bodies that are JSON objects. */
import { fail } from "../errors.ts";

/** Throws INVALID_REQUEST for a content coding or character set that is not read here. */
export function checkEncoding(headers: Headers): void {
  const coding = headers.get("content-encoding");
  if (coding !== null && coding.toLowerCase() !== "identity") throw fail("INVALID_REQUEST", { reason: "the body is compressed; send it as it is." });
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers.get("content-type") ?? "")?.[1];
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) throw fail("INVALID_REQUEST", { reason: "the character set must be UTF-8." });
}

/** Throws INVALID_REQUEST when the text is not JSON or not an object. */
export function parseJsonObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw fail("INVALID_REQUEST", { reason: "the body is not JSON." }, undefined, error);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw fail("INVALID_REQUEST", { reason: "the body is not a JSON object." });
  return value as Record<string, unknown>;
}
