/** What each token of the built-in tokenizer is made of, as far as words are concerned. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../errors.ts";

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

const SPACE_MARK = "▁";
const BYTE_LENGTH = 6;
const BYTE = /^<0x[0-9A-F]{2}>$/;
const IS_UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u;
const IS_WORDLIKE = /[\p{L}\p{M}\p{N}]/u;

export interface Vocabulary {
  /** Tokens; their ids are below. */
  readonly size: number;
  /** Of each token: what it begins with behind the mark of a space (`KIND`), what it ends with (the same, `LAST` bits higher), and whether a space stands before it (`AFTER_SPACE`). */
  readonly shape: Uint8Array;
  /** Its text without the mark of a space. */
  textOf(token: number): string;
}

/** Reads a model folder's `tokenizer.json`. Throws OPERATION_FAILED when it holds no vocabulary of pieces. */
export function loadVocabulary(folder: string): Vocabulary {
  const path = join(folder, "tokenizer.json");
  const { model } = JSON.parse(readFileSync(path, "utf8")) as { model?: { vocab?: [string, number][] } };
  if (!Array.isArray(model?.vocab)) throw fail("OPERATION_FAILED", { reason: `${path} holds no vocabulary of pieces.` });
  return vocabularyOf(model.vocab.map(([piece]) => piece));
}

/** The same of pieces in the order of their ids, as SentencePiece spells them. Pure. */
export function vocabularyOf(pieces: readonly string[]): Vocabulary {
  const known = new Map<string, number>();
  const kindOf = (character: string): number => {
    const kind = known.get(character) ?? (IS_UNSPACED.test(character) ? UNSPACED : IS_WORDLIKE.test(character) ? SPACED : OTHER);
    known.set(character, kind);
    return kind;
  };
  const size = pieces.length;
  const shape = Uint8Array.from(pieces, (piece) => (piece.startsWith(SPACE_MARK) ? AFTER_SPACE : 0) | endsOf(piece, kindOf));
  return { size, shape, textOf: (token) => withoutSpaces(pieces[token]!) };
}

/** What a piece begins and ends with. */
function endsOf(piece: string, kindOf: (character: string) => number): number {
  const text = withoutSpaces(piece);
  const both = (kind: number): number => kind | (kind << LAST);
  if (text === "") return both(piece === "" ? OTHER : SPACE);
  if (piece.length === BYTE_LENGTH && BYTE.test(piece)) return both(UNSPACED);
  return kindOf(String.fromCodePoint(text.codePointAt(0)!)) | (kindOf(lastCharacter(text)) << LAST);
}

const withoutSpaces = (piece: string): string => (piece.includes(SPACE_MARK) ? piece.replaceAll(SPACE_MARK, "") : piece);

function lastCharacter(text: string): string {
  const low = text.charCodeAt(text.length - 1);
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(-2) : text.slice(-1);
}
