/** The child's side of extraction: reads files one at a time. */
import { letOthersIn } from "../foundation/let-others-in.ts";
import { serveParent } from "../remote/serve.ts";
import type { ReadingLimits } from "./limits.ts";
import { nothingExpected, type RecognitionSettings } from "./text-recognition.ts";
import { readDocument } from "./read-document.ts";
import type { ExtractedDocument, ExtractionRequest, Passage, TokenCounterLike } from "./types.ts";

/** About half a megabyte of text. */
const PASSAGES_PER_ITEM = 256;

/** Passages come in pieces while the document is still being cut, so that its text is never in one message nor waits for its end. */
export type SentItem = { readonly passages: readonly Passage[] } | { readonly document: ExtractedDocument };

export type { FileReader };

/** Milliseconds between two reports of how far a file is, so that a loader may report as often as it likes. */
const REPORT_MILLISECONDS = 250;

class FileReader {
  private report: (fraction: number) => void = () => {};
  private trouble: (sentence: string) => void = () => {};

  constructor(private readonly counter: TokenCounterLike) {}

  /**
   * From now on `report` is told how much of a file has been recognised, from 0 to 1, whenever that has grown, and `trouble` what is not as it
   * was set.
   */
  reportTo(report: (fraction: number) => void, trouble: (sentence: string) => void): void {
    this.report = report;
    this.trouble = trouble;
  }

  /** Throws as `readDocument` does. */
  async *read(
    request: ExtractionRequest,
    limits: Pick<ReadingLimits, "maxTextCharacters" | "maxChunks">,
    settings: RecognitionSettings,
  ): AsyncGenerator<SentItem> {
    const { expected = nothingExpected, subtitles = null } = request;
    const recognition = { ...settings, expected, subtitles, progress: this.reporter(), trouble: this.trouble };
    let passages: Passage[] = [];
    for await (const item of readDocument(request, limits, this.counter, recognition)) {
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

  /** For one file. What is told less than before, too soon or no part of a whole is kept to itself. */
  private reporter(): (fraction: number) => void {
    let [furthest, lastAt] = [0, Number.NEGATIVE_INFINITY];
    return (fraction) => {
      const now = performance.now();
      if (!(fraction > furthest) || now - lastAt < REPORT_MILLISECONDS) return;
      [furthest, lastAt] = [fraction, now];
      this.report(Math.min(1, fraction));
    };
  }
}

/** Serves read requests from the parent until the parent goes away; never resolves before. */
export function runExtractorRole(counter: TokenCounterLike): Promise<void> {
  return serveParent(new FileReader(counter));
}
