/**
 * The built-in model's kind of tokenizer, many times as fast as the library: a unigram model over text in NFKC, lower case and single
 * blanks. It tells just what the library would, and leaves the texts to it of which that is not certain. Pure.
 */
import { isHighSurrogate, spellsBytes, Unigram, type Vocabulary } from "./unigram.ts";

/** What `tokenizer.json` says of such a tokenizer, beside its vocabulary. */
const BLANK_MARK = "\u2581";
const FORM = {
  normalizer: {
    type: "Sequence",
    normalizers: [
      { type: "NFKC" },
      { type: "Lowercase" },
      { type: "Replace", pattern: { Regex: String.raw`\s+` }, content: " " },
      { type: "Strip", strip_left: true, strip_right: true },
    ],
  },
  pre_tokenizer: { type: "Metaspace", replacement: BLANK_MARK, prepend_scheme: "always", split: false },
  post_processor: null,
};

/**
 * Characters of which the library, whose Unicode tables are older than the runtime's, does not know that they are combining marks, or
 * that they stand for others: it leaves them as and where they are.
 */
const YOUNG_MARKS = String.raw`\u07fd\u0897-\u089f\u08ca-\u08d3\u09fe\u0b55\u0c3c\u0d3b\u0d3c\u0eba\u1715\u180f\u1abf-\u1aff\u1df6-\u1dfa\ua82c`;
const YOUNG_FORMS = String.raw`\u32ff\ua7f1-\ua7f4\uab69\u{1f16c}`;
/** Beyond the first plane just ideographs, letters of formulas and pictures are certain. */
const OTHERS = String.raw`\ufdd0-\ufdef\p{Cs}\u{10000}-\u{1d3ff}\u{1d800}-\u{1efff}\u{1fb00}-\u{1ffff}\u{e0000}-\u{10ffff}`;
const UNCERTAIN = new RegExp(`[${YOUNG_MARKS}${YOUNG_FORMS}${OTHERS}]`, "u");
/** As the library's expressions have it: White_Space of Unicode. */
const BLANK = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

const MARK = BLANK_MARK.charCodeAt(0);
// Two of the units that no text which is certain holds: what a unit becomes is a blank, or more than one unit.
const TO_BLANK = 0xfdd0;
const TO_SEVERAL = 0xfdd1;

/** Of Hugging Face's format, what is looked at. */
interface TokenizerFile {
  readonly normalizer: unknown;
  readonly pre_tokenizer: unknown;
  readonly post_processor: unknown;
  readonly added_tokens: ReadonlyArray<{ readonly content: string; readonly normalized: boolean }>;
  readonly model: { readonly type?: string; readonly byte_fallback?: boolean; readonly vocab: Vocabulary };
}

export class QuickTokenizer {
  private readonly unigram: Unigram;
  private readonly lower = Uint16Array.from({ length: 0x10000 }, (_, unit) => lowerOf(String.fromCharCode(unit)));
  // A text in its normal form; where the character begins and ends in the text of which each unit is.
  private units = new Uint16Array(0);
  private starts = new Uint32Array(0);
  private ends = new Uint32Array(0);

  private constructor(
    vocabulary: Vocabulary,
    /** What is a token by itself wherever it stands. */
    private readonly added: readonly string[],
  ) {
    this.unigram = new Unigram(vocabulary);
  }

  /** null where `tokenizer.json` describes another kind. */
  static of(json: string): QuickTokenizer | null {
    const { normalizer, pre_tokenizer, post_processor, added_tokens, model } = JSON.parse(json) as TokenizerFile;
    const isOfForm = Bun.deepEquals({ normalizer, pre_tokenizer, post_processor }, FORM, true);
    if (!isOfForm || model.type !== "Unigram" || model.byte_fallback !== true) return null;
    if (!spellsBytes(model.vocab) || added_tokens.some(({ normalized }) => normalized)) return null;
    return new QuickTokenizer(
      model.vocab,
      added_tokens.map(({ content }) => content),
    );
  }

  /** The ids of a text's tokens; null where the library must be asked. */
  ids(text: string): number[] | null {
    if (!this.isCertain(text)) return null;
    const ids: number[] = [];
    const length = this.normalise(text.normalize("NFKC"));
    this.unigram.segment(this.units, length, (id) => ids.push(id));
    return ids.reverse();
  }

  /** UTF-16 units [start, end) of a text's tokens, ascending; null where the library must be asked. */
  offsets(text: string): Array<[number, number]> | null {
    if (!this.isCertain(text)) return null;
    const form = text.normalize("NFKC");
    const origins = form === text ? null : originsOf(text, form);
    if (origins === undefined) return null;
    const length = this.normalise(form, origins);
    const { starts, ends } = this;
    const offsets: Array<[number, number]> = [];
    this.unigram.segment(this.units, length, (_, start, end) => offsets.push([starts[start]!, ends[end - 1]!]));
    return offsets.reverse();
  }

  private isCertain(text: string): boolean {
    return !UNCERTAIN.test(text) && !this.added.some((token) => text.includes(token));
  }

  /** Writes the normal form of a text in NFKC, and returns its length. `origins`: of each of the text's units; null: itself. */
  private normalise(text: string, origins: Origins | null = null): number {
    this.reserve(text.length * 3 + 1);
    const { units, starts, ends, lower } = this;
    let length = 0;
    let blank = -1;
    const push = (unit: number, at: number): void => {
      units[length] = unit;
      starts[length] = origins === null ? at : origins.starts[at]!;
      ends[length++] = origins === null ? at + (isHighSurrogate(text.charCodeAt(at)) ? 2 : 1) : origins.ends[at]!;
    };
    for (let at = 0; at < text.length; at++) {
      const unit = lower[text.charCodeAt(at)]!;
      if (unit === TO_BLANK) {
        blank = at;
        continue;
      }
      // The first word has a mark too, which belongs to its first character.
      if (length === 0) {
        if (unit !== MARK) push(MARK, at);
      } else if (blank >= 0) push(MARK, blank);
      blank = -1;
      if (unit !== TO_SEVERAL) push(unit, at);
      else for (const one of text[at]!.toLowerCase()) push(one.charCodeAt(0), at);
    }
    return length;
  }

  private reserve(length: number): void {
    if (length <= this.units.length) return;
    this.units = new Uint16Array(length);
    this.starts = new Uint32Array(length);
    this.ends = new Uint32Array(length);
  }
}

/** Of each unit of a text in NFKC, where the character begins and ends of which it comes. */
interface Origins {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** undefined where characters were composed or reordered, so that a unit may come of several. */
function originsOf(text: string, form: string): Origins | undefined {
  const starts = new Uint32Array(form.length);
  const ends = new Uint32Array(form.length);
  let length = 0;
  let start = 0;
  for (const character of text) {
    const own = character < "\u00a0" ? character : character.normalize("NFKC");
    if (!form.startsWith(own, length)) return undefined;
    starts.fill(start, length, length + own.length);
    ends.fill(start + character.length, length, length + own.length);
    length += own.length;
    start += character.length;
  }
  return length === form.length ? { starts, ends } : undefined;
}

function lowerOf(character: string): number {
  if (BLANK.test(character)) return TO_BLANK;
  const lower = character.toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : TO_SEVERAL;
}
