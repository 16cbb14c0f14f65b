/** Settings as lines of names and values: INI, Java's .properties, .env. Sections become headings, comments stay. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { namedFormat } from "../loader.ts";
import type { Format, Loader, Recognition } from "../loader.ts";
import { linesOf } from "../text/text-paragraphs.ts";

const ini: Format = { mimeType: "text/x-ini", extensions: ["ini", "cfg", "inf", "desktop"] };
const properties: Format = { mimeType: "text/x-java-properties", extensions: ["properties", "env"] };

const SAMPLE_LINES = 200;
/** Share of the lines that must be settings. */
const LEAST_SETTINGS = 0.8;
const SECTION = /^\s*\[([^\][]{1,300})\]\s*(?:[;#].*)?$/;
const COMMENT = /^\s*(?:[;#!]|\/\/)+(.*)$/;
const SETTING = /^\s*(?:export\s+)?((?:[^\s=:\\]|\\.|[^\S\n](?![=:\s])){1,300})\s*[=:](.*)$/;

export const iniLoader: Loader = { id: "ini", formats: [ini, properties], recognise, load };

function recognise(content: Content): Recognition | null {
  const format = namedFormat(iniLoader, content);
  if (content.decoded === null || format === undefined) return null;
  const lines = content.decoded.text.split(/\r\n?|\n/, SAMPLE_LINES).filter((line) => line.trim() !== "");
  const settings = lines.filter((line, index) => isSetting(line) || lines[index - 1]?.endsWith("\\") === true);
  return settings.length >= lines.length * LEAST_SETTINGS ? { certainty: "possible", format } : null;
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const lines = linesOf(content.decoded?.text ?? "");
  // In .env a backslash is one, as paths of Windows have them.
  const hasEscapes = namedFormat(iniLoader, content) === properties && content.extension !== "env";
  let entries: string[] = [];
  const flush = (): void => {
    blocks.add("paragraph", entries.join("\n"));
    entries = [];
  };
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    const section = SECTION.exec(line)?.[1];
    if (section !== undefined || line.trim() === "") flush();
    if (section !== undefined) {
      blocks.at({ line: index + 1 });
      blocks.add("heading", section, 2);
    } else if (line.trim() !== "") {
      if (entries.length === 0) blocks.at({ line: index + 1 });
      const pieces = [line];
      while (hasEscapes && pieces.at(-1)!.endsWith("\\") && index + 1 < lines.length) {
        index += 1;
        pieces.push(lines[index]!);
      }
      entries.push(shown(pieces, hasEscapes));
    }
  }
  flush();
}

function isSetting(line: string): boolean {
  return SECTION.test(line) || COMMENT.test(line) || SETTING.test(line);
}

/** A line, continued by others where it ends so, as "name: value". */
function shown(pieces: readonly string[], hasEscapes: boolean): string {
  const line = pieces
    .map((piece, index) => (index === 0 ? piece : piece.trimStart()))
    .map((piece, index) => (index < pieces.length - 1 ? piece.slice(0, -1) : piece))
    .join("");
  const comment = COMMENT.exec(line)?.[1];
  if (comment !== undefined) return comment.trim();
  const [, name, value] = SETTING.exec(line) ?? [];
  if (name === undefined) return line.trim();
  const said = (value ?? "").trim().replace(/^(["'])(.*)\1$/, "$2");
  return `${name.trim()}: ${hasEscapes ? unescaped(said) : said}`;
}

function unescaped(value: string): string {
  return value.replace(/\\(?:u([0-9a-f]{4})|([nrt])|(.))/gi, (_, code?: string, blank?: string, other?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return blank === undefined ? (other ?? "") : " ";
  });
}
