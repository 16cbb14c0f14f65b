/** TeX and LaTeX: what stands between the beginning and the end of the document, in its sections. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { LineBlocks } from "./line-blocks.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";
import { texText } from "./tex-text.ts";
import { linesOf } from "./text-paragraphs.ts";

const format = { mimeType: "text/x-tex", extensions: ["tex", "latex", "ltx"] };

const SECTIONS = ["part", "chapter", "section", "subsection", "subsubsection", "paragraph"];
const SECTION = new RegExp(String.raw`^\s*\\(${SECTIONS.join("|")})\*?\s*(?:\[[^\][]{0,500}\])?\{`);
const VERBATIM =
  /^\s*\\begin\{(verbatim|lstlisting|minted|alltt|equation|align|alignat|gather|multline|eqnarray|displaymath|math|tikzpicture)\*?\}/;
const ABOUT = /^\s*\\(title|author|date)\s*(?:\[[^\][]{0,500}\])?(?=\{)/;
const ABOUT_IN_LINE = /\\(title|author|date)\s*(?:\[[^\][]{0,500}\])?(?=\{)/;
/** Environments whose beginning says how they are shown. */
const SHOWN_BY_ARGUMENTS = new Set(["lstlisting", "minted", "alignat", "tikzpicture"]);
const ARGUMENTS = /^(?:\[[^\][]{0,500}\])?(?:\{[^{}]{0,200}\})?/;
const THANKS = /\\thanks\{([^{}]{0,1000})\}/g;
const MOST_LINES = 20;

export const texLoader: Loader = { id: "tex", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  const isNamed = content.decoded !== null && namedFormat(texLoader, content) !== undefined;
  return isNamed ? { certainty: "possible", format } : null;
}

async function load({ decoded }: Content, blocks: BlockCollector): Promise<void> {
  const written = linesOf(decoded?.text ?? "");
  const lines = written.map(withoutComment);
  const begin = lines.findIndex((line) => line?.includes("\\begin{document}") ?? false);
  const end = lines.findIndex((line) => line?.includes("\\end{document}") ?? false);
  const out = new LineBlocks(blocks, texText);
  about(lines, begin, blocks, out);
  body(written, lines, begin + 1, end < 0 ? lines.length : end, out);
  out.end();
}

/** What the document says of itself, wherever it does. */
function about(lines: readonly (string | null)[], begin: number, blocks: BlockCollector, out: LineBlocks): void {
  const said = new Set<string>();
  for (let index = 0; index < lines.length; index += 1) {
    const line = index;
    for (const { name, text: written, last } of saidAt(lines, line, line < begin ? ABOUT_IN_LINE : ABOUT)) {
      index = last;
      // Some documents name each author on a line of its own.
      if (said.has(name) && name !== "author") continue;
      said.add(name);
      const text = plain(written.replace(THANKS, ""));
      blocks.describe({ [name]: text });
      if (name === "title") out.heading(text, 1, line);
      else out.begin("paragraph", plain(written.replace(THANKS, " ($1)")), line);
    }
  }
  out.end();
}

/** What a line says of the document, one thing after the other. */
function saidAt(lines: readonly (string | null)[], start: number, first: RegExp): (Argument & { name: string })[] {
  const found: (Argument & { name: string })[] = [];
  const line = lines[start] ?? "";
  let match = first.exec(line);
  let [at, from] = [start, 0];
  while (match !== null) {
    const said = argument(lines, at, from + match.index + match[0].length);
    found.push({ name: match[1]!, ...said });
    at = said.last;
    from = (lines[at] ?? "").length - said.rest.length;
    match = (first === ABOUT_IN_LINE && at === start ? first : ABOUT).exec(said.rest);
  }
  return found;
}

/** On one line, without commands that are not known. */
function plain(source: string): string {
  return texText(source.replace(/\\(?:and|AND)(?![a-zA-Z])/g, ", "))
    .replace(/\\[a-zA-Z@]+\*?/g, "")
    .replace(/\s+/g, " ")
    .replace(/ ,/g, ",")
    .trim();
}

