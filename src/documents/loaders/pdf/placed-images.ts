/** The images that are drawn on a page, in order, and where each lies. */
import { combined, identity, type Matrix, matrixOf } from "./matrix.ts";
import { type PDFPageProxy, pdfJs } from "./pdfjs.ts";

/** An image as pdf.js decodes it. */
export interface DecodedImage {
  readonly width: number;
  readonly height: number;
  /** 1: a bit each, 2: red, green and blue, 3: with opacity. None for a mask, of which unset bits are painted. */
  readonly kind?: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

export interface PlacedImage {
  readonly image: DecodedImage;
  /** From the unit square, in which images lie upside down, to the page. */
  readonly matrix: Matrix;
  /** A mask is painted in this shade of grey; null: it is an image. */
  readonly shade: number | null;
}

/** Of one page; more make patterns, not scans. */
const MOST_IMAGES = 20_000;
const FILL_COLOUR = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i;

interface State {
  readonly matrix: Matrix;
  readonly shade: number;
}

/** Decodes them all; those that cannot be decoded are left out. */
export async function placedImages(page: PDFPageProxy): Promise<PlacedImage[]> {
  const { OPS } = await pdfJs();
  const { fnArray, argsArray } = await page.getOperatorList();
  const placed: PlacedImage[] = [];
  const states: State[] = [];
  let state: State = { matrix: identity, shade: 0 };
  const save = () => void states.push(state);
  const restore = () => void (state = states.pop() ?? state);
  const move = (by: unknown) => void (state = { ...state, matrix: combined(state.matrix, matrixOf(by) ?? identity) });
  const place = async (image: unknown, isMask: boolean, by: unknown = identity) => {
    const decoded = decodedImage(typeof image === "string" ? await objectOf(page, image) : image);
    if (decoded === null || placed.length >= MOST_IMAGES) return;
    const matrix = combined(state.matrix, matrixOf(by) ?? identity);
    placed.push({ image: decoded, matrix, shade: isMask ? state.shade : null });
  };
  for (const [index, operation] of fnArray.entries()) {
    const given = (argsArray[index] ?? []) as readonly unknown[];
    const [first, second, third, fourth, fifth, sixth] = given;
    if (operation === OPS.save) save();
    else if (operation === OPS.restore) restore();
    else if (operation === OPS.transform) move(given);
    else if (operation === OPS.paintFormXObjectBegin) {
      save();
      move(first);
    } else if (operation === OPS.paintFormXObjectEnd) restore();
    else if (operation === OPS.setFillRGBColor) state = { ...state, shade: shadeOf(first) ?? state.shade };
    else if (operation === OPS.paintImageXObject || operation === OPS.paintInlineImageXObject)
      await place(first, false);
    else if (operation === OPS.paintImageMaskXObject) await place(maskOf(first), true);
    else if (operation === OPS.paintImageXObjectRepeat)
      for (const at of pairs(fourth)) await place(first, false, [second, 0, 0, third, ...at]);
    else if (operation === OPS.paintImageMaskXObjectRepeat)
      for (const at of pairs(sixth)) await place(maskOf(first), true, [second, third, fourth, fifth, ...at]);
    else if (operation === OPS.paintImageMaskXObjectGroup)
      for (const mask of listOf(first)) await place(maskOf(mask), true, (mask as { transform?: unknown }).transform);
  }
  return placed;
}

/** A mask lies in what is drawn, or is named there. */
function maskOf(mask: unknown): unknown {
  const { data } = (mask ?? {}) as { data?: unknown };
  return typeof data === "string" ? data : mask;
}

function decodedImage(value: unknown): DecodedImage | null {
  if (typeof value !== "object" || value === null) return null;
  const { width, height, data } = value as Partial<DecodedImage>;
  const isWhole = (data instanceof Uint8Array || data instanceof Uint8ClampedArray) && data.length > 0;
  return isWhole && Number(width) > 0 && Number(height) > 0 ? (value as DecodedImage) : null;
}

/** Objects come when they are decoded; one that cannot be comes as null. */
function objectOf(page: PDFPageProxy, name: string): Promise<unknown> {
  const objects = name.startsWith("g_") ? page.commonObjs : page.objs;
  return new Promise((resolve) => void objects.get(name, resolve));
}

function shadeOf(colour: unknown): number | null {
  const parts = typeof colour === "string" ? FILL_COLOUR.exec(colour) : null;
  return parts === null
    ? null
    : greyOf(...(parts.slice(1).map((part) => Number.parseInt(part, 16)) as [number, number, number]));
}

/** How bright a colour looks. */
export function greyOf(red: number, green: number, blue: number): number {
  return (red * 77 + green * 151 + blue * 28) >> 8;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function* pairs(value: unknown): Generator<[number, number]> {
  const numbers = ArrayBuffer.isView(value) || Array.isArray(value) ? Array.from(value as ArrayLike<number>) : [];
  for (let index = 0; index + 1 < numbers.length; index += 2) yield [numbers[index] ?? 0, numbers[index + 1] ?? 0];
}
