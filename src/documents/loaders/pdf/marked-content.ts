/** The text of a page as a reader copies it: what its marked content says it is stands in the place of its glyphs. */
import type { TextItem } from "./run.ts";

/** The beginning or the end of marked content, as pdf.js tells it among the text, with our addition. */
export interface Mark {
  readonly type: string;
  /** Ends with its number on the page; null: it has none. */
  readonly id?: string | null;
  readonly actualText?: string | null;
}

/** A box on the page, in points. */
export interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Texts of a page's marked content by its number, as the structure tree tells them. */
export type StructureTexts = ReadonlyMap<number, string>;

/** Glyphs with a text of their own, or what is drawn without any. */
interface Stretch {
  readonly text: string;
  /** Marked content around it. */
  readonly depth: number;
  readonly glyphs: TextItem[];
}

/** The text of what has no letters is as high as what was drawn, but no higher than this: it is taken for no heading. */
const LARGEST = 8;
const NUMBER = /_mc(\d+)$/;

/** The text that a beginning mark gives to what it marks; null: none. */
export function textOf(mcid: number | null, actualText: string | null, structure: StructureTexts): string | null {
  return actualText ?? (mcid === null ? null : (structure.get(mcid) ?? null));
}

/** The number that an identifier of pdf.js ends with. */
export function numberOf(id: string | null | undefined): number | null {
  const number = NUMBER.exec(id ?? "")?.[1];
  return number === undefined ? null : Number(number);
}

/**
 * `items` are a page's, in the order in which they are drawn. `boxes` is asked where the stretches lie that have a text of their own, in
 * the same order, when one of them has no letters; a text of which that is not known is left out.
 */
export async function readAsMarked(
  items: readonly (TextItem | Mark)[],
  structure: StructureTexts,
  boxes: () => Promise<readonly (Box | null)[]>,
): Promise<TextItem[]> {
  const pieces = piecesOf(items, structure);
  const stretches = pieces.filter(isStretch);
  const found = stretches.some(lacksLetters) ? await boxes() : [];
  // Where they are not the same ones, none can be told from another.
  const places = found.length === stretches.length ? found.values() : [].values();
  return pieces.flatMap((piece) => {
    if (!isStretch(piece)) return [piece];
    const place = places.next().value ?? null;
    const item = lacksLetters(piece) ? inBox(piece.text, place) : inPlaceOf(piece.glyphs, piece.text);
    return item === null ? [] : [item];
  });
}

const isStretch = (piece: TextItem | Stretch): piece is Stretch => "depth" in piece;

const lacksLetters = ({ text, glyphs }: Stretch): boolean =>
  text.trim() !== "" && glyphs.every(({ str }) => str === "");

/** What is marked within a stretch belongs to it. One that does not end on the page is read by its glyphs. */
function piecesOf(items: readonly (TextItem | Mark)[], structure: StructureTexts): (TextItem | Stretch)[] {
  const pieces: (TextItem | Stretch)[] = [];
  let depth = 0;
  let open: Stretch | null = null;
  for (const item of items) {
    if ("str" in item) (open?.glyphs ?? pieces).push(item);
    else if (item.type === "endMarkedContent") {
      depth = Math.max(0, depth - 1);
      if (open === null || depth > open.depth) continue;
      pieces.push(open);
      open = null;
    } else {
      const text: string | null = open === null ? textOf(numberOf(item.id), item.actualText ?? null, structure) : null;
      if (text !== null) open = { text, depth, glyphs: [] };
      depth += 1;
    }
  }
  if (open !== null) for (const glyph of open.glyphs) pieces.push(glyph);
  return pieces;
}

/** The text where the glyphs stand that are on the line of the first; null where there is nothing to read. */
function inPlaceOf(glyphs: readonly TextItem[], str: string): TextItem | null {
  const [first, ...others] = glyphs.filter((item) => item.str.trim() !== "");
  if (first === undefined) return glyphs[0] === undefined || str === "" ? null : { ...glyphs[0], str, isGiven: true };
  if (str === "") return null;
  const [a = 1, b = 0, c = 0, d = 0, x = 0, y = 0] = first.transform;
  const size = Math.hypot(a, b) || 1;
  const [cos, sin] = [a / size, b / size];
  let [left, right] = [0, first.width];
  for (const { transform, width } of others) {
    const [dx, dy] = [(transform[4] ?? 0) - x, (transform[5] ?? 0) - y];
    if (Math.abs(dy * cos - dx * sin) > first.height / 2) continue;
    const along = dx * cos + dy * sin;
    left = Math.min(left, along);
    right = Math.max(right, along + width);
  }
  return {
    ...first,
    str,
    transform: [a, b, c, d, x + left * cos, y + left * sin],
    width: right - left,
    isGiven: true,
  };
}

/** The text of what is drawn without letters, along the middle of it. */
function inBox(text: string, box: Box | null): TextItem | null {
  if (box === null) return null;
  const height = Math.min(box.top - box.bottom, LARGEST);
  const baseline = (box.top + box.bottom - height) / 2;
  return {
    str: text.replace(/\s+/g, " "),
    transform: [height, 0, 0, height, box.left, baseline],
    width: box.right - box.left,
    height,
    fontName: "",
    isGiven: true,
  };
}
