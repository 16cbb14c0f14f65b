/** UTF-16 and UTF-32 without a byte order mark, told from other text and from binary data by which characters the bytes would be. */

/** Share of characters from common blocks that text has at least. */
const LEAST_PLAUSIBLE = 0.97;
/** Share of telling characters from which on they tell. */
const LEAST_TELLING = 0.02;
const FEWEST_CHARACTERS = 2;
/** Without a zero byte among them fewer characters may be anything: the first bytes of a binary format, say. */
const FEWEST_WITHOUT_ZEROS = 8;

/** How well the characters of one reading of the bytes look like text. */
interface Reading {
  readonly encoding: string;
  /** Share of printable characters of common blocks. */
  readonly plausible: number;
  /** Share of the most common of them, which bytes in the wrong order do not make: ASCII, and signs and kana of East Asia. */
  readonly telling: number;
  /** Blocks of 256 characters that it takes, per character: real text keeps to few. */
  readonly spread: number;
}

/** The encoding of a sample from the beginning of a file of so many bytes; null when it is neither. */
export function unmarkedUnicode(sample: Uint8Array, fileBytes: number): string | null {
  return unmarkedUtf32(sample, fileBytes) ?? unmarkedUtf16(sample, fileBytes);
}

/** Of four bytes, one is always zero and one nearly always: no other text is like that. */
function unmarkedUtf32(sample: Uint8Array, fileBytes: number): string | null {
  if (fileBytes % 4 !== 0 || fileBytes < FEWEST_CHARACTERS * 4) return null;
  const view = new DataView(sample.buffer, sample.byteOffset, sample.byteLength - (sample.byteLength % 4));
  const readings = [true, false].map((little) =>
    weigh(little ? "utf-32le" : "utf-32be", view.byteLength / 4, (index) => view.getUint32(index * 4, little)),
  );
  return readings.find(({ plausible }) => plausible >= LEAST_PLAUSIBLE)?.encoding ?? null;
}

function unmarkedUtf16(sample: Uint8Array, fileBytes: number): string | null {
  if (fileBytes % 2 !== 0 || fileBytes < FEWEST_CHARACTERS * 2) return null;
  const view = new DataView(sample.buffer, sample.byteOffset, sample.byteLength - (sample.byteLength % 2));
  const count = view.byteLength / 2;
  const little = weigh("utf-16le", count, (index) => view.getUint16(index * 2, true));
  const big = weigh("utf-16be", count, (index) => view.getUint16(index * 2, false));
  const [best, other] = isBetter(big, little) ? [big, little] : [little, big];
  if (best.plausible < LEAST_PLAUSIBLE) return null;
  if (sample.includes(0)) return isBetter(best, other) ? best.encoding : null;
  if (count < FEWEST_WITHOUT_ZEROS) return null;
  // Other text has no zero bytes and no control characters.
  return sample.some(isControl) && other.plausible < LEAST_PLAUSIBLE ? best.encoding : null;
}

function isControl(byte: number): boolean {
  return byte < 0x20 && byte !== 0x1b && (byte < 9 || byte > 13);
}

/** In the wrong order, a text's few blocks become many, and its spaces and signs rare characters. */
function isBetter(one: Reading, other: Reading): boolean {
  if (one.plausible >= LEAST_PLAUSIBLE !== other.plausible >= LEAST_PLAUSIBLE) return one.plausible > other.plausible;
  if (one.telling !== other.telling && Math.max(one.telling, other.telling) >= LEAST_TELLING)
    return one.telling > other.telling;
  return one.spread < other.spread;
}

function weigh(encoding: string, count: number, codeAt: (index: number) => number): Reading {
  let plausible = 0;
  let telling = 0;
  const blocks = new Set<number>();
  for (let index = 0; index < count; index += 1) {
    const code = codeAt(index);
    blocks.add(code >>> 8);
    if (isTelling(code)) telling += 1;
    else if (isPlausible(code)) plausible += 1;
  }
  return { encoding, plausible: (plausible + telling) / count, telling: telling / count, spread: blocks.size / count };
}

function isTelling(code: number): boolean {
  return code === 9 || code === 10 || code === 13 || (code >= 0x20 && code < 0x7f) || (code >= 0x3000 && code < 0x3100);
}

function isPlausible(code: number): boolean {
  return (
    (code >= 0xa0 && code < 0x1200) ||
    (code >= 0x1e00 && code < 0x2700) ||
    (code >= 0x3100 && code < 0x3400) ||
    (code >= 0x4e00 && code < 0xa000) ||
    (code >= 0xac00 && code < 0xe000) ||
    (code >= 0xff00 && code < 0xffef) ||
    (code >= 0x1f300 && code < 0x1fb00) ||
    (code >= 0x20000 && code < 0x2fa20)
  );
}
