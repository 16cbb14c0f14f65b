/** The child's side: opens the model that the parent names, then counts and writes until the parent goes away. */
import { ChatModel, UnusableModel } from "./chat-model.ts";
import type { ChildMessage, ModelSettings, ParentMessage } from "./protocol.ts";

/** Serves the parent until it goes away; never resolves before, unless the model cannot be used. */
export async function runAnswerRole(): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const aborts = new Map<number, AbortController>();
  let model: ChatModel | null = null;

  process.on("disconnect", end);
  process.on("message", (message: ParentMessage) => {
    if (message.kind === "open") {
      void open(message.settings).then((opened) => (opened === null ? end() : (model = opened)));
    } else if (model !== null && message.kind === "count") {
      count(model, message.id, message.texts);
    } else if (model !== null && message.kind === "write") {
      void write(model, message.id, message.message, aborts);
    } else if (message.kind === "stop") {
      aborts.get(message.id)?.abort();
    }
  });
  send({ kind: "listening" });
  await ended;
}

/** Once no answer has been asked for so long, what answers left behind is cleared away: it would stay for as long as nobody asks. */
const TIDY_AFTER_MILLISECONDS = 250;
let tidying: ReturnType<typeof setTimeout> | undefined;

function tellLoad(running: number, waiting: number): void {
  send({ kind: "load", running, waiting });
  clearTimeout(tidying);
  if (running === 0) tidying = setTimeout(() => Bun.gc(true), TIDY_AFTER_MILLISECONDS);
}

const send = (message: ChildMessage): void => void process.send?.(message);

async function open(settings: ModelSettings): Promise<ChatModel | null> {
  try {
    if (settings.probe) {
      await ChatModel.probe(settings);
      send({ kind: "opened", room: 0, startsThinking: false });
      return null;
    }
    const model = await ChatModel.open(settings, tellLoad);
    send({ kind: "opened", room: model.room, startsThinking: model.startsThinking });
    return model;
  } catch (error) {
    send({
      kind: "refused",
      reason: error instanceof UnusableModel ? error.message : "cannot be loaded",
      cause: describe(error),
    });
    return null;
  }
}

function count(model: ChatModel, id: number, texts: readonly string[]): void {
  try {
    send({ kind: "counted", id, tokens: texts.map((text) => model.count(text)) });
  } catch (error) {
    send({ kind: "failed", id, cause: describe(error) });
  }
}

async function write(
  model: ChatModel,
  id: number,
  message: string,
  aborts: Map<number, AbortController>,
): Promise<void> {
  const controller = new AbortController();
  aborts.set(id, controller);
  try {
    const tokens = model.tokensOf(message);
    if (tokens.length > model.longestMessage) {
      send({ kind: "too-long", id, tokens: tokens.length });
      return;
    }
    send({ kind: "accepted", id, promptTokens: model.promptTokens(tokens.length) });
    let written = 0;
    for await (const piece of model.write(tokens, controller.signal)) {
      written += piece.tokens;
      if (!controller.signal.aborted) send({ kind: "text", id, ...piece });
    }
    send({ kind: "finished", id, tokens: written });
  } catch (error) {
    send({ kind: "failed", id, cause: describe(error) });
  } finally {
    aborts.delete(id);
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\ncaused by ${describe(error.cause)}`;
  return `${error.stack ?? `${error.name}: ${error.message}`}${cause}`;
}
