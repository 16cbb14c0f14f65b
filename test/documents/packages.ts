/** Small packages of XML parts made by code: presentations, OpenDocument files and books. */
import { strToU8, zipSync, type Zippable } from "fflate";

export type Parts = Record<string, string | Uint8Array>;

/** A zip container of these parts. `stored` ones come first and are not packed. */
export function packageOf(parts: Parts, stored: Record<string, string> = {}, level: 0 | 6 = 6): Uint8Array {
  const members: Zippable = {};
  for (const [name, text] of Object.entries(stored)) members[name] = [strToU8(text), { level: 0 }];
  for (const [name, part] of Object.entries(parts))
    members[name] = [typeof part === "string" ? strToU8(part) : part, { level }];
  return zipSync(members);
}

/** The part that says how another refers to others: ids to the last word of the type and the target. */
export function relationships(relations: Record<string, readonly [string, string]>): string {
  const entries = Object.entries(relations).map(
    ([id, [type, target]]) =>
      `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries.join("")}</Relationships>`;
}

export interface Slide {
  /** What is inside its p:spTree. */
  shapes: string;
  attributes?: string;
  relations?: Record<string, readonly [string, string]>;
}

/** A presentation of these slides; they are stored in the opposite order. */
export function presentation(slides: readonly Slide[], more: Parts = {}, level: 0 | 6 = 6): Uint8Array {
  const file = (index: number): string => `slide${slides.length - index}.xml`;
  const parts: Parts = {
    "_rels/.rels": relationships({ r1: ["officeDocument", "ppt/presentation.xml"] }),
    "ppt/presentation.xml": `<p:presentation><p:sldIdLst>${slides
      .map((_, index) => `<p:sldId id="${256 + index}" r:id="s${index}"/>`)
      .join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relationships(
      Object.fromEntries([
        ...slides.map((_, index) => [`s${index}`, ["slide", `slides/${file(index)}`]] as const),
        ["a", ["commentAuthors", "commentAuthors.xml"]] as const,
      ]),
    ),
    ...more,
  };
  for (const [index, { shapes, attributes = "", relations = {} }] of slides.entries()) {
    parts[`ppt/slides/${file(index)}`] = slidePart("sld", shapes, attributes);
    parts[`ppt/slides/_rels/${file(index)}.rels`] = relationships(relations);
  }
  return packageOf(parts, {}, level);
}

export function slidePart(root: string, shapes: string, attributes = ""): string {
  return `<p:${root} ${attributes}><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/></p:nvGrpSpPr>${shapes}</p:spTree></p:cSld></p:${root}>`;
}

/** A shape with paragraphs; `role` is its placeholder's type. Paragraphs that begin with "<" are taken as they are. */
export function shape(paragraphs: readonly string[], role?: string, more = ""): string {
  const placeholder = role === undefined ? "" : `<p:ph${role && ` type="${role}"`}/>`;
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="Shape" ${more}/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${drawn(paragraphs)}</p:txBody></p:sp>`;
}

export function drawn(paragraphs: readonly string[]): string {
  return paragraphs.map((text) => (text.startsWith("<") ? text : `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`)).join("");
}

/** A frame around something that is drawn: a table, a chart, a diagram. */
export function frame(content: string): string {
  return `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="Frame"/><p:nvPr/></p:nvGraphicFramePr><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`;
}

const OPEN_DOCUMENT = "application/vnd.oasis.opendocument.";

/** An OpenDocument file of this type, e.g. "text", with this inside its body's element, and these automatic styles. */
export function openDocument(
  type: "text" | "presentation",
  body: string,
  styles = "",
  more: Parts = {},
  level: 0 | 6 = 6,
) {
  const content = `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${type}>${body}</office:${type}></office:body></office:document-content>`;
  return packageOf({ "content.xml": content, ...more }, { mimetype: OPEN_DOCUMENT + type }, level);
}

/** The same in one file: `sections` are what stands in the root before the body, in the order of the standard. */
export function flatOpenDocument(
  type: "text" | "presentation" | "spreadsheet",
  body: string,
  sections = "",
  prologue = "",
): string {
  const namespaces = ["office", "meta", "style", "text", "table", "drawing", "form", "chart"]
    .map((name) => `xmlns:${name === "drawing" ? "draw" : name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join(" ");
  return `<?xml version="1.0" encoding="UTF-8"?>${prologue}
<office:document ${namespaces} xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.3" office:mimetype="${OPEN_DOCUMENT}${type}">${sections}<office:body><office:${type}>${body}</office:${type}></office:body></office:document>`;
}
