/** The parent's handle of one process that holds a language model: opens it, asks it, and says what its death means. */
import { fail } from "../../foundation/errors.ts";
import { ChildProcess } from "../../remote/index.ts";
import type { ModelSettings, OpenedModel, TextPiece } from "./model-settings.ts";
import type { AnswerWriter, WritingItem } from "./role.ts";

/** Loading a model from a slow disk takes minutes; more than this is no loading. */
const OPEN_SECONDS = 900;
/** Seconds after which a question may be asked again when the process died. */
const RETRY_AFTER_DEATH = 5;
/** … and when its model cannot be used at all, which an operator must mend. */
const RETRY_AFTER_REFUSAL = 60;

/** What became of a message: too long, or accepted with its pieces as they come. */
export type Writing =
  | { readonly kind: "too-long"; readonly tokens: number }
  | { readonly kind: "accepted"; readonly promptTokens: number; readonly pieces: AsyncIterable<TextPiece> };

export class ModelProcess {
  /** Rejects with ANSWER_UNAVAILABLE. */
  readonly opened: Promise<OpenedModel>;
  running = 0;
  waiting = 0;
  private readonly child: ChildProcess<AnswerWriter>;

  constructor(
    command: readonly string[],
    environment: Readonly<Record<string, string>>,
    settings: ModelSettings,
    /** Called once, when it is gone; `cause` is null when `kill` ended it. */
    onEnd: (process: ModelProcess, cause: Error | null) => void,
  ) {
    let cause: Error | null = null;
    this.child = new ChildProcess<AnswerWriter>({
      command,
      environment,
      reasonFor: (end) => {
        cause = end;
        return unavailable("its process ended, and is started again with the next question.", RETRY_AFTER_DEATH, end);
      },
    });
    void this.child.connection.whenEnded.then(() => {
      this.running = this.waiting = 0;
      onEnd(this, cause);
    });
    this.opened = this.open(settings);
    // Those who wait for it get the failure; nobody has to.
    this.opened.catch(() => undefined);
  }

  get processId(): number {
    return this.child.processId;
  }

  get alive(): boolean {
    return this.child.alive;
  }

  /** Resident memory, bytes; 0 where the system does not tell. */
  residentBytes(): number {
    return this.child.residentBytes();
  }

  /** Tokens of each text. */
  count(texts: readonly string[]): Promise<readonly number[]> {
    return this.child.connection.calls.count(texts);
  }

  /** Asks for an answer; resolves when it is accepted. Aborting stops it wherever it stands. */
  async write(text: string, signal: AbortSignal): Promise<Writing> {
    const items = this.child.connection.streams.write(text, signal)[Symbol.asyncIterator]();
    const { value } = await items.next();
    const first = value as WritingItem;
    if ("tooLong" in first) return { kind: "too-long", tokens: first.tooLong };
    if (!("promptTokens" in first)) throw new Error("the language model wrote before it accepted");
    return { kind: "accepted", promptTokens: first.promptTokens, pieces: piecesOf(items) };
  }

  /** Ends the process at once; whoever waits for it gets the reason. */
  kill(reason: unknown): void {
    this.child.kill(reason);
  }

  /** Resolves when the process is gone. */
  exited(): Promise<void> {
    return this.child.exited();
  }

  private async open(settings: ModelSettings): Promise<OpenedModel> {
    const tooLong = unavailable("its model takes too long to load.", RETRY_AFTER_REFUSAL);
    const limit = setTimeout(() => this.kill(tooLong), OPEN_SECONDS * 1000);
    limit.unref();
    try {
      return await this.child.connection.calls.open(settings, (running, waiting) => {
        this.running = running;
        this.waiting = waiting;
      });
    } catch (error) {
      this.kill(error);
      throw error;
    } finally {
      clearTimeout(limit);
    }
  }
}

async function* piecesOf(items: AsyncIterator<WritingItem>): AsyncGenerator<TextPiece> {
  for (;;) {
    const { done, value } = await items.next();
    if (done) return;
    yield value as TextPiece;
  }
}

/** The 503 of a language model that cannot answer; `reason` is for clients, the cause for the log. */
export function unavailable(reason: string, retryAfter: number, cause?: unknown) {
  return fail("ANSWER_UNAVAILABLE", { reason, retryAfter }, undefined, cause);
}
