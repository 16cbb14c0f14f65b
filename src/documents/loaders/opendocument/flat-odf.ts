/** OpenDocument in one XML file (.fodt, .fods, .fodp; ODF 1.3, 3.1.2): the parts that a package would have, cut out of it. */
import type { Content } from "../../content.ts";
import { FlatPackage } from "../office/flat-package.ts";
import { decodeXml, readXml, type XmlAttributes, type XmlHandler, XmlRefusal, type XmlSpan } from "../office/xml.ts";

const HEAD_CHARACTERS = 16 * 1024;
const ROOT = /<(?:[\w.-]{1,40}:)?document\s[^<>]{0,12000}?:mimetype\s*=\s*["']([\w.+/-]{1,200})["']/;
const NAMESPACE = "urn:oasis:names:tc:opendocument:xmlns:office:";

/** The part in which a package has each child of the root. */
const PARTS: ReadonlyArray<readonly [part: string, children: readonly string[]]> = [
  ["meta.xml", ["meta"]],
  ["styles.xml", ["styles", "master-styles"]],
  ["content.xml", ["automatic-styles", "body"]],
];

/** The type that the file says it is of; null where it is no such file. */
export function flatOdfType({ decoded }: Content): string | null {
  const head = decoded?.text.slice(0, HEAD_CHARACTERS) ?? "";
  return head.includes(NAMESPACE) ? (ROOT.exec(head)?.[1] ?? null) : null;
}

/** Throws UNREADABLE_FILE where elements are nested too deep. */
export function openFlatOdf(content: Content): FlatPackage {
  const xml = decodeXml(content.bytes);
  const sections = new Sections();
  try {
    readXml(xml, sections, content.limits);
  } catch (error) {
    if (error instanceof XmlRefusal) throw content.unreadable(error.message, error);
    throw error;
  }
  const parts = PARTS.flatMap(([name, children]) => {
    const spans = sections.found.filter((section) => children.includes(section.name));
    const text = spans.map(({ start, end }) => xml.slice(start, end)).join("");
    return spans.length === 0 ? [] : [{ name, text: `<document>${text}</document>`, isBase64: false }];
  });
  return new FlatPackage(content, parts);
}

/** The children of the root, and where they stand. */
class Sections implements XmlHandler {
  readonly found: Array<XmlSpan & { readonly name: string }> = [];
  private depth = 0;
  private start = 0;

  open(_name: string, _attributes: XmlAttributes, { start }: XmlSpan): void {
    if (this.depth === 1) this.start = start;
    this.depth += 1;
  }

  text(): void {}

  close(name: string, { end }: XmlSpan): void {
    this.depth -= 1;
    if (this.depth === 1) this.found.push({ name, start: this.start, end });
  }
}
