/** How deep and how wide a JSON text is, told before it is parsed: a small text can take a parser, and whoever writes it out again, very long. */
import { fieldLimits } from "./field-limits.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * Says in what the text goes beyond the limits, or null. `maxParts` counts objects, arrays and commas. Looks at each
 * character once, and no further than the first that is too much; takes the text for JSON without finding out whether it is.
 */
export function excessOf(
  text: string,
  {
    maxDepth = fieldLimits.json.maxDepth,
    maxParts = Number.POSITIVE_INFINITY,
  }: { readonly maxDepth?: number; readonly maxParts?: number } = {},
): string | null {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPENING_BRACKET:
      case OPENING_BRACE:
        parts++;
        if (++depth > maxDepth) return `is nested more than ${maxDepth} levels deep`;
        break;
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth--;
        break;
      case COMMA:
        parts++;
        break;
    }
    if (parts > maxParts) return `holds more than ${maxParts} objects, arrays and commas`;
  }
  return null;
}

/** The place of the quote that ends the string beginning at `start`, or of the text's end. */
function endOfString(text: string, start: number): number {
  for (let at = start; ; ) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    // Backslashes escape each other in pairs; one that is left escapes the quote.
    if (backslashes % 2 === 0) return at;
  }
}
