/** What Tesseract makes of a page, word by word → its paragraphs, without what is most likely no text. */
import { joinLines, UNSPACED } from "../join-lines.ts";

/** Of 100. Less sure words are seldom right, and lines that are so on average are parts of pictures. */
const LEAST_SURE_WORD = 20;
const LEAST_SURE_LINE = 50;
/** In a line as sure as this, one letter that looks like another makes a word unsure, which is right nevertheless. */
const SURE_LINE = 65;
const WORD_OF_LETTERS = /^\p{P}*[\p{L}\p{M}]{3,}\p{P}*$/u;
/** What is less sure than this speaks against a way of reading rather than for it. */
const HALF_SURE = 50;
/** A blank between letters of writings without blanks is at least so wide, in heights of the line. */
const WIDE_GAP = 1;
/** Something that says something: two letters or digits beside one another, or one of those that are whole words. */
const SAYS_SOMETHING = /[\p{L}\p{M}\p{N}]{2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const WORD_LEVEL = "5";
/** Letters that are read as parts, or as signs that look alike, and what is written for them. */
const LETTERS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\u0E4D([\u0E48-\u0E4B]?)\u0E32/g, "$1\u0E33"],
  [/(?<=\p{Script=Greek})\u00B5|\u00B5(?=\p{Script=Greek})/gu, "\u03BC"],
];

export interface RecognisedText {
  /** In reading order, none blank. */
  readonly paragraphs: readonly string[];
  /** Of 100: how sure the letters are on average; 0 without any. */
  readonly confidence: number;
  /** How much was read, and how surely. */
  readonly worth: number;
}

interface Word {
  readonly text: string;
  readonly confidence: number;
  readonly left: number;
  readonly right: number;
  readonly height: number;
}

/** `rows`: of levels, numbers, boxes, confidence and text, tab-separated. */
export function textOf(rows: string): RecognisedText {
  let letters = 0;
  let sum = 0;
  let worth = 0;
  const paragraphs: string[] = [];
  for (const lines of wordsOf(rows)) {
    for (const { text, confidence } of lines.flat()) {
      letters += text.length;
      sum += text.length * confidence;
      worth += text.length * (confidence - HALF_SURE);
    }
    const text = asWritten(joinLines(lines.filter((line) => sureness(line) >= LEAST_SURE_LINE).map(lineOf)));
    if (SAYS_SOMETHING.test(text)) paragraphs.push(text);
  }
  return { paragraphs, confidence: letters === 0 ? 0 : sum / letters, worth };
}

/** The words of each line of each paragraph. */
function wordsOf(rows: string): Word[][][] {
  const paragraphs: Word[][][] = [];
  let paragraph = "";
  let line = "";
  for (const row of rows.split("\n")) {
    const [level, page, block, number, lineNumber, , left, , width, height, confidence, text = ""] = row.split("\t");
    if (level !== WORD_LEVEL || text.trim() === "") continue;
    const inParagraph = `${page} ${block} ${number}`;
    const inLine = `${inParagraph} ${lineNumber}`;
    if (inParagraph !== paragraph) paragraphs.push([]);
    if (inLine !== line) paragraphs.at(-1)?.push([]);
    paragraph = inParagraph;
    line = inLine;
    const word = { text: text.trim(), confidence: Number(confidence), left: Number(left), height: Number(height) };
    paragraphs
      .at(-1)
      ?.at(-1)
      ?.push({ ...word, right: word.left + Number(width) });
  }
  return paragraphs;
}

function asWritten(text: string): string {
  return LETTERS.reduce((written, [read, meant]) => written.replace(read, meant), text);
}

/** Of 100: how sure its letters are on average. */
function sureness(line: readonly Word[]): number {
  const letters = line.reduce((sum, { text }) => sum + text.length, 0);
  return line.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / letters;
}

function lineOf(words: readonly Word[]): string {
  const height = Math.max(...words.map((word) => word.height));
  const isSureLine = sureness(words) >= SURE_LINE;
  const isKept = ({ text, confidence }: Word): boolean =>
    confidence >= LEAST_SURE_WORD || (isSureLine && WORD_OF_LETTERS.test(text));
  let line = "";
  let last: Word | undefined;
  for (const word of words.filter(isKept)) {
    const gap = last === undefined ? 0 : Math.max(word.left - last.right, last.left - word.right);
    const isOneWord =
      last !== undefined &&
      gap < height * WIDE_GAP &&
      UNSPACED.test(last.text.slice(-1)) &&
      UNSPACED.test(word.text.slice(0, 1));
    line += (last === undefined || isOneWord ? "" : " ") + word.text;
    last = word;
  }
  return line;
}
