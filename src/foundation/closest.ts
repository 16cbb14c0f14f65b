/** The nearest known name to a mistyped one, for "did you mean" in messages about options and commands. */

/** The name with the fewest edits to `word`, or null when none is within a third of the word's length (at least two edits). */
export function closestName(word: string, names: Iterable<string>): string | null {
  const allowed = Math.max(2, Math.floor(word.length / 3));
  let best: string | null = null;
  let bestDistance = allowed + 1;
  for (const name of names) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein distance, one row at a time. */
export function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const substituted = previous[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(substituted, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[right.length]!;
}
