/** The child's side of extraction: reads files one at a time. */
import { letOthersIn } from "../foundation/let-others-in.ts";
import { serveParent } from "../remote/serve.ts";
import type { ReadingLimits } from "./limits.ts";
import { readDocument } from "./read-document.ts";
import type { ExtractedDocument, ExtractionRequest, Passage, TokenCounterLike } from "./types.ts";

/** About half a megabyte of text. */
const PASSAGES_PER_ITEM = 256;

/** Passages come in pieces while the document is still being cut, so that its text is never in one message nor waits for its end. */
export type SentItem = { readonly passages: readonly Passage[] } | { readonly document: ExtractedDocument };

export type { FileReader };

class FileReader {
  constructor(private readonly counter: TokenCounterLike) {}

  /** Throws as `readDocument` does. */
  async *read(
    request: ExtractionRequest,
    limits: Pick<ReadingLimits, "maxTextCharacters" | "maxChunks">,
  ): AsyncGenerator<SentItem> {
    let passages: Passage[] = [];
    for await (const item of readDocument(request, limits, this.counter)) {
      if ("document" in item) yield item;
      else if (passages.push(item.passage) === PASSAGES_PER_ITEM) {
        yield { passages };
        passages = [];
        // Reading alone never comes back to the event loop, which is what sends.
        await letOthersIn();
      }
    }
    if (passages.length > 0) yield { passages };
  }
}

/** Serves read requests from the parent until the parent goes away; never resolves before. */
export function runExtractorRole(counter: TokenCounterLike): Promise<void> {
  return serveParent(new FileReader(counter));
}
