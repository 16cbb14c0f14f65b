/** Source code: what stands between blank lines at the outermost level is a block, and what is long is parted at the next level inside. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import type { Loader, Recognition } from "../loader.ts";
import { addLines, linesOf } from "./text-paragraphs.ts";

const format = {
  mimeType: "text/x-source",
  extensions:
    "sql sh bash zsh fish ps1 bat cmd py pyi ipy js mjs cjs ts mts cts tsx jsx vue svelte c h cc cxx cpp hpp hxx m mm cs fs java kt kts scala groovy gradle go rs rb php pl pm lua swift dart r jl ex exs erl hrl hs elm clj cljs lisp el scm ml mli pas f f90 f95 for vb bas asm s v vhd vhdl sv tcl css scss sass less proto graphql gql thrift tf hcl nix cmake mk sol zig nim d cob cbl abap".split(
      " ",
    ),
};
const NAMES = /(?:^|\/)(?:Dockerfile|Makefile|GNUmakefile|CMakeLists\.txt|Rakefile|Gemfile|Jenkinsfile|Vagrantfile)$/;

/** Characters of a block that is parted at the next level inside. */
const LONG_BLOCK = 2500;
/** Characters of a line of which what is parted from it is told. */
const LONGEST_SIGNATURE = 100;
/** Levels inside one another at which blocks are parted. */
const MOST_LEVELS = 4;
/** What ends a stretch rather than beginning one. */
const CLOSING = /^\s*(?:[\])}>]|end\b|fi\b|done\b|esac\b|else\b|elif\b|except\b|finally\b|catch\b)/i;
/** A line on which something with a name begins, of which what is parted from it is told. */
const SIGNATURE =
  /^\s*(?:[\w@*&<>,.:[\]()\s"'-]{0,200}\b)?(?:class|struct|interface|enum|trait|impl|module|namespace|object|record|protocol|extension|def|defn|func|fun|fn|function|sub|procedure|package|type|contract|service|message)\b/i;

export const codeLoader: Loader = { id: "code", formats: [format], recognise, load };

function recognise({ decoded, extension, name }: Content): Recognition | null {
  if (decoded === null) return null;
  if (format.extensions.includes(extension) || NAMES.test(name)) return { certainty: "likely", format };
  return extension === "" && /^#!\s*\//.test(decoded.text) ? { certainty: "likely", format } : null;
}

async function load({ decoded }: Content, blocks: BlockCollector): Promise<void> {
  const lines = linesOf(decoded?.text ?? "");
  part(blocks, lines, 0, lines.length, []);
}

/**
 * Adds the lines [start, end), of which those of the least indentation begin blocks where a blank line stands before. `outer`: the
 * signatures of what they lie in, the innermost last.
 */
function part(
  blocks: BlockCollector,
  lines: readonly string[],
  start: number,
  end: number,
  outer: readonly string[],
): void {
  const indent = leastIndent(lines, start, end);
  let first = start;
  for (let index = start + 1; index <= end; index += 1) {
    const line = lines[index] ?? "";
    const isOuter = line.trim() !== "" && indentOf(line) === indent && !CLOSING.test(line);
    if (index < end && !(isOuter && lines[index - 1]!.trim() === "")) continue;
    addPart(blocks, lines, first, index, outer);
    first = index;
  }
}

function addPart(
  blocks: BlockCollector,
  lines: readonly string[],
  start: number,
  end: number,
  outer: readonly string[],
): void {
  blocks.under(outer.join(" "));
  let length = 0;
  for (let index = start; index < end; index += 1) length += lines[index]!.length + 1;
  const head = headEnd(lines, start, end);
  if (length <= LONG_BLOCK || outer.length >= MOST_LEVELS || head >= end) {
    addLines(blocks, lines, start, end, "code");
    return;
  }
  addLines(blocks, lines, start, head, "code");
  const signature = lines.slice(start, head).findLast((line) => SIGNATURE.test(line));
  part(
    blocks,
    lines,
    head,
    end,
    signature === undefined ? outer : [...outer, signature.trim().slice(0, LONGEST_SIGNATURE)],
  );
}

/** The first line that is indented more than the first of all: what stands before says what the whole is. */
function headEnd(lines: readonly string[], start: number, end: number): number {
  let first = start;
  while (first < end && lines[first]!.trim() === "") first += 1;
  const indent = indentOf(lines[first] ?? "");
  let head = first + 1;
  while (head < end && (lines[head]!.trim() === "" || indentOf(lines[head]!) <= indent)) head += 1;
  return head;
}

function leastIndent(lines: readonly string[], start: number, end: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let index = start; index < end; index += 1) {
    const line = lines[index]!;
    if (line.trim() !== "" && !CLOSING.test(line)) least = Math.min(least, indentOf(line));
  }
  return least;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
