/** A passage cut where the question's words begin and end in it. Pure. */

export interface Highlight {
  /** UTF-16 units. */
  readonly start: number;
  /** Excluded. */
  readonly end: number;
}

export interface MarkedPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Parts that together are exactly `text`; no part is empty. Ranges that overlap are one, what lies outside the text is left out. */
export function markedParts(text: string, highlights: readonly Highlight[]): MarkedPart[] {
  const parts: MarkedPart[] = [];
  let at = 0;
  for (const { start, end } of joined(highlights, text.length)) {
    if (start > at) parts.push({ text: text.slice(at, start), isMarked: false });
    parts.push({ text: text.slice(start, end), isMarked: true });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isMarked: false });
  return parts;
}

/** Ascending and apart from one another. */
function joined(highlights: readonly Highlight[], length: number): Highlight[] {
  const ranges = highlights
    .map(({ start, end }) => ({ start: Math.max(0, Math.floor(start)), end: Math.min(length, Math.floor(end)) }))
    .filter(({ start, end }) => start < end)
    .sort((one, other) => one.start - other.start);
  const result: Highlight[] = [];
  for (const range of ranges) {
    const last = result.at(-1);
    if (last !== undefined && range.start <= last.end)
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else result.push(range);
  }
  return result;
}
