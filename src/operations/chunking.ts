/** Checks `chunkSize` and `chunkOverlap` of an upload. Pure. */
import type { Chunking } from "../documents/index.ts";
import { fail } from "../foundation/errors.ts";
import { fieldDefaults, fieldLimits } from "../foundation/field-limits.ts";

/**
 * Reads both numbers, in tokens, from form fields (decimal digits) or JSON numbers. `maxTokens` is what the model can read.
 * Without an overlap it is the smaller of 20 and half the chunk; without a size it is 300, or what the model can read.
 *
 * Throws INVALID_CHUNKING, saying which range holds.
 */
export function readChunking(rawSize: unknown, rawOverlap: unknown, maxTokens: number): Chunking {
  const largest = Math.min(fieldLimits.chunkSize.maximum, maxTokens);
  const chunkSize = isMissing(rawSize) ? Math.min(fieldDefaults.chunkSize, largest) : readInteger(rawSize);
  if (chunkSize === null || chunkSize < fieldLimits.chunkSize.minimum || chunkSize > largest) {
    throw fail("INVALID_CHUNKING", {
      reason: `chunkSize must be an integer between ${fieldLimits.chunkSize.minimum} and ${largest}.`,
    });
  }
  const chunkOverlap = isMissing(rawOverlap)
    ? Math.min(fieldDefaults.chunkOverlap, Math.floor(chunkSize / 2))
    : readInteger(rawOverlap);
  if (chunkOverlap === null || chunkOverlap < fieldLimits.chunkOverlap.minimum || chunkOverlap >= chunkSize) {
    throw fail("INVALID_CHUNKING", {
      reason: `chunkOverlap must be an integer between ${fieldLimits.chunkOverlap.minimum} and ${chunkSize - 1}, one less than chunkSize.`,
    });
  }
  return { chunkSize, chunkOverlap };
}

function isMissing(raw: unknown): boolean {
  return raw === undefined || raw === null || raw === "";
}

/** null when it is not a whole number written plainly. */
function readInteger(raw: unknown): number | null {
  const text = typeof raw === "number" ? String(raw) : raw;
  return typeof text === "string" && /^-?\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}
