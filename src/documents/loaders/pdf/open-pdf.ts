/** How pdf.js opens a document: what it may look for, and how large its pictures may be. */
import type { Content } from "../../content.ts";
import { PdfData, type PDFDocumentProxy, pdfJs } from "./pdfjs.ts";

/** Throws UNREADABLE_FILE, of the file that holds these bytes, where they are none, or protected. Destroy its `loadingTask` in the end. */
export async function openPdf(content: Content, bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const { getDocument } = await pdfJs();
  const opening = getDocument({
    // pdf.js takes possession of the bytes it is given.
    data: new Uint8Array(bytes),
    verbosity: 0,
    BinaryDataFactory: PdfData,
    // Only that they are set counts; the factory knows where the files are.
    cMapUrl: "character-maps/",
    cMapPacked: true,
    wasmUrl: "decoders/",
    useWorkerFetch: false,
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: false,
    maxImageSize: content.limits.maxPicturePoints,
  });
  return opening.promise.catch((error: unknown) => {
    throw content.unreadable(refusal(error), error);
  });
}

function refusal(error: unknown): string {
  if (error instanceof Error && error.name === "PasswordException") return "it is protected with a password";
  return "it is damaged or cut off";
}
