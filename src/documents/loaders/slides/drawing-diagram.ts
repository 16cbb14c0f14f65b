/** Diagrams of Office Open XML (SmartArt; ECMA-376, Part 1, 21.4): the text of their points, in the order in which one belongs to another. */
import { drawingLine } from "./drawing-text.ts";
import { elementAt, elementsOf, type XmlElement } from "../office/xml-tree.ts";

/** Deeper levels are drawn as this one. */
const DEEPEST = 8;

/** The texts of a diagram's data part, each indented by its level. */
export function diagramTexts(data: XmlElement | null): string[] {
  const texts = new Map<string, string>();
  let root = "";
  for (const point of elementsOf(elementAt(data, "ptLst"), "pt")) {
    const { modelId = "", type = "node" } = point.attributes;
    if (type === "doc") root = modelId;
    if (type === "node" || type === "asst") texts.set(modelId, drawingLine(elementAt(point, "t")));
  }
  const children = childrenByPoint(data);
  const lines: string[] = [];
  // What was written is not written again, so that points in a circle end.
  const write = (id: string, level: number): void => {
    const waiting = [{ id, level }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const text = texts.get(next.id);
      if (text === undefined && next.id !== root) continue;
      texts.delete(next.id);
      if (text) lines.push(`${"  ".repeat(Math.min(next.level, DEEPEST))}- ${text}`);
      const deeper = next.id === root ? 0 : next.level + 1;
      for (const child of (children.get(next.id) ?? []).toReversed())
        if (texts.has(child)) waiting.push({ id: child, level: deeper });
    }
  };
  write(root, 0);
  for (const id of [...texts.keys()]) write(id, 0);
  return lines;
}

function childrenByPoint(data: XmlElement | null): Map<string, string[]> {
  const connections = elementsOf(elementAt(data, "cxnLst"), "cxn")
    .filter(({ attributes }) => (attributes.type ?? "parOf") === "parOf")
    .map(({ attributes: { srcId = "", destId = "", srcOrd } }) => ({ srcId, destId, order: Number(srcOrd) || 0 }))
    .toSorted((a, b) => a.order - b.order);
  const children = new Map<string, string[]>();
  for (const { srcId, destId } of connections) {
    const siblings = children.get(srcId);
    if (siblings === undefined) children.set(srcId, [destId]);
    else siblings.push(destId);
  }
  return children;
}
