/**
 * Where a question's words stand in a text: a word as it is, but for its case and accents, or another form of it that begins with the same
 * tokens; in scripts without spaces the question's tokens themselves. Pure.
 */
import { foldUnit } from "../foundation/fold-unit.ts";
import { IS_UNSPACED_SCRIPT } from "./lexical-terms.ts";

/** UTF-16 units, the end excluded. */
export type Span = [start: number, end: number];

/** A word of a text in a script with spaces, or a token in one without. */
export interface Piece {
  readonly span: Span;
  /** As it is compared. */
  readonly folded: string;
  /** Its tokens, folded; of a script without spaces none. */
  readonly tokens: readonly string[];
}

/** Letters that forms of one word share at least, and more than what part of the question's word; fewer than the second number, of both words. */
const STEM_LETTERS = 3;
const LONG_STEM_LETTERS = 5;
const STEM_SHARE = 0.5;

const WORD = new RegExp(String.raw`[[\p{L}\p{M}\p{N}]--${IS_UNSPACED_SCRIPT}]+`, "gv");
/** More than one character, or one that is a word; not the end of a syllable. */
const UNSPACED_WORD = new RegExp(String.raw`^(?:(?!\p{M})[${IS_UNSPACED_SCRIPT}\u30fc]{2,}|\p{sc=Han})$`, "v");
const MARK = /^\p{M}/u;

const fold = (text: string): string => foldUnit(text.normalize("NFKC").toLowerCase());

/** What a text consists of, by the offsets of its tokens, ascending. */
export function piecesOf(text: string, offsets: readonly Readonly<Span>[]): Piece[] {
  const pieces: Piece[] = [];
  let token = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const end = index + word.length;
    while (token < offsets.length && offsets[token]![1] <= index) token++;
    const tokens: string[] = [];
    for (let at = token; at < offsets.length && offsets[at]![0] < end; at++)
      tokens.push(fold(text.slice(Math.max(index, offsets[at]![0]), Math.min(end, offsets[at]![1]))));
    pieces.push({ span: [index, end], folded: fold(word), tokens });
  }
  for (const [start, end] of offsets) {
    const unspaced = text.slice(start, end).trimStart();
    if (UNSPACED_WORD.test(unspaced)) pieces.push({ span: [end - unspaced.length, end], folded: unspaced, tokens: [] });
  }
  return pieces;
}

/** Where the sought pieces of a question stand in a text: ascending, apart from one another, and no character cut. */
export function highlightsIn(text: string, offsets: readonly Readonly<Span>[], sought: readonly Piece[]): Span[] {
  const words = new Set<string>();
  const stems = new Map<string, Piece[]>();
  const found: Span[] = [];
  for (const piece of sought) {
    const [first] = piece.tokens;
    if (first === undefined) found.push(...placesOf(piece.folded, text));
    else {
      words.add(piece.folded);
      stems.set(first, [...(stems.get(first) ?? []), piece]);
    }
  }
  for (const piece of words.size === 0 ? [] : piecesOf(text, offsets)) {
    const alike = stems.get(piece.tokens[0] ?? "") ?? [];
    if (piece.tokens.length > 0 && (words.has(piece.folded) || alike.some((asked) => isForm(piece, asked))))
      found.push(piece.span);
  }
  return joined(found);
}

/** Whether a word begins with the same tokens as the question's, and they are most of that. */
function isForm({ tokens, folded }: Piece, asked: Piece): boolean {
  let shared = 0;
  for (let at = 0; at < tokens.length && tokens[at] === asked.tokens[at]; at++) shared += tokens[at]!.length;
  const longest = shared >= LONG_STEM_LETTERS ? asked.folded.length : Math.max(asked.folded.length, folded.length);
  return shared >= STEM_LETTERS && shared > STEM_SHARE * longest;
}

/** Wherever it stands, with the marks behind it, which are part of its last character. */
function placesOf(token: string, text: string): Span[] {
  const places: Span[] = [];
  for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + token.length)) {
    let end = at + token.length;
    while (MARK.test(text.slice(end, end + 2))) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
    places.push([at, end]);
  }
  return places;
}

function joined(spans: readonly Span[]): Span[] {
  const apart: Span[] = [];
  for (const [start, end] of spans.toSorted((left, right) => left[0] - right[0])) {
    const last = apart.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else apart.push([start, end]);
  }
  return apart;
}
