/** The child's side: one language model, which counts and writes for the process that started this one. */
import { fail } from "../../foundation/errors.ts";
import { serveParent } from "../../remote/serve.ts";
import { ChatModel, UnusableModel } from "./chat-model.ts";
import type { ModelSettings, OpenedModel, TextPiece } from "./model-settings.ts";

/** Once no answer has been asked for so long, what answers left behind is cleared away: it would stay for as long as nobody asks. */
const TIDY_AFTER_MILLISECONDS = 250;
/** Seconds after which a model that cannot be used may be asked again: an operator must mend it. */
const RETRY_AFTER_REFUSAL = 60;

/** What is said of a message: too long, or that its answer begins; then come the answer's pieces. */
export type WritingItem = { readonly tooLong: number } | { readonly promptTokens: number } | TextPiece;

export type { AnswerWriter };

class AnswerWriter {
  private model: ChatModel | null = null;
  private tidying: ReturnType<typeof setTimeout> | undefined;

  /** Loads the model. `onLoad` is told, whenever it changes, how many answers are being written and how many wait. Throws ANSWER_UNAVAILABLE. */
  async open(settings: ModelSettings, onLoad: (running: number, waiting: number) => void): Promise<OpenedModel> {
    const model = await usable(() =>
      ChatModel.open(settings, (running, waiting) => {
        onLoad(running, waiting);
        clearTimeout(this.tidying);
        if (running === 0) this.tidying = setTimeout(() => Bun.gc(true), TIDY_AFTER_MILLISECONDS);
      }),
    );
    this.model = model;
    return { room: model.room, startsThinking: model.startsThinking };
  }

  /** Only tells whether the model could be opened; no weights are read. Throws ANSWER_UNAVAILABLE. */
  async probe(settings: ModelSettings): Promise<void> {
    await usable(() => ChatModel.probe(settings));
  }

  /** Tokens of each text. */
  count(texts: readonly string[]): number[] {
    return texts.map((text) => this.opened.count(text));
  }

  /** Writes an answer to the user's message as soon as a sequence is free, until it is aborted. */
  async *write(message: string, signal: AbortSignal): AsyncGenerator<WritingItem> {
    const tokens = this.opened.tokensOf(message);
    if (tokens.length > this.opened.longestMessage) {
      yield { tooLong: tokens.length };
      return;
    }
    yield { promptTokens: this.opened.promptTokens(tokens.length) };
    yield* this.opened.write(tokens, signal);
  }

  private get opened(): ChatModel {
    if (this.model === null) throw new Error("the model is not open");
    return this.model;
  }
}

async function usable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof UnusableModel ? error.message : "cannot be loaded";
    throw fail(
      "ANSWER_UNAVAILABLE",
      { reason: `its model ${reason}.`, retryAfter: RETRY_AFTER_REFUSAL },
      undefined,
      error,
    );
  }
}

/** Serves the parent until it goes away; never resolves before. */
export function runAnswerRole(): Promise<void> {
  return serveParent(new AnswerWriter());
}
