/** PDF, through pdf.js. The text of pages that are scans is recognised. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import type { Loader, Recognition } from "../loader.ts";
import { annotationsOf } from "./annotations.ts";
import { readAttachments } from "./attachments.ts";
import { mayGiveTexts } from "./given-texts.ts";
import { Headings } from "./headings.ts";
import type { PagePart } from "./page-parts.ts";
import { openPdf } from "./open-pdf.ts";
import { readParts } from "./pages.ts";
import { propertiesOf } from "./properties.ts";
import { ScannedPages } from "./scanned-pages.ts";
import type { ReadMember } from "../../members.ts";

const format = { mimeType: "application/pdf", extensions: ["pdf"] };
const HEADER = "%PDF-";
/** Readers accept a header after this much of something else. */
const HEADER_SEARCH_BYTES = 1024;

export const pdfLoader: Loader = { id: "pdf", formats: [format], recognise, load };

function recognise({ bytes }: Content): Recognition | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEADER_SEARCH_BYTES));
  const at = head.indexOf(HEADER);
  // Behind something else it may also be what is told of, or attached to, what comes before.
  return at < 0 ? null : { certainty: at === 0 ? "certain" : "likely", format };
}

async function load(content: Content, blocks: BlockCollector, readMember: ReadMember): Promise<void> {
  const document = await openPdf(content, content.bytes);
  if (document.numPages > content.limits.maxPages)
    throw content.unreadable(`it has more than ${content.limits.maxPages} pages`);
  try {
    const { info } = await document.getMetadata();
    blocks.describe(propertiesOf(info as Record<string, unknown>));
    const headings = new Headings((await document.getOutline()) ?? []);
    const annotations = await annotationsOf(document);
    const parts: PagePart[] = [];
    let characters = 0;
    const scans = new ScannedPages(content, document.numPages);
    const known = { annotations, givesTexts: mayGiveTexts(content.bytes) };
    for await (const part of readParts(document, known, scans)) {
      characters += part.text.length;
      if (characters > content.limits.maxTextCharacters)
        throw content.overLimit(`it holds more than ${content.limits.maxTextCharacters} characters of text`);
      headings.observe(part);
      parts.push(part);
    }
    headings.settle();
    addParts(parts, headings, blocks);
    await readAttachments(document, annotations.values(), readMember);
  } finally {
    await document.loadingTask.destroy();
  }
}

function addParts(parts: readonly PagePart[], headings: Headings, blocks: BlockCollector): void {
  for (const [index, part] of parts.entries()) {
    const level = headings.levelOf(part, parts[index + 1]);
    blocks.at({ page: part.page });
    blocks.under(part.columns);
    blocks.add(level === undefined ? part.kind : "heading", part.text, level);
  }
  blocks.under(null);
}
