/** What each token of the built-in tokenizer is made of, as far as words are concerned. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { IS_UNSPACED_SCRIPT } from "../embedding/lexical-terms.ts";
import { fail } from "../foundation/errors.ts";

/** What a character, or the end of a token, is for the making of words. */
export const OTHER = 0;
/** A letter, mark or digit of a script with spaces between words. */
export const SPACED = 1;
/** A letter of a script without spaces; and a token that is a byte of a character without one of its own. */
export const UNSPACED = 2;
/** Nothing but the mark of a space. */
export const SPACE = 3;

export const KIND = 0b11;
export const LAST = 2;
export const AFTER_SPACE = 0b10000;
/** Begins with a letter of a script without spaces whose words are spelt: tokens are letters and syllables there, which mean nothing by themselves. */
export const SPELT = 0b100000;

const SPACE_MARK = "▁";
const BYTE_LENGTH = 6;
const BYTE = /^<0x[0-9A-F]{2}>$/;
const IS_UNSPACED = new RegExp(IS_UNSPACED_SCRIPT, "v");
/** Where the scripts among those lie whose words are spelt: Thai, Lao, Tibetan, Burmese and Khmer. */
const [FIRST_SPELT, END_OF_SPELT] = [0x0e00, 0x1800];
const CODE_POINTS = 0x110000;
const UNKNOWN = 0xff;
const IS_WORDLIKE = /[\p{L}\p{M}\p{N}]/u;

export interface Vocabulary {
  /** Tokens; their ids are below. */
  readonly size: number;
  /** Of each token: what it begins with behind the mark of a space (`KIND`), what it ends with (the same, `LAST` bits higher), whether a space stands before it (`AFTER_SPACE`), and `SPELT`. */
  readonly shape: Uint8Array;
  /** Its text without the mark of a space. */
  textOf(token: number): string;
}

/** Reads a model folder's `tokenizer.json`. Throws OPERATION_FAILED when it holds no vocabulary of pieces. */
export function loadVocabulary(folder: string): Vocabulary {
  const path = join(folder, "tokenizer.json");
  const { model } = JSON.parse(readFileSync(path, "utf8")) as { model?: { vocab?: [string, number][] } };
  if (!Array.isArray(model?.vocab))
    throw fail("OPERATION_FAILED", { reason: `${path} holds no vocabulary of pieces.` });
  return vocabularyOf(model.vocab.map(([piece]) => piece));
}

/** The same of pieces in the order of their ids, as SentencePiece spells them. Pure. */
export function vocabularyOf(pieces: readonly string[]): Vocabulary {
  const kindOf = kindsOfCharacters();
  const shape = new Uint8Array(pieces.length);
  for (let token = 0; token < shape.length; token++) shape[token] = shapeOf(pieces[token]!, kindOf);
  return { size: pieces.length, shape, textOf: (token) => withoutSpaces(pieces[token]!) };
}

function shapeOf(piece: string, kindOf: (codePoint: number) => number): number {
  const spaced = piece.startsWith(SPACE_MARK) ? AFTER_SPACE : 0;
  if (piece.length === BYTE_LENGTH && BYTE.test(piece)) return spaced | both(UNSPACED);
  const text = withoutSpaces(piece);
  if (text === "") return spaced | both(piece === "" ? OTHER : SPACE);
  const first = text.codePointAt(0)!;
  const begins = kindOf(first);
  const spelt = begins === UNSPACED && first >= FIRST_SPELT && first < END_OF_SPELT ? SPELT : 0;
  return spaced | spelt | begins | (kindOf(lastCodePoint(text)) << LAST);
}

/** Looks a character's kind up once: a vocabulary has tens of thousands of pieces, and a start waits for them. */
function kindsOfCharacters(): (codePoint: number) => number {
  const known = new Uint8Array(CODE_POINTS).fill(UNKNOWN);
  return (codePoint) => {
    if (known[codePoint] === UNKNOWN) {
      const character = String.fromCodePoint(codePoint);
      known[codePoint] = IS_UNSPACED.test(character) ? UNSPACED : IS_WORDLIKE.test(character) ? SPACED : OTHER;
    }
    return known[codePoint]!;
  };
}

const both = (kind: number): number => kind | (kind << LAST);

const withoutSpaces = (piece: string): string =>
  piece.includes(SPACE_MARK) ? piece.replaceAll(SPACE_MARK, "") : piece;

function lastCodePoint(text: string): number {
  const low = text.charCodeAt(text.length - 1);
  return low >= 0xdc00 && low <= 0xdfff ? (text.codePointAt(text.length - 2) ?? low) : low;
}
