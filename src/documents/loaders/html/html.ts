/** Web pages: the main content by Mozilla's Readability where it finds enough of it, otherwise all but the boilerplate. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { decodeAs } from "../../decode-text.ts";
import { htmlBlocks, TooDeep } from "./html-blocks.ts";
import type { HtmlOptions, HtmlSummary } from "./html-blocks.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";
import { removeAsides } from "./page-asides.ts";
import { PageBlocks } from "./page-blocks.ts";
import { PageDescription } from "./page-description.ts";

const format = { mimeType: "text/html", extensions: ["html", "htm", "xhtml"] };

/** Share of the page's prose that Readability must keep to be believed. */
const LEAST_KEPT = 0.5;
/** Characters of an article below which Readability loosens its own rules; its default would give up on short pages. */
const SHORT_ARTICLE_CHARACTERS = 140;
const HEAD_CHARACTERS = 4096;

const DOCUMENT_START =
  /^(?:\s|<!--(?:(?!-->)[^]){0,2000}-->|<\?xml[^>]{0,200}\?>)*<(?:!doctype\s+html|html[\s>]|head[\s>]|body[\s>])/i;
const FRAGMENT_START = /^\s*<(?:div|p|h[1-6]|table|ul|ol|article|section|main|title|meta)[\s>]/i;
const CHARSET = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{2,40})/i;

export const htmlLoader: Loader = { id: "html", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  if (content.decoded === null) return null;
  const head = content.decoded.text.slice(0, HEAD_CHARACTERS);
  if (DOCUMENT_START.test(head)) return { certainty: "certain", format };
  if (FRAGMENT_START.test(head)) return { certainty: "likely", format };
  return namedFormat(htmlLoader, content) === undefined ? null : { certainty: "possible", format };
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  await writePage(await decodePage(content), content, blocks);
}

/** Puts the text of a page into the collector. */
export async function writePage(html: string, content: Content, blocks: BlockCollector): Promise<void> {
  const description = new PageDescription();
  let page = new PageBlocks(content);
  const summary = wholePage(html, page, content, { dropBoilerplate: true, observer: description });
  const properties = description.properties(page.mainHeading);
  blocks.describe(properties);
  const { title = "" } = properties;
  const { article, withoutAsides } = await mainContent(html, summary, content);
  if (withoutAsides !== null) {
    const less = new PageBlocks(content);
    wholePage(withoutAsides, less, content, { dropBoilerplate: true });
    if (less.characters > 0) page = less;
  }
  if (article !== null && article.characters > 0 && keptEnough(article, page)) {
    article
      .withoutAsides()
      .leveledAs(page)
      .titled(title, page.mainHeading === title)
      .copyTo(blocks);
    return;
  }
  if (page.characters === 0) {
    page = new PageBlocks(content);
    wholePage(html, page, content, { dropBoilerplate: false });
  }
  page.titled(title).copyTo(blocks);
}

/** Whether what was found is most of what the page says; what a page of many articles says is more than one of them. */
function keptEnough(article: PageBlocks, page: PageBlocks): boolean {
  if (page.proseCharacters === 0) return article.unlinkedCharacters >= page.unlinkedCharacters * LEAST_KEPT;
  return article.proseCharacters >= page.proseCharacters * LEAST_KEPT;
}

function wholePage(
  html: string,
  page: PageBlocks,
  content: Content,
  options: Omit<HtmlOptions, "maxDepth">,
): HtmlSummary {
  const maxDepth = content.limits.maxElementDepth;
  try {
    return htmlBlocks(html, page, { ...options, maxDepth });
  } catch (error) {
    if (error instanceof TooDeep) throw content.unreadable(`its elements are nested more than ${maxDepth} deep`);
    throw error;
  }
}

/** The page's text; a declared encoding is believed unless the bytes are valid UTF-8 or carry a mark. */
export async function decodePage({ decoded, bytes }: Content): Promise<string> {
  if (decoded === null) return "";
  const declared = CHARSET.exec(decoded.text.slice(0, HEAD_CHARACTERS))?.[1]?.toLowerCase();
  if (decoded.sure || declared === undefined || declared.startsWith("utf")) return decoded.text;
  return (await decodeAs(bytes, declared)) ?? decoded.text;
}

interface MainContent {
  /** Null where none was found. */
  readonly article: PageBlocks | null;
  /** The page's markup without what stands beside its content; null where there is nothing such. */
  readonly withoutAsides: string | null;
}

async function mainContent(html: string, { elements, depth }: HtmlSummary, content: Content): Promise<MainContent> {
  const { limits } = content;
  const nothing: MainContent = { article: null, withoutAsides: null };
  if (elements > limits.maxScoredElements || depth > limits.maxScoredDepth) return nothing;
  const [{ Readability }, { parseHTML }] = await Promise.all([import("@mozilla/readability"), import("linkedom")]);
  let withoutAsides: string | null = null;
  let found: { content?: string | null } | null;
  try {
    const { document } = parseHTML(html);
    if (removeAsides(document)) withoutAsides = document.toString();
    found = new Readability(document, { charThreshold: SHORT_ARTICLE_CHARACTERS, disableJSONLD: true }).parse();
  } catch {
    // It was written for the trees of browsers and trips over some broken pages; those are taken whole.
    return nothing;
  }
  if (!found?.content) return { article: null, withoutAsides };
  const article = new PageBlocks(content);
  htmlBlocks(found.content, article, { dropBoilerplate: true, maxDepth: limits.maxElementDepth });
  return { article, withoutAsides };
}
