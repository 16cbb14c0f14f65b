/** The parent's side of extraction. */
import type { DocumentExtractor, ExtractorOptions } from "./types.ts";

export function openDocumentExtractor(options: ExtractorOptions): DocumentExtractor {
  throw new Error(`not built yet: ${options.processes}`);
}
