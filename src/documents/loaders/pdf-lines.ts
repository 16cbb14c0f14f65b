/** Lines of a PDF page → paragraphs. A PDF knows only where glyphs stand; what belongs together is told from the distances. */

export interface PdfLine {
  text: string;
  /** The left edge and the base line, in points, y growing upwards. */
  x: number;
  y: number;
  /** Height of the letters in points. */
  height: number;
}

export interface PdfParagraph {
  text: string;
  /** Letters clearly larger than those of the body, on few lines. */
  heading: boolean;
}

/** A gap of this many usual gaps parts two paragraphs. */
const PARAGRAPH_GAP = 1.35;
/** Letters that differ by more than this share belong to different paragraphs. */
const HEIGHT_CHANGE = 0.12;
/** Letters larger than the body's by this factor make a heading. */
const HEADING_FACTOR = 1.15;
const LONGEST_HEADING = 200;
const BULLET = /^(?:[•◦▪‣·–—*-]|\d{1,3}[.)]|\([a-z\d]{1,3}\))\s/;
const SENTENCE_END = /[.!?…:;。！？"”»)\]]$/;
/** Scripts written without spaces: lines are joined without one. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303F\uFF00-\uFFEF]/u;

/** `bodyHeight` is the usual height of letters in the document. */
export function paragraphsOf(lines: readonly PdfLine[], bodyHeight: number): PdfParagraph[] {
  const usualGap = median(gaps(lines)) || bodyHeight * 1.2;
  const paragraphs: PdfLine[][] = [];
  let previous: PdfLine | undefined;
  for (const line of lines) {
    const current = paragraphs.at(-1);
    if (previous === undefined || current === undefined || parts(previous, line, usualGap)) paragraphs.push([line]);
    else current.push(line);
    previous = line;
  }
  return paragraphs.map((group) => {
    const text = joinLines(group.map((line) => line.text));
    const large = group.every(({ height }) => height >= bodyHeight * HEADING_FACTOR);
    return { text, heading: large && text.length <= LONGEST_HEADING };
  });
}

/** The height that most letters have. */
export function usualHeight(lines: readonly PdfLine[]): number {
  const letters = new Map<number, number>();
  for (const { height, text } of lines) {
    const rounded = Math.round(height * 2) / 2;
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length);
  }
  let usual = 0;
  for (const [height, count] of letters) if (count > (letters.get(usual) ?? 0)) usual = height;
  return usual;
}

/** Joins lines into running text: words parted by a hyphen at a line end become whole again. */
export function joinLines(lines: readonly string[]): string {
  let text = "";
  for (const raw of lines) {
    const line = raw.trim();
    if (text === "") text = line;
    else if (/\p{L}[-\u2010\u00AD]$/u.test(text) && /^\p{Ll}/u.test(line)) text = text.slice(0, -1) + line;
    else text += (UNSPACED.test(text.slice(-1)) && UNSPACED.test(line.slice(0, 1)) ? "" : " ") + line;
  }
  return text;
}

function parts(previous: PdfLine, line: PdfLine, usualGap: number): boolean {
  const larger = Math.max(previous.height, line.height);
  if (larger > 0 && Math.abs(previous.height - line.height) > larger * HEIGHT_CHANGE) return true;
  if (BULLET.test(line.text)) return true;
  const gap = previous.y - line.y;
  if (gap > usualGap * PARAGRAPH_GAP) return true;
  // The text goes on at the top of another column, or a new one begins there.
  if (gap < -larger) return SENTENCE_END.test(previous.text.trimEnd());
  const indented = line.x > previous.x + larger && Math.abs(gap) > larger / 2;
  return indented && SENTENCE_END.test(previous.text.trimEnd());
}

function gaps(lines: readonly PdfLine[]): number[] {
  const found: number[] = [];
  for (let index = 1; index < lines.length; index += 1) {
    const gap = (lines[index - 1]?.y ?? 0) - (lines[index]?.y ?? 0);
    if (gap > 0.5) found.push(gap);
  }
  return found;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