function body(
  written: readonly string[],
  lines: readonly (string | null)[],
  start: number,
  end: number,
  out: LineBlocks,
): void {
  for (let index = start; index < end; index += 1) {
    const line = lines[index];
    // A line that is only a comment does not even part paragraphs.
    if (line === null || line === undefined) continue;
    const section = SECTION.exec(line)?.[1];
    const verbatim = VERBATIM.exec(line)?.[1];
    if (section !== undefined) {
      const { text, last, rest } = argument(lines, index);
      out.heading(text.replace(/\s+/g, " "), SECTIONS.indexOf(section) + 1, index);
      addRest(rest, last, out);
      index = last;
    } else if (verbatim !== undefined) index = code(written, index, end, verbatim, out);
    else if (ABOUT.test(line)) {
      const { last, rest } = saidAt(lines, index, ABOUT).at(-1)!;
      addRest(rest, last, out);
      index = last;
    } else if (/^\s*\\item\b/.test(line))
      out.begin("list-item", line.replace(/^\s*\\item\s*(?:\[([^\][]*)\]\s*)?/, itemStart).trimEnd(), index);
    else if (line.trim() === "" || /^\s*\\(?:begin|end)\{[^{}]*\}\s*(?:\[[^\][]*\])?\s*$/.test(line)) out.end();
    else out.add(line, index);
  }
}

function itemStart(_: string, label?: string): string {
  return label === undefined ? "- " : `- ${label} `;
}

/** What stands on a line behind something else, where it is text. */
function addRest(rest: string, index: number, out: LineBlocks): void {
  if (texText(rest).trim() !== "") out.add(rest.trimStart(), index);
}

/** Listings and formulas are kept as they are written; returns their last line. */
function code(written: readonly string[], start: number, end: number, name: string, out: LineBlocks): number {
  const close = `\\end{${name}`;
  const opening = VERBATIM.exec(written[start]!)?.[0].length ?? 0;
  let last = start;
  let at = written[start]!.indexOf(close, opening);
  while (at < 0 && last + 1 < end) {
    last += 1;
    at = written[last]!.indexOf(close);
  }
  const lines = written.slice(start, last + 1);
  const ending = lines.at(-1)!;
  if (at >= 0) lines[lines.length - 1] = ending.slice(0, at);
  const head = lines[0]!.slice(opening);
  const first = SHOWN_BY_ARGUMENTS.has(name) ? head.replace(ARGUMENTS, "") : head;
  lines[0] = texText(first).trim() === "" ? "" : first;
  out.code(lines, start);
  if (at >= 0) addRest(withoutComment(ending.slice(ending.indexOf("}", at) + 1)) ?? "", last, out);
  return last;
}

interface Argument {
  readonly text: string;
  /** The line where it ends, and what follows it there. */
  readonly last: number;
  readonly rest: string;
}

/** What stands in the first braces from a place in a line on. */
function argument(lines: readonly (string | null)[], start: number, from = 0): Argument {
  let depth = 0;
  let text = "";
  for (let index = start; index < Math.min(lines.length, start + MOST_LINES); index += 1) {
    const line = lines[index] ?? "";
    for (let at = index === start ? line.indexOf("{", from) : 0; at < line.length; at += 1) {
      const character = line[at]!;
      if (character === "{" && line[at - 1] !== "\\") depth += 1;
      if (character === "}" && line[at - 1] !== "\\") depth -= 1;
      if (depth === 0) return { text: text.slice(1), last: index, rest: line.slice(at + 1) };
      text += character;
    }
    text += " ";
  }
  // Braces that stay open hold no more than their line.
  return { text: lines[start]!.slice(lines[start]!.indexOf("{", from) + 1), last: start, rest: "" };
}

/** A line up to its comment; null where it is nothing else. */
function withoutComment(line: string): string | null {
  const at = line.search(/(?<!\\)%/);
  if (at < 0) return line;
  return line.slice(0, at).trim() === "" ? null : line.slice(0, at).trimEnd();
}
