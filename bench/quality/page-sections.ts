/** Reads sections out of unpacked help (Mallard, DocBook) and manual pages (roff, its `man` macros). */
import { Glob } from "bun";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Parser } from "htmlparser2";

export interface Section {
  /** The same in every language: program, page, and the section's place in it. */
  readonly key: string;
  /** ISO 639-1; regions share their language. */
  readonly language: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

const SECTION_TAGS = new Set(["page", "section", "chapter", "sect1", "sect2", "sect3", "sect4", "preface", "appendix"]);
const PARAGRAPH_TAGS = new Set(["p", "para", "simpara"]);
const TITLE_TAG = "title";
/** Their text is for machines, or repeats the page's. */
const SKIPPED_TAGS = new Set([
  "info",
  "articleinfo",
  "bookinfo",
  "legalnotice",
  "screen",
  "programlisting",
  "code",
  "indexterm",
]);

/** Sections of every help page below `folder`. */
export function helpSections(folder: string): Section[] {
  const sections: Section[] = [];
  for (const path of new Glob("usr/share/help/*/**/*.{page,docbook,xml}").scanSync(folder)) {
    const [, language, page] = /^usr\/share\/help\/([^/]+)\/(.*)$/.exec(path)!;
    const found = readMarkup(readFileSync(join(folder, path), "utf8"));
    found.forEach(({ heading, paragraphs }, index) =>
      sections.push({ key: `${page}#${index}`, language: languageOf(language!), heading, paragraphs }),
    );
  }
  return sections;
}

function readMarkup(source: string): { heading: string; paragraphs: string[] }[] {
  const sections: { heading: string; paragraphs: string[] }[] = [];
  const open: { heading: string; paragraphs: string[] }[] = [];
  const path: string[] = [];
  let text: string | null = null;
  let skipped = 0;
  const parser = new Parser(
    {
      onopentag(name) {
        path.push(name);
        if (SKIPPED_TAGS.has(name)) skipped++;
        if (SECTION_TAGS.has(name)) {
          const section = { heading: "", paragraphs: [] };
          sections.push(section);
          open.push(section);
        }
        if (skipped === 0 && (name === TITLE_TAG || PARAGRAPH_TAGS.has(name))) text = "";
      },
      ontext(data) {
        if (text !== null && skipped === 0) text += data;
      },
      onclosetag(name) {
        path.pop();
        if (SKIPPED_TAGS.has(name)) skipped--;
        const section = open.at(-1);
        if (text !== null && section && (name === TITLE_TAG || PARAGRAPH_TAGS.has(name))) {
          const line = text.replace(/\s+/g, " ").trim();
          if (PARAGRAPH_TAGS.has(name) && line !== "") section.paragraphs.push(line);
          // Figures and tables have titles too.
          if (name === TITLE_TAG && section.heading === "" && SECTION_TAGS.has(path.at(-1) ?? ""))
            section.heading = line;
          text = null;
        }
        if (SECTION_TAGS.has(name)) open.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(source);
  return sections;
}

/** Of each manual page below `folder`: its line of what it is about, and what it describes. */
export function manualSections(folder: string): Section[] {
  const sections: Section[] = [];
  for (const path of new Glob("usr/share/man/**/*.gz").scanSync(folder)) {
    const [, language = "en", page] = /^usr\/share\/man\/(?:([^/]+)\/)?man\d[^/]*\/(.*)\.gz$/.exec(path) ?? [];
    if (page === undefined) continue;
    const parts = readRoff(gunzipSync(readFileSync(join(folder, path))).toString("utf8"));
    const about = /^.*?\s[-–—]+\s(.*)$/s.exec(parts[0]?.join(" ") ?? "")?.[1]?.trim();
    // After the name and the synopsis comes the description.
    const description = parts[2];
    if (about === undefined || description === undefined) continue;
    sections.push({ key: `man/${page}`, language: languageOf(language), heading: about, paragraphs: description });
  }
  return sections;
}

/** Paragraphs of each `.SH` section. Pages that use other macros give none that are long enough. */
function readRoff(source: string): string[][] {
  const sections: string[][] = [];
  let paragraph = "";
  const endParagraph = (): void => {
    if (paragraph.trim() !== "") sections.at(-1)?.push(paragraph.replace(/\s+/g, " ").trim());
    paragraph = "";
  };
  for (const line of source.split("\n")) {
    const macro = /^[.'](\w+)\s*(.*)$/.exec(line);
    if (macro?.[1] === "SH") {
      endParagraph();
      sections.push([]);
    } else if (macro && ["PP", "P", "LP", "TP", "IP", "SS", "RS", "RE"].includes(macro[1]!)) endParagraph();
    else if (macro && ["B", "I", "BR", "RB", "IR", "RI", "BI", "IB"].includes(macro[1]!))
      paragraph += ` ${plainRoff(macro[2]!.replace(/"([^"]*)"/g, "$1"))}`;
    else if (!/^[.']/.test(line)) paragraph += ` ${plainRoff(line)}`;
  }
  endParagraph();
  return sections;
}

const plainRoff = (text: string): string =>
  text
    .replace(/\\f(?:\[\w*\]|\(..|.)/g, "")
    .replace(/\\(?:\(em|\(en|\(hy|-)/g, "-")
    .replace(/\\[&%/,|^:]/g, "")
    .replace(/\\~/g, " ")
    .replace(/\\\((?:aq|cq|oq)/g, "'")
    .replace(/\\\((?:lq|rq|dq)/g, '"')
    .replace(/\\e/g, "\\")
    .replace(/\\s[-+]?\d/g, "");

/** "C" is English; "pt_BR" is "pt"; "sr@latin", which shares no letter with "sr", is a language of its own. */
const languageOf = (code: string): string =>
  code === "C" ? "en" : code.split(/[_@.]/)[0]! + (code.includes("@latin") ? "-Latn" : "");
