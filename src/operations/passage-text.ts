/** What a model reads of a chunk. Pure. */
import type { ModelManifest } from "../embedding/index.ts";
import type { ChunkText } from "../store/index.ts";

/** Shorter agreements are chance, not an overlap. */
const SHORTEST_OVERLAP = 8;
/** A longer overlap stays where it is: looking for it holds up the event loop. */
const LONGEST_OVERLAP = 4096;
/** Places that are compared one by one. Only texts that repeat themselves have more. */
const MOST_COMPARED = 16;

/** The text to embed of a chunk. For a model that weighs most what a text begins with, what is new in it stands first. */
export function passageText(
  { leadWeighted }: Pick<ModelManifest, "leadWeighted">,
  { text, contextLength, before }: ChunkText,
): string {
  if (!leadWeighted) return text;
  const own = text.slice(contextLength);
  const inOrder = before === null ? own : newTextFirst(own, before);
  return contextLength === 0 ? inOrder : `${inOrder}\n${text.slice(0, contextLength).trimEnd()}`;
}

/**
 * The chunk with what it repeats of the one before at its end: a model that weighs most what a text begins with would otherwise find
 * it by what the chunk before it says already.
 */
export function newTextFirst(chunk: string, before: string): string {
  const repeated = overlapLength(before, chunk);
  return repeated < SHORTEST_OVERLAP || repeated === chunk.length
    ? chunk
    : `${chunk.slice(repeated).trimStart()}\n${chunk.slice(0, repeated)}`;
}

/** The most characters that `before` ends with and `after` begins with, in linear time; 0 where they are fewer than the shortest overlap. */
function overlapLength(before: string, after: string): number {
  const length = Math.min(before.length, after.length, LONGEST_OVERLAP);
  const beginning = after.slice(0, SHORTEST_OVERLAP);
  let at = before.length - length;
  for (let compared = 0; compared < MOST_COMPARED; compared += 1, at += 1) {
    at = before.indexOf(beginning, at);
    if (at < 0) return 0;
    if (after.startsWith(before.slice(at))) return before.length - at;
  }
  return longestMatch(before.slice(before.length - length), after);
}

/** The same of texts of any kind (Knuth, Morris and Pratt, 1977); `before` is the shorter one. */
function longestMatch(before: string, after: string): number {
  // Of each beginning of `after`, the longest shorter beginning that it also ends with.
  const shorter = new Uint32Array(before.length);
  const extend = (matched: number, unit: number): number => {
    while (matched > 0 && after.charCodeAt(matched) !== unit) matched = shorter[matched - 1]!;
    return after.charCodeAt(matched) === unit ? matched + 1 : 0;
  };
  for (let at = 1; at < before.length; at++) shorter[at] = extend(shorter[at - 1]!, after.charCodeAt(at));
  let matched = 0;
  for (let at = 0; at < before.length; at++) matched = extend(matched, before.charCodeAt(at));
  return matched;
}
