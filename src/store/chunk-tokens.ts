/**
 * A chunk's terms as the database keeps them: its tokens in their order, for whoever reads it word by word, and its words counted,
 * for lexical search, which counts the tokens as well.
 *
 * Numbers are of variable length (LEB128: seven bits a byte, lowest first). How many different tokens there are; their ids,
 * ascending, each as its distance to the first that could follow the one before; how many tokens the text has; for each its place
 * among the different ones, in as many bits as the last place needs, lowest first, up to a whole byte. Then for each different word,
 * ascending, its distance likewise, doubled, plus one when it occurs more than once; then its count follows.
 * A chunk of 300 tokens takes some 800 bytes, 300 of them for the order.
 */
import { FIRST_WORD, tokensOf } from "../foundation/term-ids.ts";
import { MOST_COUNTED, TERM_LIMIT, type TermCounts } from "./term-counts.ts";

/** Bits of the longest number. */
const LONGEST = 28;
/** Stands for a byte that is not there: no valid number ends in it. */
const CUT_SHORT = 0xffff;

/** Encodes ids as `lexicalTerms` gives them. Throws RangeError when a token follows a word, or an id is 2^24 or more. */
export function encodeChunkTokens(terms: Uint32Array): Uint8Array {
  const tokens = tokensOf(terms);
  const words = terms.subarray(tokens.length).toSorted();
  if (words.length > 0 && words[0]! < FIRST_WORD) throw new RangeError("A token follows a word among a chunk's terms.");
  if ((words.at(-1) ?? 0) >= TERM_LIMIT)
    throw new RangeError(`A term id of ${words.at(-1)} is beyond what can be kept.`);

  const bytes = new Uint8Array(8 + terms.length * 7);
  let length = 0;
  const write = (value: number): void => {
    for (; value >= 0x80; value >>>= 7) bytes[length++] = (value & 0x7f) | 0x80;
    bytes[length++] = value;
  };

  const { distinct, places } = placesOf(tokens);
  write(distinct.length);
  let next = 0;
  for (let place = 0; place < distinct.length; place++) {
    write(distinct[place]! - next);
    next = distinct[place]! + 1;
  }
  write(places.length);
  const width = widthOf(distinct.length);
  let [bits, held] = [0, 0];
  for (let index = 0; index < places.length; index++) {
    bits |= places[index]! << held;
    for (held += width; held >= 8; held -= 8, bits >>>= 8) bytes[length++] = bits & 0xff;
  }
  if (held > 0) bytes[length++] = bits;

  next = FIRST_WORD;
  for (let at = 0; at < words.length; ) {
    const word = words[at]!;
    let end = at + 1;
    while (end < words.length && words[end] === word) end++;
    const count = Math.min(MOST_COUNTED, end - at);
    write(((word - next) << 1) | (count > 1 ? 1 : 0));
    if (count > 1) write(count);
    next = word + 1;
    at = end;
  }
  return bytes.slice(0, length);
}

/** The different tokens, ascending, and each token's place among them. */
function placesOf(tokens: Uint32Array): { distinct: Uint32Array; places: Uint32Array } {
  const distinct = tokens.toSorted();
  let count = 0;
  for (let index = 0; index < tokens.length; index++) {
    const token = distinct[index]!;
    if (count === 0 || distinct[count - 1] !== token) distinct[count++] = token;
  }
  const places = new Uint32Array(tokens.length);
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (distinct[middle]! < token) low = middle + 1;
      else high = middle;
    }
    places[index] = low;
  }
  return { distinct: distinct.subarray(0, count), places };
}

// Of a chunk while it is decoded, which nothing interrupts: kept, as they are needed all the time.
let idScratch = new Uint32Array(4096);
let placeScratch = new Uint32Array(4096);

