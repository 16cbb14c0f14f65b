/** What the styles of an OpenDocument file say about reading it: what is hidden, what is a title, how lists are numbered (ODF 1.3, 16). */
import type { NumberStyle } from "../office/list-numbers.ts";
import { qualified, type XmlAttributes, type XmlHandler } from "../office/xml.ts";

/** How the items of one level of a list are marked. */
export interface OdfListLevel {
  /** Null where a bullet or nothing is printed. */
  readonly number: NumberStyle | null;
  readonly prefix: string;
  readonly suffix: string;
  readonly start: number;
  /** Levels whose numbers are shown, this one the last. */
  readonly shownLevels: number;
}

interface Style {
  readonly parent: string | undefined;
  /** "": no list although the parent has one. */
  readonly listStyle: string | undefined;
  isHidden: boolean;
}

/** The list style by which headings are numbered. */
export const OUTLINE = "";
/** A style that derives from another is followed so far. */
const MOST_ANCESTORS = 32;
const DEEPEST_LEVEL = 10;
const NUMBER_STYLES: ReadonlyMap<string, NumberStyle> = new Map([
  ["1", "decimal"],
  ["i", "roman"],
  ["I", "ROMAN"],
  ["a", "letter"],
  ["A", "LETTER"],
]);

/** Is told what stands among the styles, those of styles.xml first. */
export class OdfStyles implements XmlHandler {
  private readonly styles = new Map<string, Style>();
  private readonly lists = new Map<string, OdfListLevel[]>();
  private style: Style | undefined;
  private list: OdfListLevel[] | undefined;

  open(name: string, attributes: XmlAttributes): void {
    if (name === "style") {
      this.style = {
        parent: qualified(attributes, "parent-style-name"),
        listStyle: qualified(attributes, "list-style-name"),
        isHidden: false,
      };
      this.styles.set(qualified(attributes, "name") ?? "", this.style);
    } else if (name === "text-properties" || name === "drawing-page-properties") {
      const isHidden = qualified(attributes, "display") === "none" || qualified(attributes, "visibility") === "hidden";
      if (isHidden && this.style !== undefined) this.style.isHidden = true;
    } else if (name === "list-style" || name === "outline-style") {
      this.list = [];
      this.lists.set(name === "outline-style" ? OUTLINE : (qualified(attributes, "name") ?? ""), this.list);
    } else if (/^(?:list|outline)-level-style/.test(name)) this.addLevel(attributes);
  }

  text(): void {}

  close(name: string): void {
    if (name === "style") this.style = undefined;
    if (name === "list-style" || name === "outline-style") this.list = undefined;
  }

  isHidden(style: string | undefined): boolean {
    return this.ancestry(style).some(({ isHidden }) => isHidden);
  }

  /** Whether paragraphs of this style are the document's title. */
  isTitle(style: string | undefined): boolean {
    return style === "Title" || this.ancestry(style).some(({ parent }) => parent === "Title");
  }

  /** Whether headings of this style are numbered by their level, as they are unless it says otherwise. */
  isNumbered(style: string | undefined): boolean {
    return this.ancestry(style).find(({ listStyle }) => listStyle !== undefined)?.listStyle !== "";
  }

  /** A level of a list style; levels count from 1. */
  level(list: string, level: number): OdfListLevel | undefined {
    return this.lists.get(list)?.[level];
  }

  private addLevel(attributes: XmlAttributes): void {
    const level = Number(qualified(attributes, "level"));
    if (this.list === undefined || !(level >= 1 && level <= DEEPEST_LEVEL)) return;
    this.list[level] = {
      number: NUMBER_STYLES.get(qualified(attributes, "num-format") ?? "") ?? null,
      prefix: qualified(attributes, "num-prefix") ?? "",
      suffix: qualified(attributes, "num-suffix") ?? "",
      start: Number(qualified(attributes, "start-value") ?? 1),
      shownLevels: Number(qualified(attributes, "display-levels") ?? 1),
    };
  }

  /** The style and those it derives from. */
  private ancestry(name: string | undefined): Style[] {
    const found: Style[] = [];
    let style = this.styles.get(name ?? "");
    while (style !== undefined && found.length < MOST_ANCESTORS) {
      found.push(style);
      style = this.styles.get(style.parent ?? "");
    }
    return found;
  }
}
