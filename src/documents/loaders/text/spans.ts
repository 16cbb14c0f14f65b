/** Cutting marked stretches out of text in linear time, which a regular expression does not do when an end is missing. */

/** The text without what lies from each `open` to the next `close`, both included. An `open` without a `close` stays. */
export function withoutSpans(text: string, open: string, close: string): string {
  let kept = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf(open, from);
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
    if (end < 0) return kept + text.slice(from);
    kept += text.slice(from, start);
    from = end + close.length;
  }
}
