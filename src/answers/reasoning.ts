/** Leaves out what a reasoning model thinks aloud (`<think> … </think>`) before its answer, while it streams. */

const OPEN = "<think>";
const CLOSE = "</think>";

export class ReasoningFilter {
  private state: "before" | "inside" | "answer";
  private held = "";

  /** `startsInside`: the chat template has opened the thinking already. */
  constructor(startsInside: boolean) {
    this.state = startsInside ? "inside" : "before";
  }

  /** Takes the next piece and returns what belongs to the answer. */
  push(piece: string): string {
    if (this.state === "answer") return piece;
    this.held += piece;
    if (this.state === "before") {
      const start = this.held.trimStart();
      if (OPEN.startsWith(start)) return "";
      if (!start.startsWith(OPEN)) return this.answer(this.held);
      this.state = "inside";
      this.held = start.slice(OPEN.length);
    }
    const close = this.held.indexOf(CLOSE);
    if (close >= 0) return this.answer(this.held.slice(close + CLOSE.length));
    this.held = this.held.slice(-CLOSE.length);
    return "";
  }

  /** What is left when nothing more comes: nothing, where the thinking never ended. */
  end(): string {
    const rest = this.state === "before" ? this.held : "";
    this.held = "";
    return rest;
  }

  /** From here on everything is the answer. */
  private answer(text: string): string {
    this.state = "answer";
    this.held = "";
    return text;
  }
}
