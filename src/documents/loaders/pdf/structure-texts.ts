/** Texts that a PDF's structure tree gives to what is drawn on a page. */
import type { PDFPageProxy } from "./pdfjs.ts";
import { numberOf, type StructureTexts } from "./marked-content.ts";

/** A node of the tree as pdf.js gives it, with our addition; one without children is marked content. */
interface StructureNode {
  readonly children?: readonly StructureNode[];
  readonly id?: string;
  readonly actualText?: string;
}

/** The first marked content of an element with a text stands for all of it, the rest for nothing. pdf.js bounds how deep the tree is. */
export async function structureTexts(page: PDFPageProxy): Promise<StructureTexts> {
  const texts = new Map<number, string>();
  const tree = (await page.getStructTree()) as StructureNode | null;
  if (tree !== null) collect(tree, null, texts);
  return texts;
}

function collect(node: StructureNode, given: { text: string } | null, texts: Map<number, string>): void {
  const within = given ?? (node.actualText === undefined ? null : { text: node.actualText });
  for (const child of node.children ?? []) collect(child, within, texts);
  const number = node.children === undefined ? numberOf(node.id) : null;
  if (number === null || within === null) return;
  texts.set(number, within.text);
  within.text = "";
}
