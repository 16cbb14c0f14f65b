/**
 * The best segmentation of a text into a unigram model's tokens: Viterbi's algorithm over a trie of the vocabulary, with sums in the
 * order in which Hugging Face's library makes them, so that equally good segmentations are chosen alike. Pure.
 */

/** What a vocabulary gives up of a character that it lacks, beside its worst token. */
const UNKNOWN_PENALTY = 10;
const EMPTY = -1;
const ROOT = -2;
const NO_TOKEN = -1;
/** Stands for a character that no token spells. */
const UNKNOWN = -2;

const BYTE_TOKENS = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);

/** Tokens with their scores, by id. */
export type Vocabulary = ReadonlyArray<readonly [token: string, score: number]>;

/** Whether there is a token for every byte. */
export function spellsBytes(vocabulary: Vocabulary): boolean {
  const tokens = new Set(vocabulary.map(([token]) => token));
  return BYTE_TOKENS.every((token) => tokens.has(token));
}

export class Unigram {
  // A node is a slot of a hash table, found by the node before it and the UTF-16 unit between both.
  private readonly parents: Int32Array;
  private readonly units: Uint16Array;
  private readonly tokens: Int32Array;
  private readonly shift: number;
  private readonly scores: Float64Array;
  private readonly unknownScore: number;
  /** Id of the token that stands for each byte. */
  private readonly byteTokens: readonly number[];
  // Of a text, by the place where a token ends: the best score up to there, that token, and where it begins.
  private best = new Float64Array(0);
  private chosen = new Int32Array(0);
  private begins = new Int32Array(0);

  /** The vocabulary must spell bytes. */
  constructor(vocabulary: Vocabulary) {
    const ids = new Map(vocabulary.map(([token], id) => [token, id]));
    this.scores = Float64Array.from(vocabulary, ([, score]) => score);
    this.unknownScore = this.scores.reduce((least, score) => Math.min(least, score), Infinity) - UNKNOWN_PENALTY;
    this.byteTokens = BYTE_TOKENS.map((token) => ids.get(token)!);
    // Tokens share beginnings, so that there are a third as many nodes as this.
    const mostNodes = vocabulary.reduce((sum, [token]) => sum + token.length, 0);
    const bits = Math.ceil(Math.log2(mostNodes + 1));
    this.shift = 32 - bits;
    this.parents = new Int32Array(2 ** bits).fill(EMPTY);
    this.units = new Uint16Array(2 ** bits);
    this.tokens = new Int32Array(2 ** bits).fill(NO_TOKEN);
    // As the library has it, the last of several equal tokens counts.
    for (const [token, id] of ids) this.add(token, id);
  }

  /**
   * Calls `take` for each token of a normalised text, last one first, with its id and the UTF-16 units [start, end) for which it
   * stands. Characters in a row that no token spells are spelt in bytes, each of which stands for all of them.
   */
  segment(text: Uint16Array, length: number, take: (id: number, start: number, end: number) => void): void {
    this.findBest(text, length);
    const { chosen, begins } = this;
    for (let end = length; end > 0; ) {
      const id = chosen[end]!;
      let start = begins[end]!;
      if (id !== UNKNOWN) {
        take(id, start, end);
      } else {
        while (start > 0 && chosen[start] === UNKNOWN) start = begins[start]!;
        const bytes = bytesOf(text.subarray(start, end));
        for (let at = bytes.length - 1; at >= 0; at--) take(this.byteTokens[bytes[at]!]!, start, end);
      }
      end = start;
    }
  }

  private findBest(text: Uint16Array, length: number): void {
    this.reserve(length + 1);
    const { best, chosen, begins, parents, units, tokens, scores, unknownScore, shift } = this;
    const lastSlot = parents.length - 1;
    chosen.fill(NO_TOKEN, 0, length + 1);
    best[0] = 0;
    for (let start = 0; start < length; ) {
      const before = best[start]!;
      const next = start + (isHighSurrogate(text[start]!) ? 2 : 1);
      let isSpelt = false;
      for (let end = start, node = ROOT; end < length; ) {
        // As in `slot`, without a call: all the time goes here.
        const unit = text[end++]!;
        let slot = hashOf(node, unit) >>> shift;
        while (parents[slot] !== EMPTY && (parents[slot] !== node || units[slot] !== unit))
          slot = (slot + 1) & lastSlot;
        if (parents[slot] === EMPTY) break;
        node = slot;
        const token = tokens[node]!;
        if (token === NO_TOKEN) continue;
        isSpelt ||= end === next;
        const score = scores[token]! + before;
        if (chosen[end] === NO_TOKEN || score > best[end]!) {
          best[end] = score;
          chosen[end] = token;
          begins[end] = start;
        }
      }
      if (!isSpelt) {
        const score = unknownScore + before;
        if (chosen[next] === NO_TOKEN || score > best[next]!) {
          best[next] = score;
          chosen[next] = UNKNOWN;
          begins[next] = start;
        }
      }
      start = next;
    }
  }

  private add(token: string, id: number): void {
    let node = ROOT;
    for (let at = 0; at < token.length; at++) {
      const unit = token.charCodeAt(at);
      const slot = this.slot(node, unit);
      this.parents[slot] = node;
      this.units[slot] = unit;
      node = slot;
    }
    if (node !== ROOT) this.tokens[node] = id;
  }

  /** Where that child is, or would be. */
  private slot(node: number, unit: number): number {
    const { parents, units } = this;
    const last = parents.length - 1;
    let slot = hashOf(node, unit) >>> this.shift;
    while (parents[slot] !== EMPTY && (parents[slot] !== node || units[slot] !== unit)) slot = (slot + 1) & last;
    return slot;
  }

  private reserve(places: number): void {
    if (places <= this.best.length) return;
    const capacity = Math.max(places, this.best.length * 2);
    this.best = new Float64Array(capacity);
    this.chosen = new Int32Array(capacity);
    this.begins = new Int32Array(capacity);
  }
}

export const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const hashOf = (node: number, unit: number): number => Math.imul(Math.imul(node, 0x9e37_79b1) ^ unit, 0x85eb_ca6b);

/** In UTF-8. */
const bytesOf = (units: Uint16Array): Uint8Array =>
  Buffer.from(Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString("utf16le"));
