/** Word documents (.docx), through mammoth. Only the parts that hold text are unpacked, within limits. */
import { zipSync } from "fflate";
import type { BlockCollector } from "../block-collector.ts";
import { holdsStream, isCompoundFile } from "../compound-file.ts";
import type { Content } from "../content.ts";
import { isZip, zipMembers, ZipReader, ZipRefusal } from "../zip-container.ts";
import { htmlBlocks } from "./html-blocks.ts";
import { namedFormat } from "./loader.ts";
import type { Loader, Recognition } from "./loader.ts";
import { withoutSpans } from "./spans.ts";

const format = {
  mimeType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  extensions: ["docx", "docm", "dotx"],
};

/** Where Word keeps text, styles, numbering, notes and comments; pictures and fonts lie elsewhere or end otherwise. */
const TEXT_PART = /^(?:\[Content_Types\]\.xml|_rels\/\.rels|word\/.*\.(?:xml|rels))$/i;
const MAIN_PART = /^word\/document\d*\.xml$/i;

export const docxLoader: Loader = { id: "docx", name: "Word (.docx)", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  const named = namedFormat(docxLoader, content) !== undefined;
  if (isCompoundFile(content.bytes)) {
    return named && holdsStream(content.bytes, "EncryptedPackage") ? { certainty: "possible", format } : null;
  }
  if (!isZip(content.bytes)) return null;
  try {
    const names = [...zipMembers(content.bytes, content.limits).keys()];
    return names.some((name) => MAIN_PART.test(name)) ? { certainty: "certain", format } : null;
  } catch (error) {
    // A container too damaged to look into is Word's if its name says so; loading it then says what is wrong.
    if (error instanceof ZipRefusal && named) return { certainty: "possible", format };
    return null;
  }
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  if (isCompoundFile(content.bytes)) throw content.unreadable("it is protected with a password");
  const container = withoutPictures(content);
  const { default: mammoth } = await import("mammoth");
  const { value: html } = await mammoth.convertToHtml(
    { buffer: Buffer.from(container) },
    // A style map inside the document is a program of sorts; pictures are not in the container any more.
    { includeEmbeddedStyleMap: false, convertImage: mammoth.images.imgElement(async () => ({ src: "" })) },
  );
  htmlBlocks(html, blocks, { maxDepth: content.limits.maxElementDepth });
}

/** The document as a new container, not compressed, of its text parts only. */
function withoutPictures(content: Content): Uint8Array {
  try {
    const reader = new ZipReader(content.bytes, content.limits);
    const parts: Record<string, Uint8Array> = {};
    for (const [name, member] of zipMembers(content.bytes, content.limits)) {
      if (TEXT_PART.test(name))
        parts[name] = MAIN_PART.test(name) ? withoutRuby(reader.read(member)) : reader.read(member);
    }
    return zipSync(parts, { level: 0 });
  } catch (error) {
    if (error instanceof ZipRefusal) throw content.unreadable(error.message, error);
    throw error;
  }
}

/** Keeps the base text of East Asian reading aids, which mammoth would drop together with the readings. */
function withoutRuby(part: Uint8Array): Uint8Array {
  if (!Buffer.from(part.buffer, part.byteOffset, part.byteLength).includes("<w:rubyBase")) return part;
  const text = withoutSpans(
    withoutSpans(new TextDecoder().decode(part), "<w:rubyPr>", "</w:rubyPr>"),
    "<w:rt>",
    "</w:rt>",
  );
  return new TextEncoder().encode(text.replace(/<\/?w:ruby(?:Base)?>/g, ""));
}
