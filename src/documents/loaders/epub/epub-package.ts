/** What an EPUB book consists of (EPUB 3.3, 4 and 5): its text in reading order, and what its navigation calls the parts of it. */
import { oneLine } from "../../clean-text.ts";
import { HEADING_SEPARATOR } from "../../../foundation/place.ts";
import { qualified } from "../office/xml.ts";
import { descendants, elementAt, elementsOf, textIn, type XmlElement } from "../office/xml-tree.ts";
import { partName, type DocumentPackage } from "../office/document-package.ts";

export interface Book {
  readonly metadata: XmlElement | undefined;
  /** The parts that hold the text, without the navigation page. */
  readonly spine: readonly string[];
  /** A part that holds, or begins with, a list of what is in the book; "" without one. */
  readonly contents: string;
  readonly chapters: readonly Chapter[];
}

/** Where a chapter begins. */
export interface Chapter {
  readonly title: string;
  readonly part: string;
  /** The element of the part; "" for its beginning. */
  readonly id: string;
}

/** Levels of the navigation that name a chapter; what is below are its sections, which have headings. */
const CHAPTER_LEVELS = 2;
const NO_TEXT = /^(?:image|audio|video|font)\/|css|javascript|ncx/;
/** Ways to scramble fonts, which say nothing of the text. */
const FONT_SCRAMBLING: ReadonlySet<string> = new Set([
  "http://www.idpf.org/2008/embedding",
  "http://ns.adobe.com/pdf/enc#RC",
]);

/** Null where the package says nowhere what it consists of. */
export function bookIn(parts: DocumentPackage): Book | null {
  const root = descendants(parts.tree("META-INF/container.xml"), "rootfile")[0]?.attributes["full-path"];
  const main = root ?? parts.names.find((name) => name.endsWith(".opf"));
  const book = main === undefined ? null : parts.tree(main);
  if (main === undefined || book === null) return null;
  const items = new Map(
    elementsOf(elementAt(book, "manifest"), "item").map((item) => [item.attributes.id ?? "", item]),
  );
  const partOf = (item: XmlElement | undefined) => referredPart(main, item?.attributes.href ?? "");
  const spine = elementAt(book, "spine");
  const navigation = [...items.values()].find(({ attributes }) => /\bnav\b/.test(attributes.properties ?? ""));
  const ncx =
    items.get(spine?.attributes.toc ?? "") ??
    [...items.values()].find(({ attributes }) => attributes["media-type"]?.includes("ncx"));
  const contents = elementsOf(elementAt(book, "guide"), "reference").find(
    ({ attributes }) => attributes.type === "toc",
  );
  const navigationPage = partOf(navigation);
  return {
    metadata: elementAt(book, "metadata", "dc-metadata") ?? elementAt(book, "metadata"),
    spine: elementsOf(spine, "itemref")
      .map(({ attributes }) => items.get(attributes.idref ?? ""))
      .filter((item) => !NO_TEXT.test(item?.attributes["media-type"] ?? ""))
      .map(partOf)
      .filter((part) => parts.has(part) && part !== navigationPage),
    contents: contents === undefined ? "" : referredPart(main, contents.attributes.href ?? ""),
    chapters: navigation === undefined ? ncxChapters(parts, partOf(ncx)) : navigationChapters(parts, navigationPage),
  };
}

/** The parts whose bytes only those who hold a key can read. */
export function encryptedParts(parts: DocumentPackage): Set<string> {
  const data = descendants(parts.tree("META-INF/encryption.xml"), "EncryptedData").filter(
    (one) => !FONT_SCRAMBLING.has(elementAt(one, "EncryptionMethod")?.attributes.Algorithm ?? ""),
  );
  const references = data.flatMap((one) => descendants(one, "CipherReference"));
  return new Set(references.map(({ attributes }) => referredPart("", attributes.URI ?? "")));
}

/** The navigation page of EPUB 3: lists inside one another. */
function navigationChapters(parts: DocumentPackage, page: string): Chapter[] {
  const navigations = descendants(parts.tree(page), "nav");
  const contents = navigations.find(({ attributes }) => qualified(attributes, "type") === "toc") ?? navigations[0];
  const entries = (list: XmlElement | undefined, above: readonly string[]): Chapter[] =>
    elementsOf(list, "li").flatMap((item) => {
      const label = elementsOf(item).find(({ name }) => name === "a" || name === "span");
      return chapter(page, label, label?.attributes.href, above, (path) => entries(elementAt(item, "ol"), path));
    });
  return entries(elementAt(contents, "ol"), []);
}

/** The navigation of EPUB 2: points inside one another. */
function ncxChapters(parts: DocumentPackage, ncx: string): Chapter[] {
  const entries = (container: XmlElement | undefined, above: readonly string[]): Chapter[] =>
    elementsOf(container, "navPoint").flatMap((point) => {
      const label = elementAt(point, "navLabel", "text");
      return chapter(ncx, label, elementAt(point, "content")?.attributes.src, above, (path) => entries(point, path));
    });
  return entries(elementAt(parts.tree(ncx), "navMap"), []);
}

function chapter(
  from: string,
  label: XmlElement | undefined,
  reference: string | undefined,
  above: readonly string[],
  below: (path: readonly string[]) => Chapter[],
): Chapter[] {
  const path = [...above, oneLine(textIn(label))].filter((title) => title !== "");
  const own = {
    title: path.join(HEADING_SEPARATOR),
    part: referredPart(from, reference ?? ""),
    id: decoded(reference?.split("#")[1] ?? ""),
  };
  const isNamed = reference !== undefined && own.title !== "";
  return [...(isNamed ? [own] : []), ...(above.length + 1 < CHAPTER_LEVELS ? below(path) : [])];
}

function referredPart(from: string, reference: string): string {
  return partName(from, decoded(reference.split("#", 1)[0] ?? ""));
}

/** Without percent signs as addresses have them; what is not written so stays. */
function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}
