/** Bytes → text → chunks. Untrusted files are read in child processes with limits on time and memory. */

export type {
  Chunking,
  DocumentExtractor,
  ExtractedDocument,
  ExtractionRequest,
  ExtractorOptions,
  Passage,
  SubtitleEntry,
  TakePassages,
  TokenCounterLike,
} from "./types.ts";
export { nothingExpected, type ExpectedLanguages, type SubtitleFile } from "./text-recognition.ts";
export { openDocumentExtractor } from "./extractor.ts";
export { runExtractorRole } from "./extractor-role.ts";
export {
  OCR_DETECTION,
  OcrProgram,
  OcrProgramFault,
  builtInOcrData,
  describeOcrLanguage,
  loadOcrLanguage,
  ocrCode,
  readOcrData,
} from "./ocr/index.ts";
