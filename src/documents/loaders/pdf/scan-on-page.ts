/** A page of a PDF as the picture that its images make. */
import { matrixOf } from "./matrix.ts";
import { coverage, pagePicture } from "./page-picture.ts";
import type { PDFPageProxy } from "./pdfjs.ts";
import { placedImages } from "./placed-images.ts";

/** Images on a scan cover this share of the page. */
const LEAST_COVERED = 0.25;

/** Grey, in the form that Netpbm calls PGM; null where images that can be decoded cover too little of the page. */
export async function scanOn(page: PDFPageProxy): Promise<Uint8Array | null> {
  const viewport = page.getViewport({ scale: 1 });
  const view = { width: viewport.width, height: viewport.height, matrix: matrixOf(viewport.transform)! };
  const images = await placedImages(page);
  return images.length === 0 || coverage(images, view) < LEAST_COVERED ? null : pagePicture(images, view);
}
