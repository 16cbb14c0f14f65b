/** How much the lines of a page slope, by where Tesseract found its words. Pure. */

const WORD_LEVEL = "5";
/** Letters reach up and down differently, which evens out over so many words. */
const LEAST_WORDS = 3;

/** The median of the lines' slopes, as height over width: positive where they fall. `rows`: of levels, numbers, boxes, confidence and text. */
export function slopeOfLines(rows: string): number {
  const lines = new Map<string, { x: number; y: number }[]>();
  for (const row of rows.split("\n")) {
    const [level, page, block, paragraph, line, , left, top, width, height] = row.split("\t");
    if (level !== WORD_LEVEL) continue;
    const name = `${page} ${block} ${paragraph} ${line}`;
    const middle = { x: Number(left) + Number(width) / 2, y: Number(top) + Number(height) / 2 };
    lines.set(name, [...(lines.get(name) ?? []), middle]);
  }
  const slopes = [...lines.values()]
    .filter(({ length }) => length >= LEAST_WORDS)
    .map(slopeOf)
    .filter(Number.isFinite)
    .toSorted((a, b) => a - b);
  return slopes[slopes.length >> 1] ?? 0;
}

/** By least squares. */
function slopeOf(points: readonly { x: number; y: number }[]): number {
  const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  return points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