/** Adds a chunk's terms, counted, to others'. Throws RangeError, and adds nothing, when the bytes are not what `encodeChunkTokens` writes. */
export function appendTermCounts(target: TermCounts, encoded: Uint8Array): void {
  // Every different term takes a byte at least.
  target.reserve(encoded.length);
  const { terms, counts, length: start } = target;
  const { distinct, tokens, end } = decodeTokens(encoded, terms, start);
  const places = placeScratch;
  counts.fill(0, start, start + distinct);
  // A database of a hundred thousand chunks holds thirty million tokens: counted in one loop, without a call for each.
  for (let index = 0; index < tokens; index++) {
    const entry = start + places[index]!;
    const count = counts[entry]!;
    if (count < MOST_COUNTED) counts[entry] = count + 1;
  }
  // The places are all below the number of different tokens, and each of these is there.
  if (counts.subarray(start, start + distinct).includes(0)) throw damaged();

  let length = start + distinct;
  let next = FIRST_WORD;
  for (let at = end; at < encoded.length; ) {
    let byte = encoded[at++]!;
    let step = byte & 0x7f;
    for (let shift = 7; byte >= 0x80 && shift < LONGEST; shift += 7) {
      byte = encoded[at++] ?? CUT_SHORT;
      step |= (byte & 0x7f) << shift;
    }
    let count = 1;
    if ((step & 1) === 1) {
      count = encoded[at++] ?? CUT_SHORT;
      if (count >= 0x80) count = (count & 0x7f) | ((encoded[at++] ?? CUT_SHORT) << 7);
    }
    const word = next + (step >>> 1);
    if (byte >= 0x80 || count === 0 || count > MOST_COUNTED || word >= TERM_LIMIT) throw damaged();
    terms[length] = word;
    counts[length++] = count;
    next = word + 1;
  }
  target.length = length;
  target.ends.push(length);
}

/** A chunk's tokens in their order. Throws RangeError when their bytes are not what `encodeChunkTokens` writes. */
export function tokensInOrder(encoded: Uint8Array): Uint32Array {
  if (idScratch.length < encoded.length) idScratch = new Uint32Array(encoded.length);
  const { tokens } = decodeTokens(encoded, idScratch, 0);
  const [ids, places] = [idScratch, placeScratch];
  const found = new Uint32Array(tokens);
  for (let index = 0; index < tokens; index++) found[index] = ids[places[index]!]!;
  return found;
}

interface DecodedTokens {
  /** Different tokens. */
  readonly distinct: number;
  /** Tokens of the text. */
  readonly tokens: number;
  /** Where the words begin. */
  readonly end: number;
}

/** Reads the different tokens' ids into `ids` from `start` on, where there is room for as many as there are bytes, and the places of all into `placeScratch`. */
function decodeTokens(encoded: Uint8Array, ids: Uint32Array, start: number): DecodedTokens {
  let [at, distinct, next] = [0, 0, 0];
  // The first number says how many ids follow, the last one how many tokens.
  for (let index = -1; ; index++) {
    let byte = encoded[at++] ?? CUT_SHORT;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80 && shift < LONGEST; shift += 7) {
      byte = encoded[at++] ?? CUT_SHORT;
      value |= (byte & 0x7f) << shift;
    }
    if (byte >= 0x80) throw damaged();
    if (index === -1) {
      distinct = value;
      if (distinct > encoded.length - at) throw damaged();
    } else if (index < distinct) {
      ids[start + index] = next + value;
      next += value + 1;
    } else {
      const width = widthOf(distinct);
      const end = at + Math.ceil((value * width) / 8);
      if (next > FIRST_WORD || value < distinct || (value > 0 && distinct === 0) || end > encoded.length)
        throw damaged();
      if (placeScratch.length < value) placeScratch = new Uint32Array(value);
      unpackPlaces(encoded, at, value, width, distinct);
      return { distinct, tokens: value, end };
    }
  }
}

function unpackPlaces(encoded: Uint8Array, start: number, tokens: number, width: number, distinct: number): void {
  const places = placeScratch;
  let most = 0;
  if (width === 8) {
    // As most chunks of the usual size have it, and several times as fast.
    for (let index = 0; index < tokens; index++) most = Math.max(most, (places[index] = encoded[start + index]!));
  } else {
    const mask = (1 << width) - 1;
    for (let index = 0, at = start, bits = 0, held = 0; index < tokens; index++, bits >>>= width, held -= width) {
      for (; held < width; held += 8) bits |= encoded[at++]! << held;
      most = Math.max(most, (places[index] = bits & mask));
    }
  }
  if (most >= distinct && tokens > 0) throw damaged();
}

/** One bit at least, so that no bytes can stand for tokens without end. */
const widthOf = (distinct: number): number => Math.max(1, 32 - Math.clz32(distinct - 1));

const damaged = (): RangeError => new RangeError("The stored tokens of a chunk are damaged.");
