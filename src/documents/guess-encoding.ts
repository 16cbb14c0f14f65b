/**
 * The likeliest encoding of text that is not Unicode. chardet's statistics need more text than short files have and rate
 * encodings that cannot be right; so its opinion is weighed together with how natural the
 * decoded text looks: which writings stand side by side, and which letters.
 */
import { excessCost } from "./letter-pairs.ts";

/** Encodings considered whatever chardet says: those in which most old files are written. */
const USUAL_ENCODINGS = [
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-874",
  "windows-1258",
  "koi8-r",
  "koi8-u",
  "iso-8859-2",
  "iso-8859-5",
  "iso-8859-6",
  "iso-8859-7",
  "cp866",
  "cp437",
  "cp850",
  "cp852",
  "macroman",
  "shift_jis",
  "euc-jp",
  "gb18030",
  "big5",
  "euc-kr",
];
/** Points of naturalness that chardet's full confidence is worth. */
const CONFIDENCE_WEIGHT = 0.8;
/** The encoding of most files for which nothing else speaks. */
const USUAL = /^(?:windows-1252|iso-8859-1)$/;
const USUAL_BONUS = 0.06;
/** Encodings whose bytes chardet cannot tell apart well: what it trusts in one it trusts in all. Pairs of letters decide between them. */
const ALIKE: ReadonlyArray<readonly string[]> = [
  ["windows-1253", "iso-8859-7"],
  ["windows-1255", "iso-8859-8"],
  ["windows-1256", "iso-8859-6"],
  ["koi8-r", "koi8-u"],
];
const SAMPLE_CHARACTERS = 4000;
/** Points of naturalness that a step of the cost of pairs of letters is worth. */
const PAIRS_WEIGHT = 0.4;

/** Encodings from the likeliest on. `decode` gives the text, or null for encodings it does not know. */
export async function guessEncodings(
  sample: Uint8Array,
  decode: (encoding: string) => Promise<string | null>,
): Promise<string[]> {
  const { default: chardet } = await import("chardet");
  const confidence = new Map(USUAL_ENCODINGS.map((name) => [name, 0]));
  for (const found of chardet.analyse(sample)) {
    if (!found.name.startsWith("UTF-")) confidence.set(found.name.toLowerCase(), found.confidence / 100);
  }
  for (const alike of ALIKE) {
    const trust = Math.max(...alike.map((name) => confidence.get(name) ?? 0));
    for (const name of alike) if (confidence.has(name)) confidence.set(name, trust);
  }
  const weighed: Array<{ encoding: string; weight: number }> = [];
  for (const [encoding, trust] of confidence) {
    const text = await decode(encoding);
    const bonus = USUAL.test(encoding) ? USUAL_BONUS : 0;
    if (text !== null) weighed.push({ encoding, weight: weightOf(text) + trust * CONFIDENCE_WEIGHT + bonus });
  }
  return weighed.toSorted((a, b) => b.weight - a.weight).map(({ encoding }) => encoding);
}

function weightOf(text: string): number {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  return naturalness(sample) - excessCost(sample) * PAIRS_WEIGHT;
}

const SCRIPTS: ReadonlyArray<readonly [string, RegExp]> = [
  ["latin", /\p{Script=Latin}/u],
  ["cyrillic", /\p{Script=Cyrillic}/u],
  ["kana", /[\u3040-\u30FF]/u],
  ["han", /\p{Script=Han}/u],
  ["hangul", /\p{Script=Hangul}/u],
  ["greek", /\p{Script=Greek}/u],
  ["arabic", /\p{Script=Arabic}/u],
  ["hebrew", /\p{Script=Hebrew}/u],
  ["thai", /\p{Script=Thai}/u],
];
/** Scripts that stand side by side in Japanese. */
const JAPANESE = new Set(["kana", "han"]);

/** Points per character that is not ASCII, about 1 for real text and far below 0 for text in the wrong encoding. */
function naturalness(text: string): number {
  let points = 0;
  let count = 0;
  let previousScript = "";
  let previousLower = false;
  for (const character of text) {
    const script = scriptOf(character);
    const lower = /\p{Ll}/u.test(character);
    if (character > "\u007F") {
      count += 1;
      points += pointsOf(character, script);
    }
    if (script !== "" && previousScript !== "" && (character > "\u007F" || previousScript !== "latin")) {
      if (script !== previousScript && !(JAPANESE.has(script) && JAPANESE.has(previousScript))) points -= 2;
      // "пРИВЕТ" and "Za¿Ó" are no words.
      if (previousLower && /\p{Lu}/u.test(character)) points -= 2;
    }
    previousScript = script;
    previousLower = lower;
  }
  return count === 0 ? 0 : points / count;
}

function pointsOf(character: string, script: string): number {
  if (/[\uFFFD\p{Cc}\p{Co}\p{Cn}]/u.test(character)) return -10;
  if (/[\uFF61-\uFF9F\u2500-\u25FF]/u.test(character)) return -3;
  if (/[\u3000-\u303F\uFF01-\uFF5E]/u.test(character)) return 1.2;
  if (/[\u3131-\u318E]/.test(character)) return -1;
  if (script === "kana" || script === "hangul") return 1.2;
  if (script === "han") return character >= "\u4E00" && character <= "\u9FFF" ? 0.8 : -1;
  if (script === "thai") return 0.9;
  if (script !== "") return /[ªº]/.test(character) ? 0 : 0.8;
  if (/\p{M}/u.test(character)) return 0.9;
  return /[\u2010-\u2026\u00A0«»¿¡°§©®€£·„]/.test(character) ? 0.6 : -1;
}

function scriptOf(character: string): string {
  return /\p{L}/u.test(character) ? (SCRIPTS.find(([, pattern]) => pattern.test(character))?.[0] ?? "other") : "";
}
