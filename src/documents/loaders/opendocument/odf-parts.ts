/** What OpenDocument texts and presentations have in common beside their text: how they are recognised, refused, described and drawn from parts. */
import type { BlockCollector } from "../../block-collector.ts";
import { oneLine } from "../../clean-text.ts";
import type { Content } from "../../content.ts";
import { dublinCore } from "../office/dublin-core.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";
import { flatOdfType, openFlatOdf } from "./flat-odf.ts";
import { OdfStyles } from "./odf-styles.ts";
import { qualified, type XmlAttributes, type XmlHandler } from "../office/xml.ts";
import { descendants, elementAt, textIn, type XmlElement } from "../office/xml-tree.ts";
import { partName, type DocumentPackage } from "../office/document-package.ts";
import { openPackage, recognisePackage } from "../office/open-package.ts";

const MAIN_PART = "content.xml";
const LONGEST_MIME_TYPE = 200;

/** Elements whose text is none of the document's, or stands elsewhere too. */
export const LEFT_OUT_OF_ODF: ReadonlySet<string> = new Set(
  "tracked-changes ruby-text script event-listeners font-face-decls settings scripts table-of-content illustration-index table-index object-index alphabetical-index creator-initials sender-initials binary-data page-thumbnail master-styles header-decl footer-decl date-time-decl".split(
    " ",
  ),
);

export function isOdfHidden(name: string, attributes: XmlAttributes): boolean {
  if (name === "section")
    return qualified(attributes, "display") === "none" || qualified(attributes, "is-hidden") === "true";
  return name === "hidden-text" && qualified(attributes, "is-hidden") === "true";
}

/** Packages say their type in a part of its own; some writers leave it out, and then the name speaks. Flat files say it in their root, and are of the loader's last format. */
export function recogniseOdf(loader: Pick<Loader, "formats">, content: Content): Recognition | null {
  const flat = flatOdfType(content);
  if (flat !== null) {
    const isOurs = loader.formats.some(({ mimeType }) => mimeType === flat);
    return isOurs ? { certainty: "certain", format: loader.formats.at(-1)! } : null;
  }
  return recognisePackage(loader, content, (parts) => {
    if (!parts.has(MAIN_PART)) return null;
    const type = new TextDecoder().decode(parts.read("mimetype")?.subarray(0, LONGEST_MIME_TYPE) ?? new Uint8Array());
    if (type === "") return namedFormat(loader, content) ?? null;
    return loader.formats.find(({ mimeType }) => mimeType === type.trim()) ?? null;
  });
}

/** The parts of a document, be it a package or flat. Throws UNREADABLE_FILE where they cannot be told. */
export function openOdfPackage(content: Content): DocumentPackage {
  return flatOdfType(content) === null ? openPackage(content) : openFlatOdf(content);
}

/** What a body is read with. */
export interface OdfDocument {
  readonly parts: DocumentPackage;
  readonly styles: OdfStyles;
  readonly objects: OdfObjects;
}

/** Opens a document and tells what it says of itself. Throws UNREADABLE_FILE where it is encrypted. */
export function openOdf(content: Content, blocks: BlockCollector): OdfDocument {
  const parts = openOdfPackage(content);
  const isEncrypted = descendants(parts.tree("META-INF/manifest.xml"), "file-entry").some(
    (entry) =>
      qualified(entry.attributes, "full-path") === MAIN_PART && elementAt(entry, "encryption-data") !== undefined,
  );
  if (isEncrypted) throw content.unreadable("it is protected with a password");
  blocks.describe(dublinCore(elementAt(parts.tree("meta.xml"), "meta")));
  const styles = new OdfStyles();
  parts.walk("styles.xml", styles);
  return { parts, styles, objects: new OdfObjects(parts) };
}

/** Walks the main part. Throws UNREADABLE_FILE where there is none. */
export function walkOdf(content: Content, { parts }: OdfDocument, handler: XmlHandler): void {
  if (!parts.walk(MAIN_PART, handler)) throw content.unreadable("its main part is missing");
}

/** What stands at the head and the foot of pages, or on all slides, once; not what only numbers them. */
export function runningLines(places: readonly XmlElement[]): Set<string> {
  const lines = places.flatMap((place) => descendants(place, "p", "h")).map((line) => oneLine(textIn(line)));
  return new Set(lines.filter((line) => /\p{L}{3}/u.test(line)));
}

/** Formulas and charts that lie in parts of their own. Each is read once, so that those that hold one another end. */
export class OdfObjects {
  private readonly written = new Set<string>();

  constructor(private readonly parts: DocumentPackage) {}

  /** A formula as it was typed; null for what is none. */
  formula(reference: string): string | null {
    const root = this.parts.has(this.partOf(reference)) ? this.parts.tree(this.partOf(reference)) : null;
    return root?.name === "math" ? formulaText(root) : null;
  }

  /** Tells the handler what is in an object. */
  write(reference: string, handler: XmlHandler): void {
    const part = this.partOf(reference);
    if (this.written.has(part)) return;
    this.written.add(part);
    this.parts.walk(part, handler);
  }

  private partOf(reference: string): string {
    return `${partName("", reference)}/${MAIN_PART}`;
  }
}

/** A formula (MathML) as it was typed, or else what stands in it. */
export function formulaText(math: XmlElement): string {
  const [typed] = descendants(math, "annotation");
  return textIn(typed ?? math)
    .replace(/\s+/g, " ")
    .trim();
}
