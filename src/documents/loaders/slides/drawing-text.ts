/** Text of shapes in Office Open XML (DrawingML) → paragraphs, with the bullets and numbers that are printed. */
import { oneLine } from "../../clean-text.ts";
import type { BlockKind } from "../../blocks.ts";
import { listNumber, type NumberStyle } from "../office/list-numbers.ts";
import { mathText } from "../office/office-math.ts";
import { elementAt, elementsOf, textIn, type XmlElement } from "../office/xml-tree.ts";

export interface DrawingParagraph {
  readonly kind: BlockKind;
  readonly text: string;
}

const NUMBERING = /^(arabic|alphaLc|alphaUc|romanLc|romanUc)(Period|ParenR|ParenBoth|Plain)?$/;
const NUMBER_STYLES: Readonly<Record<string, NumberStyle>> = {
  arabic: "decimal",
  alphaLc: "letter",
  alphaUc: "LETTER",
  romanLc: "roman",
  romanUc: "ROMAN",
};

/** The paragraphs of a text body that are not blank. `isOutline`: what has several is a list unless it says otherwise, as a slide's content is. */
export function drawingParagraphs(body: XmlElement | undefined, isOutline = false): DrawingParagraph[] {
  const paragraphs = elementsOf(body, "p");
  const listed = isOutline && paragraphs.filter((paragraph) => paragraphText(paragraph).trim() !== "").length > 1;
  const numbers = new ListNumbers();
  return paragraphs.flatMap((paragraph): DrawingParagraph[] => {
    const text = paragraphText(paragraph).trim();
    if (text === "") return [];
    const properties = elementAt(paragraph, "pPr");
    const level = Math.min(8, Number(properties?.attributes.lvl) || 0);
    const number = numbers.next(level, elementAt(properties, "buAutoNum"));
    const isItem = number !== null || elementAt(properties, "buChar") !== undefined || listed;
    if (!isItem || elementAt(properties, "buNone") !== undefined) return [{ kind: "paragraph", text }];
    return [{ kind: "list-item", text: `${"  ".repeat(level)}${number ?? "-"} ${text}` }];
  });
}

/** All text of a body in one line. */
export function drawingLine(body: XmlElement | undefined): string {
  return oneLine(elementsOf(body, "p").map(paragraphText).join(" "));
}

function paragraphText(paragraph: XmlElement): string {
  return elementsOf(paragraph).map(runText).join("");
}

function runText(run: XmlElement): string {
  if (run.name === "r" || run.name === "fld") return textIn(elementAt(run, "t"));
  if (run.name === "br") return "\n";
  if (run.name === "m") return mathText(run);
  if (run.name === "AlternateContent") return elementsOf(elementsOf(run)[0]).map(runText).join("");
  return "";
}

/** Counts the numbered paragraphs of one body; a paragraph of a lower level begins those above it anew. */
class ListNumbers {
  private readonly counts: number[] = [];

  next(level: number, numbering: XmlElement | undefined): string | null {
    this.counts.length = Math.min(this.counts.length, level + 1);
    if (numbering === undefined) {
      delete this.counts[level];
      return null;
    }
    const count = (this.counts[level] ?? (Number(numbering.attributes.startAt) || 1) - 1) + 1;
    this.counts[level] = count;
    const [, style = "arabic", ending] = NUMBERING.exec(numbering.attributes.type ?? "") ?? [];
    const number = listNumber(count, NUMBER_STYLES[style] ?? "decimal");
    if (ending === "ParenBoth") return `(${number})`;
    return number + (ending === "ParenR" ? ")" : ending === "Plain" ? "" : ".");
  }
}
