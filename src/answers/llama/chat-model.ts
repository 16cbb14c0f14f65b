/** The language model inside its process: opened once, then counting tokens and writing several answers at a time. */
import {
  getLlama,
  InsufficientMemoryError,
  LlamaLogLevel,
  type Llama,
  type LlamaContextSequence,
  type LlamaModel,
  type Token,
} from "node-llama-cpp";
import { renderChat, type ChatPrompt } from "./chat-template.ts";
import type { ModelSettings, OpenedModel } from "./model-settings.ts";
import { ModelTokens, TokenSpeller } from "./tokens.ts";
import { StepLength, writeAnswer } from "./writer.ts";

/** Why a model cannot be used; its message finishes the sentence "its model …". */
export class UnusableModel extends Error {}

/** A context must hold this many tokens of a message at least, or no question would ever fit. */
const SMALLEST_ROOM = 64;

interface Waiting {
  readonly signal: AbortSignal;
  take(sequence: LlamaContextSequence): void;
}

export class ChatModel implements OpenedModel {
  readonly room: number;
  readonly startsThinking: boolean;
  private readonly step = new StepLength();
  private readonly free: LlamaContextSequence[];
  private readonly waiting: Waiting[] = [];

  private constructor(
    private readonly model: LlamaModel,
    sequences: LlamaContextSequence[],
    private readonly tokens: ModelTokens,
    private readonly chat: ChatPrompt,
    private readonly settings: ModelSettings,
    contextSize: number,
    private readonly onLoad: (running: number, waiting: number) => void,
  ) {
    this.free = sequences;
    this.answerLength = Math.min(settings.answerLength, Math.floor(contextSize / 2));
    this.room =
      contextSize -
      this.answerLength -
      tokens.before.length -
      tokens.after.length -
      (chat.prefix === "" ? 0 : tokens.ofText(chat.prefix).length);
    this.startsThinking = /<think>\s*$/.test(chat.after.at(-1)?.value ?? "");
    if (this.room < SMALLEST_ROOM)
      throw new UnusableModel(`has a context of ${contextSize} tokens, which instructions and answer fill`);
  }

  private readonly answerLength: number;

  /** Throws UnusableModel for a file that cannot be loaded, a missing chat template, or too little memory. */
  static async open(settings: ModelSettings, onLoad: (running: number, waiting: number) => void): Promise<ChatModel> {
    const { model, chat, tokens } = await prepare(settings, false);
    const contextSize = Math.min(settings.contextSize, model.trainContextSize);
    const context = await model
      .createContext({
        contextSize,
        sequences: settings.sequences,
        threads: settings.threads,
        failedCreationRemedy: false,
      })
      .catch((error: unknown) => {
        throw new UnusableModel("needs more memory than there is", { cause: error });
      });
    const sequences = Array.from({ length: settings.sequences }, () => context.getSequence());
    return new ChatModel(model, sequences, tokens, chat, settings, Math.min(contextSize, context.contextSize), onLoad);
  }

  /** Throws as `open` does, but for memory. */
  static async probe(settings: ModelSettings): Promise<void> {
    const { model } = await prepare(settings, true);
    await model.dispose();
  }

  count(text: string): number {
    return this.tokens.ofText(text).length;
  }

  /** The user's message as tokens. */
  tokensOf(message: string): Token[] {
    return this.tokens.ofText(this.chat.prefix + message);
  }

  /** Tokens of a prompt whose message has so many. */
  promptTokens(messageTokens: number): number {
    return this.tokens.before.length + messageTokens + this.tokens.after.length;
  }

  /** Most tokens that a message may have. */
  get longestMessage(): number {
    return this.room + (this.chat.prefix === "" ? 0 : this.tokens.ofText(this.chat.prefix).length);
  }

  /** Yields an answer's pieces with how many tokens each took, once a sequence is free. Ends early when aborted. */
  async *write(message: readonly Token[], signal: AbortSignal): AsyncGenerator<{ text: string; tokens: number }> {
    const sequence = await this.takeSequence(signal);
    if (sequence === null) return;
    try {
      const { before, after } = this.tokens;
      const speller = new TokenSpeller(this.model);
      const options = { answerLength: this.answerLength, temperature: this.settings.temperature };
      let unsent = 0;
      for await (const token of writeAnswer(
        sequence,
        [...before, ...message, ...after],
        before.length,
        this.step,
        options,
        signal,
      )) {
        unsent++;
        const text = speller.push(token);
        if (text === "") continue;
        yield { text, tokens: unsent };
        unsent = 0;
      }
      const text = speller.end();
      if (text !== "" || unsent > 0) yield { text, tokens: unsent };
    } finally {
      this.giveBack(sequence);
    }
  }

  private takeSequence(signal: AbortSignal): Promise<LlamaContextSequence | null> {
    if (signal.aborted) return Promise.resolve(null);
    const sequence = this.free.pop();
    if (sequence !== undefined) {
      this.tellLoad();
      return Promise.resolve(sequence);
    }
    const { promise, resolve } = Promise.withResolvers<LlamaContextSequence | null>();
    const leave = (): void => {
      this.waiting.splice(this.waiting.indexOf(waiting), 1);
      this.tellLoad();
      resolve(null);
    };
    const waiting: Waiting = {
      signal,
      take: (given) => {
        signal.removeEventListener("abort", leave);
        resolve(given);
      },
    };
    signal.addEventListener("abort", leave, { once: true });
    this.waiting.push(waiting);
    this.tellLoad();
    return promise;
  }

  private giveBack(sequence: LlamaContextSequence): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free.push(sequence);
    else next.take(sequence);
    this.tellLoad();
  }

  private tellLoad(): void {
    this.onLoad(this.settings.sequences - this.free.length, this.waiting.length);
  }
}

interface Prepared {
  readonly model: LlamaModel;
  readonly chat: ChatPrompt;
  readonly tokens: ModelTokens;
}

async function prepare(
  { threads, modelPath, instructions }: ModelSettings,
  vocabularyOnly: boolean,
): Promise<Prepared> {
  const llama = await getLlama({
    gpu: false,
    build: "never",
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
    maxThreads: threads,
  });
  const model = await load(llama, modelPath, vocabularyOnly);
  const template: unknown = model.fileInfo.metadata.tokenizer.chat_template;
  if (typeof template !== "string" || template === "")
    throw new UnusableModel("has no chat template: it is no chat model, or was converted without one");
  const chat = render(template, instructions, model);
  return { model, chat, tokens: new ModelTokens(model, chat.before, chat.after) };
}

async function load(llama: Llama, modelPath: string, vocabOnly: boolean): Promise<LlamaModel> {
  try {
    return await llama.loadModel({ modelPath, gpuLayers: 0, vocabOnly });
  } catch (error) {
    throw new UnusableModel(
      error instanceof InsufficientMemoryError
        ? "needs more memory than there is"
        : "cannot be loaded: the file is broken, or of a kind that this version does not know",
      { cause: error },
    );
  }
}

function render(template: string, instructions: string, model: LlamaModel): ChatPrompt {
  try {
    return renderChat(template, instructions, { bos: model.tokens.bosString ?? "", eos: model.tokens.eosString ?? "" });
  } catch (error) {
    throw new UnusableModel("has a chat template that cannot be used", { cause: error });
  }
}
