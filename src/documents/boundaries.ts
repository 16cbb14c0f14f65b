/**
 * Places where a text may be cut: sentences, lines, words, graphemes.
 *
 * Each function looks at one bounded range only. `anchor` is a position known to be a grapheme boundary at or before the
 * range; segmentation begins there, so what is found is a boundary of the whole text too. Sentences, words and graphemes are
 * those of Unicode Standard Annex 29 (Intl.Segmenter with the root locale), which covers languages written without spaces.
 */

const sentences = new Intl.Segmenter("und", { granularity: "sentence" });
const words = new Intl.Segmenter("und", { granularity: "word" });
const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Text after a boundary that segmentation needs to see to be sure of it. */
const LOOK_AHEAD = 64;

const SENTENCE_TERMINAL = /[\p{Sentence_Terminal}.\u2024\uFE52\uFF0E]/u;
const LINE_FEED = 10;
const BLANK = /\s/;
/** What attaches to the character before it, a blank included, and so makes one grapheme with it. */
const ATTACHES = /^(?:\p{M}|\p{Emoji_Modifier}|\u200C|\u200D|[\u{E0020}-\u{E007F}]|\p{Grapheme_Extend})/u;

/** The first position at or after this one that is not blank; a blank carrying a combining mark is not blank. */
export function skipBlanks(text: string, position: number): number {
  while (position < text.length && isBlank(text, position) && !attaches(text, position + 1)) position += 1;
  return position;
}

/** The end of the text before `position` once blanks at its end are gone. */
export function trimBlanks(text: string, position: number, from: number): number {
  while (position > from && isBlank(text, position - 1)) position -= 1;
  return position;
}

/** The last sentence beginning in (after, to]. A single line break does not end a sentence. */
export function lastSentenceStart(text: string, anchor: number, after: number, to: number): number | undefined {
  if (!mayEndSentence(text, Math.max(anchor, after - LOOK_AHEAD), to)) return undefined;
  return lastIn(sentences, unwrapped(text, anchor, to), anchor, after, to);
}

/** The first sentence beginning in [from, to]. */
export function firstSentenceStart(text: string, anchor: number, from: number, to: number): number | undefined {
  if (!mayEndSentence(text, Math.max(anchor, from - LOOK_AHEAD), to)) return undefined;
  return firstIn(sentences, unwrapped(text, anchor, to), anchor, from, to);
}

/** The last line beginning in (after, to]. */
export function lastLineStart(text: string, after: number, to: number): number | undefined {
  for (let position = to; position > after; position -= 1) {
    if (text.charCodeAt(position - 1) === LINE_FEED && !attaches(text, position)) return position;
  }
  return undefined;
}

/** The last position in (after, to] with a blank before it. */
export function lastAfterBlank(text: string, after: number, to: number): number | undefined {
  for (let position = to; position > after; position -= 1) {
    if (isBlank(text, position - 1) && !attaches(text, position)) return position;
  }
  return undefined;
}

/** The first position in [from, to) where something begins after a blank. */
export function firstAfterBlank(text: string, from: number, to: number): number | undefined {
  for (let position = Math.max(1, from); position < to; position += 1) {
    if (isBlank(text, position - 1) && !isBlank(text, position) && !attaches(text, position)) return position;
  }
  return undefined;
}

/** The last word boundary in (after, to]; when there is none, the last in (anchor, furthest]. */
export function lastWordBoundary(
  text: string,
  anchor: number,
  after: number,
  to: number,
  furthest: number,
): number | undefined {
  const slice = ahead(text, anchor, furthest);
  const starts = Array.from(words.segment(slice), ({ index }) => index);
  const lastUpTo = (low: number, high: number) =>
    starts.findLast((index) => anchor + index > low && anchor + index <= high && startsGrapheme(slice, index));
  const found = lastUpTo(after, to) ?? lastUpTo(anchor, furthest);
  return found === undefined ? undefined : anchor + found;
}

/** The first word boundary in [from, to). */
export function firstWordBoundary(text: string, anchor: number, from: number, to: number): number | undefined {
  return firstIn(words, ahead(text, anchor, to), anchor, from, to - 1);
}

/** The last grapheme boundary in (after, to]. */
export function lastGraphemeBoundary(text: string, anchor: number, after: number, to: number): number | undefined {
  if (to > after && isPlain(text, to - 1) && isPlain(text, to)) return to;
  return lastIn(graphemes, ahead(text, anchor, to), anchor, after, to);
}

/** `position`, or the one before when it would part a surrogate pair. */
export function codePointBoundary(text: string, position: number): number {
  const parts = isLow(text.charCodeAt(position)) && isHigh(text.charCodeAt(position - 1));
  return parts ? position - 1 : position;
}

/** Segmentation is dear; most text without these has no sentence to find. Line breaks are none here. */
function mayEndSentence(text: string, from: number, to: number): boolean {
  return SENTENCE_TERMINAL.test(text.slice(from, to));
}

function ahead(text: string, from: number, to: number): string {
  const end = Math.min(text.length, to + LOOK_AHEAD);
  return text.slice(from, codePointBoundary(text, end));
}

/** The same length as the text it stands for. */
function unwrapped(text: string, from: number, to: number): string {
  return ahead(text, from, to).replaceAll("\n", " ");
}

/** The last segment start in (after, to] of a slice that stands at `offset`. */
function lastIn(
  segmenter: Intl.Segmenter,
  slice: string,
  offset: number,
  after: number,
  to: number,
): number | undefined {
  const found: number[] = [];
  for (const { index } of segmenter.segment(slice)) {
    if (offset + index > to) break;
    if (offset + index > after) found.push(index);
  }
  const index = found.findLast((start) => startsGrapheme(slice, start));
  return index === undefined ? undefined : offset + index;
}

/** The first segment start in [from, to] of a slice that stands at `offset`. */
function firstIn(
  segmenter: Intl.Segmenter,
  slice: string,
  offset: number,
  from: number,
  to: number,
): number | undefined {
  for (const { index } of segmenter.segment(slice)) {
    if (offset + index > to) return undefined;
    if (offset + index >= from && startsGrapheme(slice, index)) return offset + index;
  }
  return undefined;
}

/** Sentences and words of the annex may begin inside a grapheme, after a prepended mark. */
function startsGrapheme(slice: string, index: number): boolean {
  return graphemes.segment(slice).containing(index)?.index === index;
}

/** Printable ASCII: there is always a grapheme boundary between two of them. */
function isPlain(text: string, position: number): boolean {
  const unit = text.charCodeAt(position);
  return unit >= 0x20 && unit < 0x7f;
}

function isBlank(text: string, position: number): boolean {
  const unit = text.charCodeAt(position);
  if (unit < 0x80) return unit === 0x20 || (unit >= 9 && unit <= 13);
  return BLANK.test(text[position] ?? "");
}

function attaches(text: string, position: number): boolean {
  const point = text.codePointAt(position);
  return point !== undefined && point >= 0x300 && ATTACHES.test(String.fromCodePoint(point));
}

function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLow(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}
