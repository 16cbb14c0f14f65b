/**
 * Units as the signs of their vectors, in WebAssembly memory, and the kernels that compare and read them. A unit's vector is the
 * sum of its tokens' rows of the built-in table, and as much of what stands for it in English, if the lexicon knows that; its 1,536 signs
 * (192 bytes) say nearly as much as the numbers.
 * Signs are made when a unit is first met, and kept until there is no more room.
 */
import { foldUnit } from "../foundation/fold-unit.ts";
import { readFileSync } from "node:fs";
import readingPath from "./reading.wasm" with { type: "file" };
import type { Lexicon } from "../embedding/lexicon.ts";
import { findUnits, joinSpeltWords } from "./units.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Most units of a question that are looked at: those that weigh most. */
export const MOST_UNITS = 20;
/** Numbers of a row that holds one for each unit of a question (reading.wat). */
export const ROW = 24;
/** Most units of one text that are read. */
const LONGEST_TEXT = 4096;
/** Units whose signs are kept, 192 bytes each; also the most different ones of one search: what is beyond is not read. */
const SLOTS = 49_152;
const DIMENSIONS = 1536;
const SIGN_BYTES = DIMENSIONS / 8;
const ROW_BYTES = DIMENSIONS / 2;
/** One scale for so many numbers. */
const SCALE_GROUP = 32;
const SCALES = DIMENSIONS / SCALE_GROUP;
const BLOCK = 8;
const PAGE_BYTES = 65_536;
/** Open addressing: twice the slots, a power of two. */
const BUCKETS = 131_072;
/** Numbers of a bucket. */
const BUCKET = 4;
export const NO_SLOT = -1;

interface Kernels {
  readonly memory: WebAssembly.Memory;
  accumulate(row: number, scales: number, sums: number): void;
  signs(sums: number, out: number): void;
  similarities(
    question: number,
    units: number,
    list: number,
    count: number,
    slots: number,
    nearness: number,
    out: number,
  ): void;
  read(sequence: number, blocks: number, registers: number, weights: number, maxima: number, out: number): number;
}

/** Where everything lies, bytes. */
const AT = layout({
  row: ROW_BYTES,
  scales: SCALES * 4,
  sums: DIMENSIONS * 4,
  otherSums: DIMENSIONS * 4,
  question: MOST_UNITS * SIGN_BYTES,
  weights: ROW * 4,
  found: 5 * ROW * 4,
  nearness: (DIMENSIONS + 1) * 4,
  maxima: (LONGEST_TEXT / BLOCK) * ROW * 4,
  sequence: (LONGEST_TEXT + 2) * 4,
  list: SLOTS * 4,
  similarities: (SLOTS + 1) * ROW * 4,
  slots: SLOTS * SIGN_BYTES,
});

/** What a text holds of a question's units, a number for each of them; a view that the next reading overwrites. */
export interface UnitMatches {
  /** How near the nearest unit comes, 0-1. */
  readonly nearest: Float32Array;
  /** The nearest of those that are not the same. */
  readonly nearestOther: Float32Array;
  /** How many are the same. */
  readonly same: Float32Array;
  /** The nearest in the best window. */
  readonly inWindow: Float32Array;
  /** How near this and the question's next unit come to two neighbours. */
  readonly pairs: Float32Array;
  /** Σ weight × inWindow². */
  readonly window: number;
}

export class UnitVectors {
  private readonly kernels: Kernels;
  private readonly bytes: Uint8Array;
  private readonly words: Uint32Array;
  private readonly floats: Float32Array;
  /** Slots in use. */
  private used = 0;
  /** Of tokens that are units by themselves. */
  private readonly slotOfToken: Int32Array;
  /** Of units of several tokens: a slot and two hashes, which tell units apart at odds of one in 2^60. Side by side, so that looking one up touches one line of the cache. */
  private readonly buckets = new Int32Array(BUCKET * BUCKETS).fill(NO_SLOT);
  /** What two slots share whose folded texts are the same. */
  private readonly foldedOf = new Int32Array(SLOTS);
  private readonly folded = new Map<string, number>();
  /** The row of similarities of each slot in the search under way. */
  private readonly rowOfSlot = new Int32Array(SLOTS);
  private readonly searchOfSlot = new Uint32Array(SLOTS);
  /** Of the text that was looked at last. */
  bounds = new Int32Array(0);
  private search = 0;
  private rows = 0;
  /** Of English words of the lexicon: how long their vectors are; NaN: not known yet. */
  private readonly lengths: Float64Array;
  /** The slots of the question that is asked. */
  private question: readonly number[] = [];

