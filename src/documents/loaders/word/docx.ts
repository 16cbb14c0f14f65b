/** Word documents (.docx), through mammoth. Only the parts that hold text are unpacked, within limits. */
import { zipSync } from "fflate";
import type { BlockCollector } from "../../block-collector.ts";
import { holdsStream, isCompoundFile } from "../../compound-file.ts";
import type { Content } from "../../content.ts";
import type { ReadMember } from "../../members.ts";
import { DocxBlocks } from "./docx-blocks.ts";
import { DocxNumbering } from "./docx-numbering.ts";
import { DocxRewriting } from "./docx-rewriting.ts";
import { DocxStyles } from "./docx-styles.ts";
import { docxLines } from "./docx-text.ts";
import { dublinCore } from "../office/dublin-core.ts";
import { htmlBlocks } from "../html/html-blocks.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";
import { readEmbedded } from "../office/office-embedded.ts";
import { mainPart, related, type Relation, relationsOf } from "../office/office-relations.ts";
import { withoutSpans } from "../text/spans.ts";
import { qualified } from "../office/xml.ts";
import { elementsOf } from "../office/xml-tree.ts";
import type { DocumentPackage } from "../office/document-package.ts";
import { flatOpcFormat, isFlatOpc } from "../office/flat-opc.ts";
import { openPackage, recognisePackage } from "../office/open-package.ts";

const format = {
  mimeType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  extensions: ["docx", "docm", "dotx", "dotm"],
};

/** Where Word keeps text, styles, numbering, notes and comments; pictures and fonts lie elsewhere or end otherwise. */
const TEXT_PART = /^(?:\[content_types\]\.xml|_rels\/\.rels|word\/.*\.(?:xml|rels))$/;
const MAIN_PART = /^word\/document\d*\.xml$/;
/** Parts whose text mammoth reads. */
const REWRITTEN_PART = /^word\/(?:document|footnotes|endnotes)\d*\.xml$/;
/** Longer words than page numbers have. */
const WORD = /\p{L}{3}/u;

export const docxLoader: Loader = { id: "docx", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  if (isCompoundFile(content.bytes)) {
    const named = namedFormat(docxLoader, content) !== undefined;
    return named && holdsStream(content.bytes, "EncryptedPackage") ? { certainty: "possible", format } : null;
  }
  return recognisePackage(docxLoader, content, (parts) =>
    parts.names.some((name) => MAIN_PART.test(name)) ? (isFlatOpc(content) ? flatOpcFormat : format) : null,
  );
}

async function load(content: Content, blocks: BlockCollector, readMember: ReadMember): Promise<void> {
  if (isCompoundFile(content.bytes)) throw content.unreadable("it is protected with a password");
  await writeDocx(openPackage(content), content, blocks, readMember);
}

/** Reads a document that is made of these parts. */
export async function writeDocx(
  parts: DocumentPackage,
  content: Content,
  blocks: BlockCollector,
  readMember: ReadMember,
): Promise<void> {
  blocks.describe(dublinCore(parts.tree("docProps/core.xml")));
  const main = mainPart(parts, "word/document.xml");
  const relations = relationsOf(parts, main);
  const container = textParts(content, parts, relations);
  const { default: mammoth } = await import("mammoth");
  const { value: html } = await mammoth.convertToHtml(
    { buffer: Buffer.from(container) },
    {
      // A style map inside the document is a program of sorts; pictures are not in the container any more.
      includeEmbeddedStyleMap: false,
      styleMap: ["p[style-name='Title'] => h1:fresh"],
      convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
    },
  );
  htmlBlocks(html, new DocxBlocks(blocks), { maxDepth: content.limits.maxElementDepth });
  blocks.under(null);
  for (const line of runningLines(parts, relations)) blocks.add("paragraph", line);
  await readEmbedded(content, parts, relations, readMember);
}

/** The document as a new container, not compressed, of its text parts only, with all that is printed in them. */
function textParts(content: Content, parts: DocumentPackage, relations: ReadonlyMap<string, Relation>): Uint8Array {
  const [stylesPart = "word/styles.xml"] = related(relations, "styles");
  const [numberingPart = "word/numbering.xml"] = related(relations, "numbering");
  const styles = new DocxStyles(parts.tree(stylesPart));
  const numbering = new DocxNumbering(parts.tree(numberingPart), styles);
  const comments = commentTexts(parts, relations);
  const members: Record<string, Uint8Array> = {};
  for (const name of parts.names) {
    if (!TEXT_PART.test(name)) continue;
    if (!REWRITTEN_PART.test(name)) {
      members[parts.nameOf(name)] = parts.read(name)!;
      continue;
    }
    const xml = withoutRuby(parts.text(name)!);
    const rewriting = new DocxRewriting(xml, content.limits, styles, numbering, comments);
    parts.walkText(xml, rewriting);
    members[parts.nameOf(name)] = new TextEncoder().encode(rewriting.rewritten);
  }
  return zipSync(members, { level: 0 });
}

function commentTexts(parts: DocumentPackage, relations: ReadonlyMap<string, Relation>): Map<string, string> {
  const comments = new Map<string, string>();
  for (const part of related(relations, "comments"))
    for (const comment of elementsOf(parts.tree(part), "comment")) {
      const author = qualified(comment.attributes, "author") ?? "";
      const text = docxLines(comment).join(" ");
      const by = author === "" ? "Comment" : `Comment by ${author}`;
      if (text !== "") comments.set(qualified(comment.attributes, "id") ?? "", `${by}: ${text}`);
    }
  return comments;
}

/** What stands at the head and the foot of pages, once; not what only numbers them. */
function runningLines(parts: DocumentPackage, relations: ReadonlyMap<string, Relation>): Set<string> {
  const places = [...related(relations, "header"), ...related(relations, "footer")];
  const lines = places.flatMap((part) => docxLines(parts.tree(part)));
  return new Set(lines.filter((line) => WORD.test(line)));
}

/** Keeps the base text of East Asian reading aids, which mammoth would drop together with the readings. */
function withoutRuby(xml: string): string {
  if (!xml.includes("<w:rubyBase")) return xml;
  const text = withoutSpans(withoutSpans(xml, "<w:rubyPr>", "</w:rubyPr>"), "<w:rt>", "</w:rt>");
  return text.replace(/<\/?w:ruby(?:Base)?>/g, "");
}
