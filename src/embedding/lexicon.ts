/**
 * The built-in model's lexicon: words of many languages, and which English words stand for each in texts that say the same. A word's own
 * vector is made of pieces that it shares with other words; what it means in another language says more.
 * `models/train/lexicon` makes the file, whose layout is below.
 */
import { join } from "node:path";
import { fail } from "../foundation/errors.ts";
import { mapFile } from "../native/map-file.ts";
import { modelFolder, readManifest } from "./model-folder.ts";

/** An English word that stands for another. */
export interface Translation {
  /** Its number in the lexicon. */
  readonly word: number;
  /** How often it is the one, 0-1. */
  readonly share: number;
}

/** What a lexicon file holds, all numbers little-endian. Each part begins at a multiple of four bytes. */
export interface LexiconParts {
  /** Of each word, ascending: 32 bits of its hash, by which it is found. */
  readonly hashes: Uint32Array;
  /** Eight further bits, which tell others with those apart. */
  readonly checks: Uint8Array;
  /** TRANSLATIONS for each word: numbers of English words, best first, NONE where there are fewer. */
  readonly words: Uint16Array;
  /** Their shares, of SHARE_UNIT. */
  readonly shares: Uint8Array;
  /** A bit for each hash modulo their number: set where a word of a script without spaces begins so. */
  readonly beginnings: Uint8Array;
  /** The English words' UTF-8, one behind the other, and where each ends. */
  readonly text: Uint8Array;
  readonly textEnds: Uint32Array;
  /** The tokens of each by the model's tokenizer, and where each word's end. */
  readonly tokens: Uint16Array;
  readonly tokenEnds: Uint32Array;
}

/** English words that are kept of a word. */
export const TRANSLATIONS = 2;
export const NONE = 0xffff;
export const SHARE_UNIT = 255;
const MAGIC = 0x4e43584c;
const VERSION = 1;
/** The parts in their order, and what makes each. */
const PARTS = [
  ["hashes", Uint32Array],
  ["checks", Uint8Array],
  ["words", Uint16Array],
  ["shares", Uint8Array],
  ["beginnings", Uint8Array],
  ["text", Uint8Array],
  ["textEnds", Uint32Array],
  ["tokens", Uint16Array],
  ["tokenEnds", Uint32Array],
] as const satisfies readonly (readonly [keyof LexiconParts, unknown])[];
/** The magic number, the version, then each part's bytes. */
const HEADER_NUMBERS = 2 + PARTS.length;

/** The built-in model's, if it has one. Throws OPERATION_FAILED when it cannot be read. */
export async function openLexicon(): Promise<Lexicon | null> {
  const { search } = await readManifest(null);
  if (search.lexicon === undefined) return null;
  const path = join(modelFolder(null), search.lexicon);
  try {
    return await Lexicon.open(path);
  } catch (cause) {
    throw fail("OPERATION_FAILED", { reason: `The model's file ${path} cannot be read.` }, undefined, cause);
  }
}

export class Lexicon {
  private constructor(private readonly parts: LexiconParts) {}

  /** Maps a file: only what is looked up of it takes memory. Throws an Error when it cannot be read or is none. */
  static async open(path: string): Promise<Lexicon> {
    return Lexicon.parse(await mapFile(path), path);
  }

  /** `bytes` must begin at a multiple of four in their buffer. Throws an Error that names `where`. */
  static parse(bytes: Uint8Array, where: string): Lexicon {
    const header = new Uint32Array(bytes.buffer, bytes.byteOffset, Math.min(HEADER_NUMBERS, bytes.length >> 2));
    if (header.length < HEADER_NUMBERS || header[0] !== MAGIC) throw new Error(`${where} is not a lexicon`);
    if (header[1] !== VERSION) throw new Error(`${where} is a lexicon of version ${header[1]}, not ${VERSION}`);
    const parts: Partial<Record<keyof LexiconParts, Uint8Array | Uint16Array | Uint32Array>> = {};
    let at = HEADER_NUMBERS * 4;
    PARTS.forEach(([name, Numbers], part) => {
      const length = header[2 + part]!;
      if (at + length > bytes.length) throw new Error(`${where} is cut short`);
      parts[name] = new Numbers(bytes.buffer as ArrayBuffer, bytes.byteOffset + at, length / Numbers.BYTES_PER_ELEMENT);
      at = nextFour(at + length);
    });
    return new Lexicon(parts as unknown as LexiconParts);
  }

  /** What stands for a word, in lower case and NFKC; null: it is not there. */
  translations(word: string): Translation[] | null {
    return this.found(hashOf(word));
  }

  /** The same of a word's hash. */
  found({ hash, check }: WordHash): Translation[] | null {
    const { hashes, checks, words, shares } = this.parts;
    let [low, high] = [0, hashes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (hashes[middle]! < hash) low = middle + 1;
      else high = middle;
    }
    for (; hashes[low] === hash; low++) {
      if (checks[low] !== check) continue;
      const found: Translation[] = [];
      for (let at = low * TRANSLATIONS; at < (low + 1) * TRANSLATIONS && words[at] !== NONE; at++)
        found.push({ word: words[at]!, share: shares[at]! / SHARE_UNIT });
      return found;
    }
    return null;
  }

  /** Whether a word of a script without spaces may begin so: where not, none does. */
  mayBegin({ hash }: WordHash): boolean {
    const { beginnings } = this.parts;
    const bit = hash % (beginnings.length * 8);
    return (beginnings[bit >> 3]! & (1 << (bit & 7))) !== 0;
  }

  /** How many English words it knows. */
  get size(): number {
    return this.parts.textEnds.length;
  }

  textOf(word: number): string {
    const { text, textEnds } = this.parts;
    return Buffer.from(text.subarray(textEnds[word - 1] ?? 0, textEnds[word])).toString("utf8");
  }

  /** Its tokens by the built-in model's tokenizer. */
  tokensOf(word: number): Uint16Array {
    const { tokens, tokenEnds } = this.parts;
    return tokens.subarray(tokenEnds[word - 1] ?? 0, tokenEnds[word]);
  }
}

/** The bytes of a lexicon file. */
export function lexiconBytes(parts: LexiconParts): Uint8Array {
  const sizes = PARTS.map(([name]) => parts[name].byteLength);
  const bytes = new Uint8Array(sizes.reduce((sum, size) => nextFour(sum + size), HEADER_NUMBERS * 4));
  new Uint32Array(bytes.buffer, 0, HEADER_NUMBERS).set([MAGIC, VERSION, ...sizes]);
  let at = HEADER_NUMBERS * 4;
  for (const [name] of PARTS) {
    const { buffer, byteOffset, byteLength } = parts[name];
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at = nextFour(at + byteLength);
  }
  return bytes;
}

/** A word's hash, which grows with the word. */
export interface WordHash {
  readonly hash: number;
  readonly check: number;
}

/** Hashes words character by character (FNV-1a over UTF-16 units, and a multiplicative one beside it). */
export class WordHasher implements WordHash {
  private one = 0x811c9dc5;
  private other = 0x2545f491;

  add(text: string): this {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      this.one = Math.imul(this.one ^ unit, 0x01000193);
      this.other = Math.imul(this.other + unit, 0x9e3779b1) ^ (this.other >>> 15);
    }
    return this;
  }

  get hash(): number {
    return this.one >>> 0;
  }

  get check(): number {
    return (this.other >>> 24) ^ (this.other & 0xff);
  }
}

export const hashOf = (word: string): WordHash => new WordHasher().add(word);

const nextFour = (bytes: number): number => Math.ceil(bytes / 4) * 4;
