/** The lines of a small part of a Word document: a comment, the head or foot of a page. */
import { oneLine } from "../../clean-text.ts";
import { mathText } from "../office/office-math.ts";
import { elementsOf, textIn, type XmlElement } from "../office/xml-tree.ts";

const LEFT_OUT: ReadonlySet<string> = new Set(["pPr", "rPr", "instrText", "delText", "del", "moveFrom", "sdtPr", "rt"]);

/** A line for each paragraph that is not blank. */
export function docxLines(element: XmlElement | null): string[] {
  return (element === null ? "" : textOf(element))
    .split("\n")
    .map((line) => oneLine(line))
    .filter((line) => line !== "");
}

function textOf(element: XmlElement): string {
  const { name } = element;
  if (LEFT_OUT.has(name)) return "";
  if (name === "t") return textIn(element);
  if (name === "tab" || name === "br" || name === "cr") return " ";
  if (name === "noBreakHyphen") return "-";
  if (name === "oMath") return mathText(element);
  // Of two ways to draw the same, the first is the newer.
  const shown = name === "AlternateContent" ? elementsOf(element).slice(0, 1) : elementsOf(element);
  const text = shown.map(textOf).join("");
  return name === "p" ? `\n${text}\n` : name === "tc" ? `${text} ` : text;
}
