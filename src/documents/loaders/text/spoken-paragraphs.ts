/** Cues that are read in one breath, as paragraphs that know from when to when they are said. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Cue } from "./cues.ts";

/** Seconds of silence that end a paragraph. */
const PAUSE = 3;
/** A paragraph that is this many seconds long ends with the next sentence, and one of twice as many at the next cue. */
const LONG_PARAGRAPH = 30;
const SENTENCE_END = /[.!?…。！？]["'”’»)\]]*$/;
/** A line on which somebody else begins to speak. */
const NEW_SPEAKER = /^(?:[-–—]|\S[^:]{0,40}: |>>|♪)/;

export class SpokenParagraph {
  /** What is said, with what parts it from what was said before. */
  private pieces: string[] = [];
  private startTime = 0;
  private endTime = 0;

  constructor(private readonly blocks: BlockCollector) {}

  add({ startTime, endTime, lines }: Cue): void {
    if (this.pieces.length > 0 && this.isOver(startTime)) this.end();
    if (this.pieces.length === 0) {
      this.startTime = startTime;
      this.endTime = endTime;
    }
    for (const line of lines) {
      const separator = NEW_SPEAKER.test(line) ? "\n" : " ";
      this.pieces.push(this.pieces.length === 0 ? line : separator + line);
    }
    this.endTime = Math.max(this.endTime, endTime);
  }

  end(): void {
    this.blocks.at({ startTime: this.startTime, endTime: this.endTime });
    this.blocks.add("paragraph", this.pieces.join(""));
    this.pieces = [];
  }

  private isOver(nextStart: number): boolean {
    const length = nextStart - this.startTime;
    // A cue that begins earlier than those before it belongs elsewhere.
    if (nextStart < this.startTime || nextStart - this.endTime >= PAUSE || length >= LONG_PARAGRAPH * 2) return true;
    return length >= LONG_PARAGRAPH && SENTENCE_END.test(this.pieces.at(-1) ?? "");
  }
}
