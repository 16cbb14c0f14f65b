/** What a Word document's paragraph styles say of lists and headings (ECMA-376, Part 1, 17.7). */
import { qualified } from "../office/xml.ts";
import { elementAt, elementsOf, type XmlElement } from "../office/xml-tree.ts";

/** The list that a paragraph is of, and its level in it, from 0 on. */
export interface ListReference {
  readonly list: string;
  readonly level: number | null;
}

interface Style {
  readonly basedOn: string | undefined;
  readonly list: ListReference | null;
  readonly outlineLevel: number | null;
}

/** A style that derives from another is followed so far. */
const MOST_ANCESTORS = 32;

export class DocxStyles {
  private readonly styles = new Map<string, Style>();

  constructor(root: XmlElement | null) {
    for (const style of elementsOf(root, "style")) {
      const properties = elementAt(style, "pPr");
      const numbering = elementAt(properties, "numPr");
      const list = valueIn(elementAt(numbering, "numId"));
      this.styles.set(qualified(style.attributes, "styleId") ?? "", {
        basedOn: valueIn(elementAt(style, "basedOn")),
        list: list === undefined ? null : { list, level: numberOf(valueIn(elementAt(numbering, "ilvl"))) },
        outlineLevel: numberOf(valueIn(elementAt(properties, "outlineLvl"))),
      });
    }
  }

  /** The list of paragraphs of this style, and the style that says so. */
  listOf(style: string): (ListReference & { readonly style: string }) | null {
    for (const [name, { list }] of this.ancestry(style)) if (list !== null) return { ...list, style: name };
    return null;
  }

  /** The level of headings of this style, from 0 on. */
  outlineLevel(style: string): number | null {
    return this.ancestry(style).find(([, { outlineLevel }]) => outlineLevel !== null)?.[1].outlineLevel ?? null;
  }

  private ancestry(name: string): Array<readonly [string, Style]> {
    const found: Array<readonly [string, Style]> = [];
    let at: string | undefined = name;
    while (at !== undefined && found.length < MOST_ANCESTORS) {
      const style: Style | undefined = this.styles.get(at);
      if (style === undefined) break;
      found.push([at, style]);
      at = style.basedOn;
    }
    return found;
  }
}

/** The value of an element that has nothing else. */
export function valueIn(element: XmlElement | undefined): string | undefined {
  return element === undefined ? undefined : qualified(element.attributes, "val");
}

function numberOf(value: string | undefined): number | null {
  const number = value === undefined ? Number.NaN : Number(value);
  return Number.isInteger(number) ? number : null;
}
