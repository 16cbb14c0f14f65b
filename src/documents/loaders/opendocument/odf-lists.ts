/** The bullets and numbers of OpenDocument lists and headings, as they are printed (ODF 1.3, 5.3 and 19.880). */
import { listNumber } from "../office/list-numbers.ts";
import { OUTLINE, type OdfStyles } from "./odf-styles.ts";
import { qualified, type XmlAttributes } from "../office/xml.ts";

interface OpenList {
  readonly style: string;
  /** Numbers by level, from 1 on; shared by the lists inside one another. */
  readonly counts: number[];
  readonly level: number;
}

const INDENT = "  ";
const DEEPEST_INDENT = 6;

export class OdfLists {
  /** The open lists of each container of text; those of the innermost are the last. */
  private readonly containers: OpenList[][] = [[]];
  private readonly headingCounts: number[] = [];
  /** The numbers of lists that others may continue: by their identity, and the last one of each style. */
  private readonly finished = new Map<string, number[]>();

  constructor(private readonly styles: OdfStyles) {}

  /** A note, a cell or a box in the middle of a list is not of it. */
  enter(): void {
    this.containers.push([]);
  }

  leave(): void {
    this.containers.pop();
  }

  get isInside(): boolean {
    return this.open.length > 0;
  }

  openList(attributes: XmlAttributes): void {
    const outer = this.open.at(-1);
    const style = qualified(attributes, "style-name") ?? outer?.style ?? OUTLINE;
    if (outer !== undefined) {
      const level = outer.level + 1;
      outer.counts.length = Math.min(outer.counts.length, level);
      this.open.push({ style, counts: outer.counts, level });
      return;
    }
    const continued = qualified(attributes, "continue-list");
    const goesOn = qualified(attributes, "continue-numbering") === "true";
    const counts = this.finished.get(continued === undefined ? (goesOn ? styleKey(style) : "") : `#${continued}`) ?? [];
    this.finished.set(styleKey(style), counts);
    const id = qualified(attributes, "id");
    if (id !== undefined) this.finished.set(`#${id}`, counts);
    this.open.push({ style, counts, level: 1 });
  }

  closeList(): void {
    this.open.pop();
  }

  /** What stands before an item's first paragraph. */
  item(attributes: XmlAttributes): string {
    const list = this.open.at(-1);
    if (list === undefined) return "";
    const label = this.next(list, qualified(attributes, "start-value")) || "-";
    return `${INDENT.repeat(Math.min(list.level - 1, DEEPEST_INDENT))}${label} `;
  }

  /** What stands before a heading: nothing in most documents. */
  heading(level: number, attributes: XmlAttributes): string {
    const isNumbered = this.styles.isNumbered(qualified(attributes, "style-name"));
    if (!isNumbered || qualified(attributes, "is-list-header") === "true") return "";
    const label = this.next(
      { style: OUTLINE, counts: this.headingCounts, level },
      qualified(attributes, "start-value"),
    );
    return label === "" ? "" : `${label} `;
  }

  private get open(): OpenList[] {
    return this.containers.at(-1)!;
  }

  private next({ style, counts, level }: OpenList, start: string | undefined): string {
    const shape = this.styles.level(style, level);
    const count = start === undefined ? (counts[level] ?? (shape?.start ?? 1) - 1) + 1 : Number(start) || 0;
    counts.length = level;
    counts[level] = count;
    if (shape?.number == null) return "";
    const numbers: string[] = [];
    for (let shown = Math.max(1, level - shape.shownLevels + 1); shown <= level; shown += 1) {
      const above = this.styles.level(style, shown);
      if (above?.number != null) numbers.push(listNumber(counts[shown] ?? above.start, above.number));
    }
    return shape.prefix + numbers.join(".") + shape.suffix;
  }
}

function styleKey(style: string): string {
  return `=${style}`;
}
