/** Where what is drawn in marked content with a text of its own lies on a page: a name that is drawn has no letters to tell. */
import { type Box, type StructureTexts, textOf } from "./marked-content.ts";
import { combined, identity, type Matrix, matrixOf } from "./matrix.ts";
import { type PDFPageProxy, pdfJs } from "./pdfjs.ts";

/** The square that an image fills before it is put into its place. */
const IMAGE = [0, 0, 1, 1];

/** The box around the paths and images of each such stretch, in order; null: it has none. What is marked within one belongs to it. */
export async function drawnBoxes(page: PDFPageProxy, structure: StructureTexts): Promise<(Box | null)[]> {
  const { OPS, AnnotationMode } = await pdfJs();
  const images: ReadonlySet<number> = new Set([
    OPS.paintImageXObject,
    OPS.paintInlineImageXObject,
    OPS.paintImageMaskXObject,
    OPS.paintSolidColorImageMask,
  ]);
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE });
  const boxes: (Box | null)[] = [];
  const matrices: Matrix[] = [];
  let matrix = identity;
  let depth = 0;
  /** How deep the stretch lies that is being drawn; null: none is. */
  let within: number | null = null;
  const draw = (box: unknown) => {
    if (within !== null) boxes[boxes.length - 1] = around(boxes.at(-1) ?? null, box, matrix);
  };
  const move = (by: unknown) => void (matrix = combined(matrix, matrixOf(by) ?? identity));
  for (const [index, operation] of fnArray.entries()) {
    const given = (argsArray[index] ?? []) as readonly unknown[];
    if (operation === OPS.save || operation === OPS.paintFormXObjectBegin) matrices.push(matrix);
    if (operation === OPS.transform) move(given);
    else if (operation === OPS.paintFormXObjectBegin) move(given[0]);
    else if (operation === OPS.restore || operation === OPS.paintFormXObjectEnd) matrix = matrices.pop() ?? matrix;
    else if (operation === OPS.constructPath && given[0] !== OPS.endPath) draw(given[2]);
    else if (images.has(operation)) draw(IMAGE);
    else if (operation === OPS.beginMarkedContent) depth += 1;
    else if (operation === OPS.beginMarkedContentProps) {
      if (within === null && given[0] !== "OC" && hasText(given, structure)) {
        boxes.push(null);
        within = depth;
      }
      depth += 1;
    } else if (operation === OPS.endMarkedContent) {
      depth = Math.max(0, depth - 1);
      if (within !== null && depth <= within) within = null;
    }
  }
  return boxes;
}

function hasText([, mcid, actualText]: readonly unknown[], structure: StructureTexts): boolean {
  const number = Number.isInteger(mcid) ? (mcid as number) : null;
  return textOf(number, typeof actualText === "string" ? actualText : null, structure) !== null;
}

/** A box and another in a frame of its own: one around both. */
function around(box: Box | null, other: unknown, [a, b, c, d, e, f]: Matrix): Box | null {
  const [x0, y0, x1, y1] = Array.from((other ?? []) as ArrayLike<number>);
  if (![x0, y0, x1, y1].every(Number.isFinite)) return box;
  const corners = [x0!, x1!].flatMap((x) => [y0!, y1!].map((y) => [a * x + c * y + e, b * x + d * y + f] as const));
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return {
    left: Math.min(...xs, box?.left ?? Number.POSITIVE_INFINITY),
    bottom: Math.min(...ys, box?.bottom ?? Number.POSITIVE_INFINITY),
    right: Math.max(...xs, box?.right ?? Number.NEGATIVE_INFINITY),
    top: Math.max(...ys, box?.top ?? Number.NEGATIVE_INFINITY),
  };
}
