/** Web pages: the main content by Mozilla's Readability where it finds enough of it, otherwise all but the boilerplate. */
import { cleanText } from "../blocks.ts";
import type { Block, BlockKind } from "../blocks.ts";
import type { BlockCollector } from "../block-collector.ts";
import type { Content } from "../content.ts";
import { decodeAs } from "../decode-text.ts";
import { htmlBlocks, TooDeep } from "./html-blocks.ts";
import type { BlockSink, HtmlSummary } from "./html-blocks.ts";
import { namedFormat } from "./loader.ts";
import type { Loader, Recognition } from "./loader.ts";

const format = { mimeType: "text/html", extensions: ["html", "htm", "xhtml"] };

/** Share of the page's text outside links that Readability must keep to be believed. */
const LEAST_KEPT = 0.5;
/** Characters of an article below which Readability loosens its own rules; its default would give up on short pages. */
const SHORT_ARTICLE_CHARACTERS = 140;
const HEAD_CHARACTERS = 4096;

const DOCUMENT_START =
  /^(?:\s|<!--[^]{0,2000}?-->|<\?xml[^>]{0,200}\?>)*<(?:!doctype\s+html|html[\s>]|head[\s>]|body[\s>])/i;
const FRAGMENT_START = /^\s*<(?:div|p|h[1-6]|table|ul|ol|article|section|main|title|meta)[\s>]/i;
const CHARSET = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{2,40})/i;

export const htmlLoader: Loader = { id: "html", name: "HTML", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  if (content.decoded === null) return null;
  const head = content.decoded.text.slice(0, HEAD_CHARACTERS);
  if (DOCUMENT_START.test(head)) return { certainty: "certain", format };
  if (FRAGMENT_START.test(head)) return { certainty: "likely", format };
  return namedFormat(htmlLoader, content) === undefined ? null : { certainty: "possible", format };
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const html = await decodePage(content);
  const page = new PageBlocks();
  let summary = wholePage(html, page, content, true);
  const article = await mainContent(html, summary, content);
  if (article !== null && article.characters > 0 && article.characters >= summary.proseCharacters * LEAST_KEPT) {
    article.titled(article.title).copyTo(blocks);
    return;
  }
  if (page.characters === 0) summary = wholePage(html, page, content, false);
  page.titled(summary.title).copyTo(blocks);
}

function wholePage(html: string, page: PageBlocks, content: Content, dropBoilerplate: boolean): HtmlSummary {
  const maxDepth = content.limits.maxElementDepth;
  try {
    return htmlBlocks(html, page, { dropBoilerplate, maxDepth });
  } catch (error) {
    if (error instanceof TooDeep) throw content.unreadable(`its elements are nested more than ${maxDepth} deep`);
    throw error;
  }
}

/** The page's text; a declared encoding is believed unless the bytes are valid UTF-8 or carry a mark. */
async function decodePage({ decoded, bytes }: Content): Promise<string> {
  if (decoded === null) return "";
  const declared = CHARSET.exec(decoded.text.slice(0, HEAD_CHARACTERS))?.[1]?.toLowerCase();
  if (decoded.sure || declared === undefined || declared.startsWith("utf")) return decoded.text;
  return (await decodeAs(bytes, declared)) ?? decoded.text;
}

async function mainContent(
  html: string,
  { elements, depth }: HtmlSummary,
  { limits }: Content,
): Promise<Article | null> {
  if (elements > limits.maxScoredElements || depth > limits.maxScoredDepth) return null;
  const [{ Readability }, { parseHTML }] = await Promise.all([import("@mozilla/readability"), import("linkedom")]);
  let found: { content?: string | null; title?: string | null } | null;
  try {
    found = new Readability(parseHTML(html).document, { charThreshold: SHORT_ARTICLE_CHARACTERS }).parse();
  } catch {
    // It was written for the trees of browsers and trips over some broken pages; those are taken whole.
    return null;
  }
  if (!found?.content) return null;
  const article = new Article(found.title ?? "");
  htmlBlocks(found.content, article, { dropBoilerplate: true, maxDepth: limits.maxElementDepth });
  return article;
}

/** Blocks of one reading of the page, kept until it is clear which reading is used. */
class PageBlocks implements BlockSink {
  private readonly blocks: Block[] = [];
  characters = 0;

  add(kind: BlockKind, text: string, level?: number): void {
    this.characters += text.length;
    this.blocks.push(level === undefined ? { kind, text } : { kind, level, text });
  }

  /** Puts the title in front unless the page begins with it or has a main heading of its own. */
  titled(title: string): this {
    const hasMainHeading = this.blocks.some(({ kind, level }) => kind === "heading" && level === 1);
    if (
      title.trim() !== "" &&
      !hasMainHeading &&
      this.blocks[0]?.text.trim() !== title.trim() &&
      this.blocks.length > 0
    ) {
      this.blocks.unshift({ kind: "heading", level: 1, text: cleanText(title) });
    }
    return this;
  }

  copyTo(collector: BlockCollector): void {
    for (const { kind, text, level } of this.blocks) collector.add(kind, text, level);
  }
}

class Article extends PageBlocks {
  constructor(readonly title: string) {
    super();
  }
}
