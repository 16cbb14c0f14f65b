/** Chooses what fits: which passages a model's context has room for. Pure. */

/**
 * Positions of the passages that fit together into `room` tokens, the most relevant first; one that is too long gives way to
 * shorter, less relevant ones. `frame`: tokens that each passage takes beside its own.
 */
export function chooseFitting(tokens: readonly number[], room: number, frame: number): number[] {
  const chosen: number[] = [];
  let left = room;
  for (const [position, count] of tokens.entries()) {
    if (count + frame > left) continue;
    chosen.push(position);
    left -= count + frame;
  }
  return chosen;
}

/** The start of a text that holds at most about `share` (0-1) of it, cut after a sentence where one ends in its second half, else before a word. */
export function startOf(text: string, share: number): string {
  const limit = Math.floor(text.length * share);
  let best = 0;
  for (const granularity of ["sentence", "word"] as const) {
    for (const { index } of new Intl.Segmenter(undefined, { granularity }).segment(text)) {
      if (index > limit) break;
      best = Math.max(best, index);
    }
    if (best > limit / 2) break;
  }
  return text.slice(0, best).trimEnd();
}
