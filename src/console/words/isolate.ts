/** Somebody's text inside a sentence of ours. */

/** Keeps the direction of what stands around it, whatever is written in it (U+2068 and U+2069). */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}
