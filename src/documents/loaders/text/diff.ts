/** Changes to files (unified and context diffs): each file under its name, each stretch that changes a block. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";
import { addLines, addParagraphs, linesOf } from "./text-paragraphs.ts";

const format = { mimeType: "text/x-diff", extensions: ["diff", "patch"] };

const SAMPLE_CHARACTERS = 4096;
const HUNK = /^(?:@@ -\d|\*{15}$)/;
const OLD_NAME = /^(?:---|\*\*\*) (\S[^\t]*)/;
const NEW_NAME = /^(?:\+\+\+|---) (\S[^\t]*)/;
/** What programs write between the name of a file and its changes. */
const HEAD =
  /^(?:diff -|index [\da-f]+\.\.|(?:new|deleted) file mode|(?:old|new) mode|similarity index|rename (?:from|to)|copy (?:from|to)|Binary files )/;
/** What is told of a file all of whose change it is. */
const TOLD = /^(?:(?:rename|copy) (?:from|to)|Binary files )/;

export const diffLoader: Loader = { id: "diff", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  if (content.decoded === null) return null;
  const head = content.decoded.text.slice(0, SAMPLE_CHARACTERS);
  const isDiff = /^(?:diff --git .+|--- \S.*\r?\n\+\+\+ \S.*\r?\n@@ -\d)/m.test(head);
  if (namedFormat(diffLoader, content) !== undefined) return { certainty: isDiff ? "likely" : "possible", format };
  return content.extension === "" && /^(?:diff --git|--- \S)/.test(head) && isDiff
    ? { certainty: "likely", format }
    : null;
}

async function load({ decoded }: Content, blocks: BlockCollector): Promise<void> {
  const lines = linesOf(decoded?.text ?? "");
  let first = 0;
  let isHunk = false;
  /** Whether what is read belongs to a file of which no lines change. */
  let isBare = false;
  const close = (end: number): void => {
    if (isHunk) addLines(blocks, lines, first, end, "code");
    else addParagraphs(blocks, lines, first, end);
    first = end;
  };
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    if (isFileHead(lines, index)) {
      close(index);
      isHunk = isBare = false;
      blocks.at({ line: index + 1 });
      blocks.add("heading", nameOf(lines, index), 2);
      index += 1;
      first = index + 1;
    } else if (isHead(lines, index)) {
      if (isBare && TOLD.test(line)) continue;
      close(index);
      isHunk = false;
      first = index + 1;
      if (line.startsWith("diff ")) {
        isBare = !changesLines(lines, index);
        blocks.at({ line: index + 1 });
        if (isBare) blocks.add("heading", / b\/(.+)$/.exec(line)?.[1] ?? "", 2);
      }
    } else if (HUNK.test(line)) {
      close(index);
      isHunk = true;
    }
  }
  close(lines.length);
}

/** Whether a program wrote the line between a file's name and its changes; people write some of the same words in front of all. */
function isHead(lines: readonly string[], index: number): boolean {
  const line = lines[index]!;
  if (/^={20,}$/.test(line)) return /^Index: /.test(lines[index - 1] ?? "");
  return HEAD.test(line) || (/^Index: /.test(line) && /^={20,}$/.test(lines[index + 1] ?? ""));
}

/** Whether changed lines follow the line with which a file begins. */
function changesLines(lines: readonly string[], start: number): boolean {
  let index = start + 1;
  while (HEAD.test(lines[index] ?? "") && !lines[index]!.startsWith("diff ")) index += 1;
  return index < lines.length && isFileHead(lines, index);
}

/** Whether the names of a file before and after stand there, and its changes follow. */
function isFileHead(lines: readonly string[], index: number): boolean {
  const isPair = OLD_NAME.test(lines[index]!) && NEW_NAME.test(lines[index + 1] ?? "");
  return isPair && HUNK.test(lines[index + 2] ?? "");
}

/** The name after the change, or before it where the file goes. */
function nameOf(lines: readonly string[], index: number): string {
  const before = OLD_NAME.exec(lines[index]!)?.[1] ?? "";
  const after = NEW_NAME.exec(lines[index + 1]!)?.[1] ?? "";
  return (after.startsWith("/dev/null") ? before : after).replace(/^[ab]\//, "").trim();
}
