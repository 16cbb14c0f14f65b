/** The numbers of Word's lists and headings as they are printed: "3.1", "(a)", "IV." (ECMA-376, Part 1, 17.9). */
import type { DocxStyles, ListReference } from "./docx-styles.ts";
import { valueIn } from "./docx-styles.ts";
import type { NumberStyle } from "../office/list-numbers.ts";
import {
  LIST_LEVELS,
  ListCounter,
  type ListLevel,
  LONGEST_LEVEL_TEXT,
  type NumberedList,
} from "../office/numbered-lists.ts";
import { qualified } from "../office/xml.ts";
import { descendants, elementAt, elementsOf, type XmlElement } from "../office/xml-tree.ts";

interface Level extends ListLevel {
  /** The style whose paragraphs are of this level. */
  readonly paragraphStyle: string | undefined;
}

type List = NumberedList<Level>;

const NUMBER_STYLES: ReadonlyMap<string, NumberStyle> = new Map([
  ["decimalZero", "padded"],
  ["lowerRoman", "roman"],
  ["upperRoman", "ROMAN"],
  ["lowerLetter", "letter"],
  ["upperLetter", "LETTER"],
]);

export class DocxNumbering {
  private readonly lists = new Map<string, List>();
  private readonly counter = new ListCounter();

  constructor(
    root: XmlElement | null,
    private readonly styles: DocxStyles,
  ) {
    const kinds = levelsByKind(root);
    for (const list of elementsOf(root, "num")) {
      const kind = valueIn(elementAt(list, "abstractNumId")) ?? "";
      this.lists.set(qualified(list.attributes, "numId") ?? "", listIn(list, kind, kinds.get(kind) ?? new Map()));
    }
  }

  /** What stands before the next paragraph: "" for a bullet, null where it is of no list. A paragraph's own list goes before its style's. */
  next(own: ListReference | null, style: string): string | null {
    const reference = own ?? this.styles.listOf(style);
    const list = reference === null ? undefined : this.lists.get(reference.list);
    if (reference === null || list === undefined) return null;
    const number = reference.level ?? this.levelOf(list, own === null ? this.styles.listOf(style)?.style : style) ?? 0;
    return this.counter.next(list, number);
  }

  private levelOf(list: List, style: string | undefined): number | undefined {
    for (const [number, { paragraphStyle }] of list.levels)
      if (paragraphStyle !== undefined && paragraphStyle === style) return number;
    return undefined;
  }
}

/** The levels of each kind of list: its own, or those of the first kind that has the style it refers to. All lists of a kind share them. */
function levelsByKind(root: XmlElement | null): Map<string, ReadonlyMap<number, Level>> {
  const kinds = elementsOf(root, "abstractNum").map((kind) => ({
    id: qualified(kind.attributes, "abstractNumId") ?? "",
    levels: levelsOf(kind),
    style: valueIn(elementAt(kind, "styleLink")),
    otherStyle: valueIn(elementAt(kind, "numStyleLink")),
  }));
  const byStyle = new Map(kinds.toReversed().map(({ style, levels }) => [style, levels]));
  return new Map(
    kinds.map(({ id, levels, otherStyle }) => [
      id,
      (otherStyle === undefined ? undefined : byStyle.get(otherStyle)) ?? levels,
    ]),
  );
}

function levelsOf(element: XmlElement): Map<number, Level> {
  const levels = new Map<number, Level>();
  for (const level of elementsOf(element, "lvl")) {
    const number = Number(qualified(level.attributes, "ilvl"));
    if (Number.isInteger(number) && number >= 0 && number < LIST_LEVELS) levels.set(number, levelIn(level));
  }
  return levels;
}

function listIn(element: XmlElement, kind: string, shared: ReadonlyMap<number, Level>): List {
  const overrides = elementsOf(element, "lvlOverride");
  const starts = new Map<number, number>();
  for (const override of overrides) {
    const start = valueIn(elementAt(override, "startOverride"));
    if (start !== undefined) starts.set(Number(qualified(override.attributes, "ilvl")), Number(start) || 0);
  }
  const own = overrides.flatMap((override) => [...levelsOf(override)]);
  return { kind, levels: own.length === 0 ? shared : new Map([...shared, ...own]), starts };
}

function levelIn(level: XmlElement): Level {
  // Newer formats stand beside older ones that stand for them.
  const format = valueIn(elementAt(level, "numFmt") ?? descendants(level, "numFmt")[0]) ?? "decimal";
  const text = (valueIn(elementAt(level, "lvlText")) ?? "").slice(0, LONGEST_LEVEL_TEXT);
  return {
    start: Number(valueIn(elementAt(level, "start"))) || 0,
    style: format === "bullet" ? null : (NUMBER_STYLES.get(format) ?? "decimal"),
    text: format === "none" ? text.replace(/%\d/g, "") : text,
    isLegal: elementAt(level, "isLgl") !== undefined,
    paragraphStyle: valueIn(elementAt(level, "pStyle")),
    restarts: valueIn(elementAt(level, "lvlRestart")) !== "0",
  };
}
