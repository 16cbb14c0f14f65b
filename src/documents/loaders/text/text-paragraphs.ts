/** Text without structure of its own, in paragraphs that know their lines. */
import type { BlockCollector } from "../../block-collector.ts";
import type { BlockKind } from "../../blocks.ts";

/** The lines of a text; its first is line 1. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n?|[\n\f]/);
}

/** Adds the lines [start, end) as one block in its place. */
export function addLines(
  blocks: BlockCollector,
  lines: readonly string[],
  start: number,
  end: number,
  kind: BlockKind = "paragraph",
): void {
  let first = start;
  while (first < end && lines[first]!.trim() === "") first += 1;
  if (first === end) return;
  blocks.at({ line: first + 1 });
  blocks.add(kind, lines.slice(first, end).join("\n"));
}

/** Adds what blank lines separate, each as a block. */
export function addParagraphs(blocks: BlockCollector, lines: readonly string[], start = 0, end = lines.length): void {
  let first = start;
  for (let index = start; index <= end; index += 1) {
    if (index < end && lines[index]!.trim() !== "") continue;
    addLines(blocks, lines, first, index);
    first = index + 1;
  }
}
