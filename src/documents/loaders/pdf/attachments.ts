/** Documents that lie in a PDF: those it lists, and those that are pinned to its pages. */
import type { ReadMember } from "../../members.ts";
import type { Annotation } from "./annotations.ts";
import type { PDFDocumentProxy } from "./pdfjs.ts";

/** Looking for one takes the longer the more there are. */
const MOST_ATTACHMENTS = 200;

/** Settings of the program that made the PDF. */
const SETTINGS = /\.joboptions$/i;

/** One that cannot be read is no fault of the PDF's. */
export async function readAttachments(
  document: PDFDocumentProxy,
  annotations: Iterable<readonly Annotation[]>,
  readMember: ReadMember,
): Promise<void> {
  // Names by the ids under which pdf.js gives the documents.
  const names = new Map<string, string>();
  for (const [id, { filename }] of (await document.getAttachments()) ?? []) names.set(id, filename);
  for (const { subtype, fileId, file } of [...annotations].flat()) {
    if (subtype === "FileAttachment" && fileId !== undefined) names.set(fileId, file?.filename ?? "");
  }
  for (const [id, name] of [...names].slice(0, MOST_ATTACHMENTS)) {
    if (SETTINGS.test(name)) continue;
    const bytes: unknown = await document.getAttachmentContent(id);
    if (bytes instanceof Uint8Array && bytes.length > 0) await readMember({ name, bytes }, { optional: true });
  }
}
