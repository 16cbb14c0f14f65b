/** Passages that were found, readable in a terminal. */
import { placeInWords, placeOf } from "../foundation/place.ts";
import type { FoundPassage } from "./document-service.ts";
import { bold, columns, print, visible, wrap } from "./terminal.ts";

const EXCERPT_LINES = 6;

/** One passage with its rank, score, document and place; of a long one only the beginning, unless the whole is wanted. */
export function printPassage(
  { score, pageContent, highlights, metadata, alsoIn }: FoundPassage,
  rank: number,
  whole: boolean,
): void {
  const name = String(metadata.originalName);
  const place = placeInWords(name, placeOf(metadata)).slice(name.length);
  const shown = place || (typeof metadata.chunkIndex === "number" ? `, passage ${metadata.chunkIndex + 1}` : "");
  print(
    `${String(rank).padStart(2)}. ${score.toFixed(3)}  ${bold(visible(pathOf(metadata) ?? name))}${visible(shown)}`,
  );
  const text = emphasised(pageContent, highlights ?? []);
  const paragraphs = whole ? text.split(/\n\s*\n/) : [text];
  const lines = paragraphs.flatMap((paragraph, index) => [
    ...(index > 0 ? [""] : []),
    ...wrap(paragraph, columns() - 4),
  ]);
  for (const line of whole ? lines : shorten(lines)) print(line === "" ? "" : `    ${line}`);
  const others = [...new Set((alsoIn ?? []).map(({ originalName }) => originalName))];
  if (others.length > 0) print(`    Also in ${visible(others.join(", "))}`);
  print();
}

/** Where the document lies for its owner, if that is known: it ends with its name, which a file's own metadata may not. */
function pathOf({ path, originalName }: FoundPassage["metadata"]): string | null {
  return typeof path === "string" && `/${path}`.endsWith(`/${String(originalName)}`) ? path : null;
}

/** The text as a terminal may show it, what is highlighted in bold. */
function emphasised(text: string, highlights: NonNullable<FoundPassage["highlights"]>): string {
  let shown = "";
  let from = 0;
  for (const { start, end } of highlights) {
    shown += visible(text.slice(from, start)) + bold(visible(text.slice(start, end)));
    from = end;
  }
  return shown + visible(text.slice(from));
}

function shorten(lines: readonly string[]): string[] {
  return lines.length <= EXCERPT_LINES
    ? [...lines]
    : [...lines.slice(0, EXCERPT_LINES - 1), `${lines[EXCERPT_LINES - 1]} …`];
}
