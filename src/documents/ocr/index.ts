/** Languages of scans and pictures, as commands speak of them. */
import { languageTitle } from "./languages.ts";
import { Tesseract } from "./tesseract.ts";

export {
  DETECTION as OCR_DETECTION,
  builtInData as builtInOcrData,
  readLanguageData as readOcrData,
} from "./language-data.ts";
export { ocrCode } from "./languages.ts";
export { OcrProgram, OcrProgramFault } from "./program.ts";

/** `code`: Tesseract's name of a language, which need not be one that is known. */
export function describeOcrLanguage(code: string): { readonly title: string } {
  return { title: languageTitle(code) };
}

/** Throws what cannot be loaded as the data of a language. */
export async function loadOcrLanguage(code: string, data: Uint8Array): Promise<void> {
  const tesseract = await Tesseract.load(() => Promise.resolve(data));
  await tesseract.useLanguages([code]);
}
