/** EPUB books: the pages of the text in reading order, each passage with its chapter. */
import type { BlockCollector } from "../../block-collector.ts";
import type { BlockKind } from "../../blocks.ts";
import type { Content } from "../../content.ts";
import { dublinCore } from "../office/dublin-core.ts";
import { type Book, bookIn, encryptedParts } from "./epub-package.ts";
import { htmlBlocks, TooDeep } from "../html/html-blocks.ts";
import type { BlockSink } from "../html/html-blocks.ts";
import type { Loader, Recognition } from "../loader.ts";
import { descendants, elementAt, textIn, type XmlElement } from "../office/xml-tree.ts";
import { openPackage, recognisePackage } from "../office/open-package.ts";

/** Share of a page's letters in links from which on it is nothing but a list of contents. */
const LEAST_LINKED = 0.5;

const format = { mimeType: "application/epub+zip", extensions: ["epub"] };

export const epubLoader: Loader = { id: "epub", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  return recognisePackage(epubLoader, content, (parts) => {
    const type = parts.has("mimetype") ? new TextDecoder().decode(parts.read("mimetype")?.subarray(0, 100)) : "";
    const isBook = parts.has("META-INF/container.xml") && parts.names.some((name) => name.endsWith(".opf"));
    return type.trim() === format.mimeType || isBook ? format : null;
  });
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const parts = openPackage(content);
  const book = bookIn(parts);
  if (book === null) throw content.unreadable("it does not say what it consists of");
  const encrypted = encryptedParts(parts);
  if (book.spine.some((part) => encrypted.has(part)))
    throw content.unreadable(
      "its text is encrypted by digital rights management (DRM), and only its shop's reader has the key",
    );
  blocks.describe(dublinCore(book.metadata));
  const pages = new BookPages(book, blocks);
  for (const part of book.spine) {
    if (part === book.contents && isListOfLinks(parts.tree(part))) continue;
    pages.begin(part);
    addPage(parts.text(part) ?? "", pages, content);
  }
}

function addPage(html: string, pages: BookPages, content: Content): void {
  const { maxElementDepth } = content.limits;
  try {
    htmlBlocks(html, pages, { maxDepth: maxElementDepth, selfClosing: true, reached: (id) => pages.reached(id) });
  } catch (error) {
    if (error instanceof TooDeep)
      throw content.unreadable(`its elements are nested more than ${maxElementDepth} deep`, error);
    throw error;
  }
}

function isListOfLinks(page: XmlElement | null): boolean {
  const links = descendants(page, "a").map((link) => lettersIn(textIn(link)));
  const all = lettersIn(textIn(elementAt(page, "body")));
  return links.reduce((sum, letters) => sum + letters, 0) >= all * LEAST_LINKED;
}

function lettersIn(text: string): number {
  return text.replace(/\s+/g, "").length;
}

/** Says which chapter what is added is of: what the navigation calls it, or without one the first heading of its page. */
class BookPages implements BlockSink {
  private readonly starts = new Map<string, string>();
  private part = "";
  private chapter: string | undefined;

  constructor(
    private readonly book: Book,
    private readonly blocks: BlockCollector,
  ) {
    // Where several begin at one place, the first holds the others.
    for (const { title, part, id } of book.chapters)
      if (!this.starts.has(`${part}#${id}`)) this.starts.set(`${part}#${id}`, title);
  }

  begin(part: string): void {
    this.part = part;
    if (this.book.chapters.length === 0) this.chapter = undefined;
    this.reached("");
  }

  reached(id: string): void {
    this.chapter = this.starts.get(`${this.part}#${id}`) ?? this.chapter;
  }

  add(kind: BlockKind, text: string, level?: number): void {
    if (this.book.chapters.length === 0 && kind === "heading") this.chapter ??= text;
    this.blocks.at(this.chapter === undefined ? {} : { chapter: this.chapter });
    this.blocks.add(kind, text, level);
  }
}
