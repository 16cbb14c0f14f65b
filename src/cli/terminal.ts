/** Writing for people: tables, wrapped text in any script, and safe printing of text that came from documents. */

/** Columns of the terminal; 100 where there is none. */
export const columns = (): number => Math.max(40, Math.min(process.stdout.columns ?? 100, 120));

/** Prints a line on standard output. */
export const print = (line = ""): void => void process.stdout.write(`${line}\n`);

/** Prints one record, or an array of them, as JSON on one line. */
export const printJson = (value: unknown): void => print(JSON.stringify(value));

/** Prints a line on standard error, so that standard output stays for results. */
export const note = (line: string): void => void process.stderr.write(`${line}\n`);

/** Bold where standard output is a terminal that wants it. */
export const bold = (text: string): string =>
  process.stdout.isTTY && !process.env.NO_COLOR ? `\u001b[1m${text}\u001b[22m` : text;

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
const writtenWithoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Breaks text into lines of at most `width` columns: at spaces, and between words in scripts that have none. Wide
 * characters count two columns. What cannot be broken stays whole, and closing punctuation stays with its word.
 */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const pieces = writtenWithoutSpaces.test(word) ? word.split(/(\u001b\[\d+m)/).flatMap(piecesOf) : [word];
    pieces.forEach((piece, index) => {
      const gap = index === 0 && line !== "" ? " " : "";
      if (line !== "" && Bun.stringWidth(line + gap + piece) > width && !(index > 0 && isClosing(piece))) {
        lines.push(line);
        line = piece;
      } else {
        line += gap + piece;
      }
    });
  }
  if (line !== "") lines.push(line);
  return lines;
}

/** The words of a text; what switches bold on and off stays whole. */
const piecesOf = (text: string): string[] =>
  text.startsWith("\u001b") ? [text] : Array.from(segmenter.segment(text), ({ segment }) => segment);

/** Text from a document or a client, without the control and direction characters that could rewrite the screen. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

/** Prints rows under a header, each column as wide as its widest cell. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column] ?? "")].map((cell) => Bun.stringWidth(cell))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell + " ".repeat(Math.max(0, widths[column]! - Bun.stringWidth(cell))))
      .join("  ")
      .trimEnd();
  print(bold(line(header)));
  for (const row of rows) print(line(row));
}

/** Punctuation that must not begin a line. */
const isClosing = (segment: string): boolean => /^[\p{Pe}\p{Pf}\p{Po}]+$/u.test(segment);
