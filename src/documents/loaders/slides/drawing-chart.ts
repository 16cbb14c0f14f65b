/** Charts of Office Open XML (ECMA-376, Part 1, 21.2): the titles, and the numbers that are drawn as a table. */
import type { BlockCollector } from "../../block-collector.ts";
import { TableWriter } from "../office/table-writer.ts";
import type { Content } from "../../content.ts";
import { drawingLine } from "./drawing-text.ts";
import { descendants, elementAt, elementsOf, textIn, type XmlElement } from "../office/xml-tree.ts";

/** Writes what a chart's part shows. */
export function addChart(content: Content, blocks: BlockCollector, part: XmlElement | null): void {
  const chart = elementAt(part, "chart");
  blocks.add("paragraph", titleOf(chart));
  const plot = elementAt(chart, "plotArea");
  for (const axis of elementsOf(plot).filter(({ name }) => name.endsWith("Ax"))) blocks.add("paragraph", titleOf(axis));
  const series = descendants(plot, "ser");
  if (series.length === 0) return;
  const table = new TableWriter(content, blocks);
  const categories = valuesOf(elementAt(series[0], "cat") ?? elementAt(series[0], "xVal"));
  const columns = series.map((one) => valuesOf(elementAt(one, "val") ?? elementAt(one, "yVal")));
  table.row(["", ...series.map((one) => textIn(descendants(elementAt(one, "tx"), "v")[0]))], true);
  const rows = new Set([categories, ...columns].flatMap((values) => [...values.keys()]).toSorted((a, b) => a - b));
  for (const row of rows) table.row([categories.get(row) ?? "", ...columns.map((values) => values.get(row) ?? "")]);
  table.end();
}

/** A title's text; where several series share a chart without one, there is none. */
function titleOf(element: XmlElement | undefined): string {
  const title = elementAt(element, "title");
  return descendants(title, "rich", "v", "txData")
    .map((text) => (text.name === "rich" ? drawingLine(text) : textIn(text)))
    .join(" ");
}

/** Points by their numbers, as the program that wrote the file last saw them. Of categories of several levels, the lowest. */
function valuesOf(data: XmlElement | undefined): Map<number, string> {
  const values = new Map<number, string>();
  for (const point of descendants(data, "pt")) {
    const index = Number(point.attributes.idx);
    if (Number.isSafeInteger(index) && !values.has(index))
      values.set(index, shown(textIn(elementAt(point, "v")).trim()));
  }
  return values;
}

/** Numbers are stored with more digits than anyone meant: 8.1999999999999993 is 8.2. */
function shown(value: string): string {
  return /^-?\d+\.\d{10,}$/.test(value) ? String(Number(Number(value).toPrecision(12))) : value;
}
