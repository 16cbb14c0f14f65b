/** The child's side of extraction: reads files one at a time. */
import { serveParent } from "../remote/serve.ts";
import type { ReadingLimits } from "./limits.ts";
import { readDocument } from "./read-document.ts";
import type { ExtractedDocument, ExtractionRequest, Passage, TokenCounterLike } from "./types.ts";

/** About half a megabyte of text. */
const PASSAGES_PER_ITEM = 256;

/** The document's passages come in pieces, so that taking in a large one never holds up the server; what else is known of it comes last. */
export type ReadItem = { readonly passages: Passage[] } | { readonly document: Omit<ExtractedDocument, "passages"> };

export type { FileReader };

class FileReader {
  constructor(private readonly counter: TokenCounterLike) {}

  /** Throws as `readDocument` does. */
  async *read(
    request: ExtractionRequest,
    limits: Pick<ReadingLimits, "maxTextCharacters" | "maxChunks">,
  ): AsyncGenerator<ReadItem> {
    const { passages, ...document } = await readDocument(request, limits, this.counter);
    for (let start = 0; start < passages.length; start += PASSAGES_PER_ITEM)
      yield { passages: passages.slice(start, start + PASSAGES_PER_ITEM) };
    yield { document };
  }
}

/** Serves read requests from the parent until the parent goes away; never resolves before. */
export function runExtractorRole(counter: TokenCounterLike): Promise<void> {
  return serveParent(new FileReader(counter));
}
