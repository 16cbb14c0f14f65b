/** Small documents made by code, and one way to read any of them. */
import { strFromU8, strToU8, zipSync, zlibSync } from "fflate";
import type { Block } from "../../src/documents/blocks.ts";
import { readBlocks } from "../../src/documents/read-document.ts";
import type { ReadingLimits } from "../../src/documents/limits.ts";

/** The blocks of a file given by its name and content. */
export async function blocksOf(
  name: string,
  content: string | Uint8Array,
  limits: Partial<ReadingLimits> = {},
): Promise<Block[]> {
  return (await readBlocks(bytesOf(content), name, null, limits)).blocks;
}

/** The texts of the blocks, headings marked. */
export async function textsOf(
  name: string,
  content: string | Uint8Array,
  limits: Partial<ReadingLimits> = {},
): Promise<string[]> {
  return (await blocksOf(name, content, limits)).map(({ kind, level, text }) =>
    kind === "heading" ? `h${level} ${text}` : text,
  );
}

/** Each block as its line and its text, headings marked. */
export async function placedOf(name: string, text: string): Promise<string[]> {
  const blocks = await blocksOf(name, text);
  return blocks.map(
    ({ kind, level, text: said, place }) => `${place?.line} ${kind === "heading" ? `h${level} ` : ""}${said}`,
  );
}

export function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

/** A Word document with this inside `w:body`. */
export function wordDocument(body: string, more: Record<string, Uint8Array> = {}): Uint8Array {
  const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const packaging = "http://schemas.openxmlformats.org/package/2006";
  const main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
  return zipSync({
    "[Content_Types].xml": strToU8(
      `${xml}<Types xmlns="${packaging}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    ),
    "_rels/.rels": strToU8(
      `${xml}<Relationships xmlns="${packaging}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    "word/document.xml": strToU8(
      `${xml}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ),
    ...more,
  });
}

/** A paragraph of Word, with a style where one is named. */
export function wordParagraph(text: string, style = ""): string {
  return `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export interface PdfText {
  x: number;
  y: number;
  size: number;
  text: string;
  /** "F2" is bold, "F3" has letters of one width; else "F1". */
  font?: "F1" | "F2" | "F3";
  /** Written upwards. */
  upwards?: boolean;
}

export interface PdfParts {
  /** Entries of the trailer, the catalogue and each page. */
  trailer?: string;
  catalogue?: string;
  page?: string;
  /** The object that is the font F1. */
  font?: string;
  /** Operators before the texts of each page, and further entries of the pages' resources. */
  drawn?: readonly string[];
  resources?: string;
  /** Further objects, from number `FIRST_OBJECT` on. */
  objects?: readonly string[];
  /** What becomes of the bytes of a page. */
  encrypt?: (stream: string) => string;
}

export const FIRST_OBJECT = 6;

const HELVETICA = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";

/** A Japanese font that only names the encoding of its text, as PDFs made before Unicode was usual do. */
export function japaneseFont(encoding: string): string {
  const system = "<< /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>";
  const descriptor =
    "<< /Type /FontDescriptor /FontName /Mincho /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>";
  return `<< /Type /Font /Subtype /Type0 /BaseFont /Mincho /Encoding /${encoding} /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Mincho /CIDSystemInfo ${system} /FontDescriptor ${descriptor} >>] >>`;
}

/** A PDF of one page for each list of texts. */
export function pdfDocument(pages: readonly (readonly PdfText[])[], parts: PdfParts = {}): Uint8Array {
  const { trailer = "", catalogue = "", page = "", font = HELVETICA, objects: more = [], encrypt } = parts;
  const { drawn: before = [], resources = "" } = parts;
  const bold = HELVETICA.replace("/Helvetica", "/Helvetica-Bold");
  const typewriter = HELVETICA.replace("/Helvetica", "/Courier");
  const objects: string[] = [`<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`, "", font, bold, typewriter, ...more];
  const fonts = "<< /F1 3 0 R /F2 4 0 R /F3 5 0 R >>";
  const kids = pages.map((texts, index) => {
    const drawn = [before[index] ?? "", ...texts.map(drawText)].join("\n");
    const stream = encrypt?.(drawn) ?? drawn;
    objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font ${fonts} ${resources} >> /Contents ${objects.length} 0 R ${page} >>`,
    );
    return `${objects.length} 0 R`;
  });
  objects[1] = `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${kids.length} >>`;
  return pdfFile(objects, trailer);
}

function drawText({ x, y, size, text, font = "F1", upwards = false }: PdfText): string {
  const turned = upwards ? "0 1 -1 0" : "1 0 0 1";
  return `BT /${font} ${size} Tf ${turned} ${x} ${y} Tm (${text.replace(/[()\\]/g, "\\$&")}) Tj ET`;
}

/** A PDF of a few kilobytes that takes long to read, two seconds a page and more: all pages share one content stream, packed twice, of operations that do nothing. */
export function slowPdf(pages: number): Uint8Array {
  const stream = strFromU8(zlibSync(zlibSync(strToU8("q Q ".repeat(1_000_000)))), true);
  const content = `<< /Length ${stream.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n${stream}\nendstream`;
  const kids = Array.from({ length: pages }, (_, index) => `${index + 4} 0 R`);
  const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 3 0 R >>";
  return pdfFile([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${pages} >>`,
    content,
    ...kids.map(() => page),
  ]);
}

/** The file of these objects, numbered from 1 on; the first is the catalogue. */
function pdfFile(objects: readonly string[], trailer = ""): Uint8Array {
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  return strToU8(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`,
    true,
  );
}

/** An OLE compound file, as far as anyone looks, with one directory entry of this name. */
export function compoundFile(stream: string): Uint8Array {
  const bytes = Buffer.alloc(2048);
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(bytes);
  bytes.write(stream, 1024, "utf16le");
  return bytes;
}

/** An entry of a tar archive, with its own header; `type` as POSIX has it, "0" for a file. */
export function tarEntry(
  name: string,
  content: string | Uint8Array = "",
  { type = "0", prefix = "", magic = "ustar\x0000" } = {},
): Uint8Array {
  const bytes = bytesOf(content);
  const header = Buffer.alloc(512);
  header.write(name, 0, 100, "utf8");
  header.write("0000644\0", 100);
  header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write(`        ${type}`, 148);
  header.write(magic, 257, "latin1");
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}

/** A tar archive of these entries. */
export function tarArchive(...entries: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([...entries, Buffer.alloc(1024)]);
}