  /** `table`: the bytes of the built-in model's weights, `vocabulary.size` rows of 4-bit numbers, then as many rows of half-precision scales. */
  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly table: Uint8Array,
    private readonly lexicon: Lexicon | null,
  ) {
    this.lengths = new Float64Array(lexicon?.size ?? 0).fill(NaN);
    if (table.length !== vocabulary.size * (ROW_BYTES + 2 * SCALES))
      throw new Error("the table's rows are not those of the vocabulary");
    this.kernels = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(readingPath)))
      .exports as unknown as Kernels;
    this.kernels.memory.grow(Math.ceil(AT.end / PAGE_BYTES));
    const { buffer } = this.kernels.memory;
    this.bytes = new Uint8Array(buffer);
    this.words = new Uint32Array(buffer);
    this.floats = new Float32Array(buffer);
    this.slotOfToken = new Int32Array(vocabulary.size).fill(NO_SLOT);
    for (let bits = 0; bits <= DIMENSIONS; bits++)
      this.floats[AT.nearness / 4 + bits] = Math.sin((Math.PI / 2) * (1 - (2 * bits) / DIMENSIONS));
  }

  /** Makes room before a search: what is kept is forgotten when less than half of it is free. Slots of before mean nothing afterwards. */
  begin(): void {
    if (this.used <= SLOTS / 2) return;
    this.used = 0;
    this.slotOfToken.fill(NO_SLOT);
    this.buckets.fill(NO_SLOT);
    this.folded.clear();
    this.searchOfSlot.fill(0);
  }

  /** The units of a text, at most so many as are read; those for which there is no room are left out. */
  slotsOf(tokens: ArrayLike<number>): Int32Array {
    const count = Math.min(LONGEST_TEXT, this.find(tokens));
    const { bounds } = this;
    const slots = new Int32Array(count);
    let length = 0;
    for (let unit = 0; unit < count; unit++) {
      const slot = this.slot(tokens, bounds[2 * unit]!, bounds[2 * unit + 1]!);
      if (slot !== NO_SLOT) slots[length++] = slot;
    }
    return slots.subarray(0, length);
  }

  /** How many units a text has, and in `bounds` where they are. */
  find(tokens: ArrayLike<number>): number {
    if (this.bounds.length < 2 * tokens.length) this.bounds = new Int32Array(4 * tokens.length);
    const { vocabulary, lexicon, bounds } = this;
    const count = findUnits(vocabulary, tokens, bounds);
    return lexicon === null ? count : joinSpeltWords(vocabulary, lexicon, tokens, bounds, count);
  }

  /** The slot of the unit that these tokens make, or NO_SLOT when there is no more room. */
  slot(tokens: ArrayLike<number>, start: number, end: number): number {
    if (end - start === 1) {
      const token = tokens[start]!;
      const known = this.slotOfToken[token]!;
      return known !== NO_SLOT ? known : (this.slotOfToken[token] = this.make(tokens, start, end));
    }
    let one = 0x811c9dc5,
      other = 0x2545f491;
    for (let at = start; at < end; at++) {
      one = Math.imul(one ^ tokens[at]!, 0x01000193);
      other = Math.imul(other + tokens[at]!, 0x9e3779b1) ^ (other >>> 15);
    }
    const { buckets } = this;
    let bucket = ((one ^ (one >>> 15)) & (BUCKETS - 1)) * BUCKET;
    for (; buckets[bucket] !== NO_SLOT; bucket = (bucket + BUCKET) % buckets.length) {
      if (buckets[bucket + 1] === one && buckets[bucket + 2] === other) return buckets[bucket]!;
    }
    const slot = this.make(tokens, start, end);
    if (slot === NO_SLOT) return NO_SLOT;
    buckets.set([slot, one, other], bucket);
    return slot;
  }

  /** Begins the reading of texts for a question of these units, at most MOST_UNITS, with their weights. */
  ask(slots: readonly number[], weights: ArrayLike<number>): void {
    this.question = slots;
    this.rows = 0;
    this.search++;
    slots.forEach((slot, unit) =>
      this.bytes.copyWithin(
        AT.question + unit * SIGN_BYTES,
        AT.slots + slot * SIGN_BYTES,
        AT.slots + (slot + 1) * SIGN_BYTES,
      ),
    );
    const row = this.floats.subarray(AT.weights / 4, AT.weights / 4 + ROW);
    row.fill(0);
    row.set(Array.from(weights));
    // Row 0 is the row of zeros behind every text.
    this.floats.fill(0, AT.similarities / 4, AT.similarities / 4 + ROW);
  }

  /** Compares the question with every unit of all texts that will be read; each different one once. */
  compare(texts: readonly Int32Array[]): void {
    const { words, searchOfSlot, rowOfSlot, search } = this;
    const list = AT.list / 4;
    for (const slots of texts) {
      for (let at = 0; at < slots.length; at++) {
        const slot = slots[at]!;
        if (searchOfSlot[slot] === search) continue;
        searchOfSlot[slot] = search;
        words[list + this.rows] = slot;
        rowOfSlot[slot] = ++this.rows;
      }
    }
    if (this.rows === 0 || this.question.length === 0) return;
    this.floats.fill(0, (AT.similarities + ROW * 4) / 4, (AT.similarities + (this.rows + 1) * ROW * 4) / 4);
    this.kernels.similarities(
      AT.question,
      this.question.length,
      AT.list,
      this.rows,
      AT.slots,
      AT.nearness,
      AT.similarities + ROW * 4,
    );
    this.markSame();
  }

  /** Reads one of the compared texts. */
  read(slots: Int32Array): UnitMatches {
    const { words, rowOfSlot } = this;
    const sequence = AT.sequence / 4;
    const blocks = Math.max(1, Math.ceil(slots.length / BLOCK));
    for (let at = 0; at < slots.length; at++) words[sequence + at] = AT.similarities + rowOfSlot[slots[at]!]! * ROW * 4;
    words.fill(AT.similarities, sequence + slots.length, sequence + blocks * BLOCK + 2);
    const registers = Math.max(1, Math.ceil(this.question.length / 4));
    const window = this.kernels.read(AT.sequence, blocks, registers, AT.weights, AT.maxima, AT.found);
    const found = (row: number): Float32Array =>
      this.floats.subarray(AT.found / 4 + row * ROW, AT.found / 4 + row * ROW + this.question.length);
    return { nearest: found(0), nearestOther: found(1), same: found(2), inWindow: found(3), pairs: found(4), window };
  }

  private markSame(): void {
    const unitsOf = new Map<number, number[]>();
    this.question.forEach((slot, unit) =>
      unitsOf.set(this.foldedOf[slot]!, [...(unitsOf.get(this.foldedOf[slot]!) ?? []), unit]),
    );
    for (let row = 0; row < this.rows; row++) {
      const same = unitsOf.get(this.foldedOf[this.words[AT.list / 4 + row]!]!);
      if (same) for (const unit of same) this.floats[AT.similarities / 4 + (row + 1) * ROW + unit] = 1;
    }
  }

  private make(tokens: ArrayLike<number>, start: number, end: number): number {
    if (this.used === SLOTS) return NO_SLOT;
    const slot = this.used++;
    let text = "";
    for (let at = start; at < end; at++) {
      text += this.vocabulary.textOf(tokens[at]!);
      this.addRow(tokens[at]!, 1, AT.sums);
    }
    this.addTranslations(text);
    this.kernels.signs(AT.sums, AT.slots + slot * SIGN_BYTES);
    const folded = foldUnit(text);
    const number = this.folded.get(folded) ?? this.folded.size;
    this.folded.set(folded, number);
    this.foldedOf[slot] = number;
    this.searchOfSlot[slot] = 0;
    return slot;
  }

  /** To a word's own sums those of the English words that stand for it, each as long as the word's, times its share. */
  private addTranslations(word: string): void {
    const { lexicon } = this;
    const translations = lexicon?.translations(word) ?? null;
    if (lexicon === null || translations === null) return;
    const own = this.lengthOf(AT.sums);
    for (const { word: english, share } of translations) {
      const tokens = lexicon.tokensOf(english);
      const length = this.lengthOfEnglish(english, tokens);
      if (length > 0) for (const token of tokens) this.addRow(token, (share * own) / length, AT.sums);
    }
  }

  private lengthOfEnglish(word: number, tokens: Uint16Array): number {
    const { lengths, floats } = this;
    if (Number.isNaN(lengths[word])) {
      floats.fill(0, AT.otherSums / 4, AT.otherSums / 4 + DIMENSIONS);
      for (const token of tokens) this.addRow(token, 1, AT.otherSums);
      lengths[word] = this.lengthOf(AT.otherSums);
    }
    return lengths[word]!;
  }

  private lengthOf(sums: number): number {
    let square = 0;
    for (let at = sums / 4; at < sums / 4 + DIMENSIONS; at++) square += this.floats[at]! ** 2;
    return Math.sqrt(square);
  }

  /** Adds a row of the table, `times` over, to the sums at an address. */
  private addRow(token: number, times: number, sums: number): void {
    const { table, vocabulary } = this;
    this.bytes.set(table.subarray(token * ROW_BYTES, (token + 1) * ROW_BYTES), AT.row);
    const scales = new Float16Array(
      table.buffer,
      table.byteOffset + vocabulary.size * ROW_BYTES + token * 2 * SCALES,
      SCALES,
    );
    for (let at = 0; at < SCALES; at++) this.floats[AT.scales / 4 + at] = times * scales[at]!;
    this.kernels.accumulate(AT.row, AT.scales, sums);
  }
}

/** Addresses of areas one behind the other, each at a multiple of 64, and where the last one ends. */
function layout<Name extends string>(sizes: Record<Name, number>): Record<Name | "end", number> {
  let end = 0;
  const addresses = {} as Record<Name | "end", number>;
  for (const name of Object.keys(sizes) as Name[]) {
    addresses[name] = end;
    end = Math.ceil((end + sizes[name]) / 64) * 64;
  }
  addresses.end = end;
  return addresses;
}
