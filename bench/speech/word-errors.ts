/** How far what was written down is from what was said. Pure. */

/** Words as they are compared: small letters, numbers spelt, no marks. */
export function wordsOf(text: string): string[] {
  const spelt = text.toLowerCase().replace(/\d/g, (digit) => ` ${DIGITS[Number(digit)]!} `);
  return spelt
    .replace(/[^a-z' ]+/g, " ")
    .split(" ")
    .filter((word) => word !== "");
}

const DIGITS = "zero one two three four five six seven eight nine".split(" ");

/** The least number of words to be replaced, left out and put in. */
export function wordErrors(said: readonly string[], written: readonly string[]): number {
  let row = written.map((_, index) => index + 1);
  row.unshift(0);
  for (const [index, word] of said.entries()) {
    const next = [index + 1];
    for (const [at, other] of written.entries())
      next.push(Math.min(next[at]! + 1, row[at + 1]! + 1, row[at]! + (word === other ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}
