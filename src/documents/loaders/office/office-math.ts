/** Equations of Office Open XML (ECMA-376, Part 1, 22.1) as one line that can be read and searched: (a+b)/2, x^2, √(y). */
import { qualified } from "./xml.ts";
import { elementAt, elementsOf, textIn, type XmlElement } from "./xml-tree.ts";

/** Parts of an equation that need no brackets beside another. */
const SIMPLE = /^(?:[\p{L}\p{N}.]*|[([{|].*[)\]}|])$/u;

export function mathText(element: XmlElement): string {
  const part = (name: string) => joined(elementAt(element, name));
  const property = (name: string) => qualified(elementAt(element, `${element.name}Pr`, name)?.attributes ?? {}, "val");
  const base = part("e");
  switch (element.name) {
    case "t":
      return textIn(element);
    case "f":
      return `${bracketed(part("num"))}/${bracketed(part("den"))}`;
    case "sSup":
      return bracketed(base) + raised(part("sup"));
    case "sSub":
      return bracketed(base) + lowered(part("sub"));
    case "sSubSup":
      return bracketed(base) + lowered(part("sub")) + raised(part("sup"));
    case "sPre":
      return lowered(part("sub")) + raised(part("sup")) + bracketed(base);
    case "limLow":
      return bracketed(base) + lowered(part("lim"));
    case "limUpp":
      return bracketed(base) + raised(part("lim"));
    case "rad":
      return `√${part("deg") === "" ? "" : `[${part("deg")}]`}(${base})`;
    case "nary":
      return `${property("chr") ?? "∫"}${lowered(part("sub"))}${raised(part("sup"))} ${base}`;
    case "func":
      return `${part("fName")} ${bracketed(base)}`;
    case "d":
      return (
        (property("begChr") ?? "(") +
        elementsOf(element, "e")
          .map(joined)
          .join(property("sepChr") ?? "|") +
        (property("endChr") ?? ")")
      );
    case "m":
      // Drawings put whole equations into an element of the same name.
      if (elementAt(element, "mr") === undefined) return joined(element);
      return `[${elementsOf(element, "mr")
        .map((row) => elementsOf(row, "e").map(joined).join(", "))
        .join("; ")}]`;
    case "eqArr":
      return elementsOf(element, "e").map(joined).join("; ");
    default:
      return element.name.endsWith("Pr") ? "" : joined(element);
  }
}

function joined(element: XmlElement | undefined): string {
  return elementsOf(element).map(mathText).join("");
}

function bracketed(text: string): string {
  return SIMPLE.test(text) ? text : `(${text})`;
}

function raised(text: string): string {
  return text === "" ? "" : `^${bracketed(text)}`;
}

function lowered(text: string): string {
  return text === "" ? "" : `_${bracketed(text)}`;
}
