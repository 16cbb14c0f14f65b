/** PDF, through pdf.js in the build that unpdf makes for servers. Text only; scanned pages hold none. */
import type { BlockCollector } from "../block-collector.ts";
import type { Content } from "../content.ts";
import type { Loader, Recognition } from "./loader.ts";
import { paragraphsOf, usualHeight } from "./pdf-lines.ts";
import type { PdfLine } from "./pdf-lines.ts";

const format = { mimeType: "application/pdf", extensions: ["pdf"] };
const HEADER = "%PDF-";
/** Readers accept a header after this much of something else. */
const HEADER_SEARCH_BYTES = 1024;
/** Letters raised or lowered by less than this share of their line's height belong to it. */
const MOST_RISE = 0.7;

export const pdfLoader: Loader = { id: "pdf", name: "PDF", formats: [format], recognise, load };

/** The part of pdf.js's text items that is used. */
interface TextItem {
  str: string;
  transform: number[];
  height: number;
  hasEOL: boolean;
}

function recognise({ bytes }: Content): Recognition | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEADER_SEARCH_BYTES));
  return head.includes(HEADER) ? { certainty: "certain", format } : null;
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const [{ getDocumentProxy }, { CharacterMaps }] = await Promise.all([
    import("unpdf"),
    import("../character-maps/index.ts"),
  ]);
  // pdf.js takes possession of the bytes it is given.
  const document = await getDocumentProxy(new Uint8Array(content.bytes), {
    verbosity: 0,
    BinaryDataFactory: CharacterMaps,
    // Only that it is set counts; the factory knows where the maps are.
    cMapUrl: "character-maps/",
    cMapPacked: true,
    useWorkerFetch: false,
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: false,
  }).catch((error: unknown) => {
    throw content.unreadable(refusal(error), error);
  });
  if (document.numPages > content.limits.maxPages)
    throw content.unreadable(`it has more than ${content.limits.maxPages} pages`);
  try {
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const lines = linesOf(items.filter((item): item is typeof item & TextItem => "str" in item));
      for (const { text, heading } of paragraphsOf(lines, usualHeight(lines))) {
        blocks.add(heading ? "heading" : "paragraph", text, heading ? 2 : undefined);
      }
      page.cleanup();
    }
  } finally {
    await document.loadingTask.destroy();
  }
}

function refusal(error: unknown): string {
  if (error instanceof Error && error.name === "PasswordException") return "it is protected with a password";
  return "it is damaged or cut off";
}

function linesOf(items: readonly TextItem[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let line = null as PdfLine | null;
  let parts: string[] = [];
  let longest = 0;
  const end = () => {
    if (line !== null && parts.join("").trim() !== "") lines.push({ ...line, text: parts.join("") });
    line = null;
    parts = [];
    longest = 0;
  };
  for (const { str, transform, height, hasEOL } of items) {
    if (str.trim() !== "") {
      // Text drawn elsewhere begins a line of its own; raised and lowered letters stay.
      if (line !== null && Math.abs(line.y - (transform[5] ?? 0)) > line.height * MOST_RISE) end();
      const letters = height || Math.hypot(transform[2] ?? 0, transform[3] ?? 0);
      line ??= { text: "", x: transform[4] ?? 0, y: transform[5] ?? 0, height: letters };
      // Bullets and raised figures are of another size; the longest part speaks for the line.
      if (str.length >= longest) line.height = letters;
      longest = Math.max(longest, str.length);
    }
    parts.push(str);
    if (hasEOL) end();
  }
  end();
  return lines;
}
