/** Answers by a language model in a process of its own: lets so many questions in, starts the process, and ends it when idle. */
import { existsSync } from "node:fs";
import { fail } from "../../foundation/errors.ts";
import { availableBytes, machineBytes } from "../../foundation/machine-memory.ts";
import { CitationFilter } from "../citations.ts";
import { chooseFitting, startOf } from "../fit.ts";
import type { Answer, Answerer, AnswerLoad, AnswerRequest, FoundPassage, GivenPassage, TokenUsage } from "../types.ts";
import { nothingFound } from "../floor.ts";
import { readAnswerModel } from "../models/answer-model.ts";
import { defaultSequences, estimateMemory } from "../models/memory.ts";
import { isWeak, joinNeighbours, withoutDuplicates } from "../passages.ts";
import { countedText, DEFAULT_INSTRUCTIONS, emptyMessage, userMessage } from "../prompt.ts";
import { ReasoningFilter } from "../reasoning.ts";
import { realCores } from "./cores.ts";
import { ModelProcess, unavailable } from "./model-process.ts";
import type { ModelSettings, OpenedModel, TextPiece } from "./model-settings.ts";

export interface LlamaOptions {
  /** Runs the child role. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** What answers call the model. */
  readonly name: string;
  /** The model's folder, or its GGUF file. */
  readonly place: string;
  readonly threads: number;
  /** Answers written at once; 0: by cores and memory. */
  readonly sequences: number;
  /** Questions that may wait beyond those; more are refused with BUSY. */
  readonly maxQueued: number;
  /** The process ends after so long without a question; 0: never. */
  readonly idleMinutes: number;
  /** Starts the process now and not with the first question. */
  readonly startNow: boolean;
  readonly contextSize: number;
  readonly answerLength: number;
  readonly temperature: number;
  /** null: the built-in instructions. */
  readonly instructions: string | null;
  /** Passages that are looked for, at most. */
  readonly passages: number;
  /** Tells the operator what clients are not told. */
  readonly report: (message: string, fields: Record<string, unknown>) => void;
}

/** Tokens that tokenizing the whole message may take more than its parts. */
const SLACK = 16;
/** A question must leave this many tokens to passages. */
const LEAST_FOR_PASSAGES = 48;
/** A model that was refused is not tried again for so long: loading it costs the machine, and each client is told the same. */
const REFUSAL_MILLISECONDS = 10_000;
/** A model that could not be read is looked for again so long after, when somebody asks how things are. */
const LOOK_AGAIN_MILLISECONDS = 2_000;
/** Seconds an answer is thought to take until one has been measured. */
const FIRST_GUESS_SECONDS = 10;
const LONGEST_RETRY_SECONDS = 300;

export function openLlamaAnswerer(options: LlamaOptions): Answerer {
  return new LlamaAnswerer(options);
}

/** A started process, with what its first messages told. */
interface Ready {
  readonly process: ModelProcess;
  readonly model: OpenedModel;
  /** Where no passage is weak, and where some are. */
  readonly strong: Overhead;
  readonly weak: Overhead;
}

/** Tokens of a message without question and passages, and of one passage's frame. */
interface Overhead {
  readonly fixed: number;
  readonly frame: number;
}

class LlamaAnswerer implements Answerer {
  readonly model: string;
  readonly passagesWanted: number;
  private ready: Promise<Ready> | null = null;
  private process: ModelProcess | null = null;
  private refusal: { readonly error: unknown; readonly until: number } | null = null;
  private readonly questions = new Set<object>();
  private sequences: number;
  private starts = 0;
  private secondsPerAnswer = FIRST_GUESS_SECONDS;
  private idleTimer: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;
  private missing: string | null = null;
  private lookedAt = 0;

  constructor(private readonly options: LlamaOptions) {
    this.model = options.name;
    this.passagesWanted = options.passages;
    // Until the model has been read, what its number of sequences may turn out to be.
    this.sequences = options.sequences || Math.min(4, realCores());
    void this.lookForModel().then((cause) => {
      if (cause !== null && !this.isClosed) options.report(this.missing!, { place: options.place, cause });
    });
    if (options.startNow) this.start().catch(() => undefined);
  }

  problem(): string | null {
    // Whoever asks again learns whether it has been mended meanwhile.
    if (this.missing !== null && performance.now() - this.lookedAt > LOOK_AGAIN_MILLISECONDS) void this.lookForModel();
    return this.missing;
  }

  /** Reads what the model says of itself, and nothing more. Resolves to what is wrong with it. */
  private async lookForModel(): Promise<unknown> {
    this.lookedAt = performance.now();
    const { name, place } = this.options;
    const cause = await readAnswerModel(place).then(
      () => null,
      (error: unknown) => error,
    );
    const otherwise =
      "choose another that `lectern model list` shows, or go on without one: lectern model use extractive";
    this.missing =
      cause === null
        ? null
        : existsSync(place)
          ? `The language model "${name}" cannot be used, and queries are not answered. \`lectern doctor\` says why. Add it again, ${otherwise}`
          : `The language model "${name}" is not there, and queries are not answered. Add it again, ${otherwise}`;
    return cause;
  }

  async answer(request: AnswerRequest): Promise<Answer> {
    const { signal, question, passages } = request;
    signal.throwIfAborted();
    const kept = withoutDuplicates(passages);
    if (kept.length === 0) return nothingFound(request, this.model);
    const leave = this.enter(signal);
    try {
      const ready = await orAborted(this.start(), signal);
      const counting = ready.process.count([question, ...kept.map((position) => countedText(passages[position]!))]);
      const counts = await orAborted(counting, signal);
      const { given, promptTokens, pieces } = await this.write(ready, request, kept, counts);
      const usage: TokenUsage = { promptTokens, completionTokens: 0 };
      return {
        model: this.model,
        given,
        usage: () => usage,
        text: cleaned(pieces, usage, given.length, ready.model.startsThinking, leave),
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  load(): AnswerLoad {
    const { process } = this;
    const running = process?.running ?? 0;
    return {
      running,
      waiting: Math.max(0, this.questions.size - running),
      sequences: this.sequences,
      processBytes: process?.residentBytes() ?? 0,
      starts: this.starts,
    };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.idleTimer);
    const { process } = this;
    process?.kill(fail("SHUTTING_DOWN", { retryAfter: 10 }));
    await this.ready?.catch(() => undefined);
    await process?.exited();
  }

  /** Lets a question in, or throws BUSY. Returns how it leaves again, once; an abort makes it leave too. */
  private enter(signal: AbortSignal): () => void {
    if (this.isClosed) throw fail("SHUTTING_DOWN", { retryAfter: 10 });
    if (this.questions.size >= this.sequences + this.options.maxQueued)
      throw fail("BUSY", { retryAfter: this.secondsUntilRoom() });
    const [mark, started] = [{}, performance.now()];
    this.questions.add(mark);
    clearTimeout(this.idleTimer);
    const leave = (): void => {
      signal.removeEventListener("abort", leave);
      if (!this.questions.delete(mark)) return;
      if (!signal.aborted) this.secondsPerAnswer += ((performance.now() - started) / 1000 - this.secondsPerAnswer) / 8;
      if (this.questions.size === 0) this.endWhenIdle();
    };
    signal.addEventListener("abort", leave, { once: true });
    return leave;
  }

  private secondsUntilRoom(): number {
    return Math.max(1, Math.min(LONGEST_RETRY_SECONDS, Math.ceil(this.secondsPerAnswer / this.sequences)));
  }

  private endWhenIdle(): void {
    clearTimeout(this.idleTimer);
    if (this.options.idleMinutes === 0) return;
    this.idleTimer = setTimeout(() => {
      const { process } = this;
      // The next question must not meet a process that is about to end.
      this.process = null;
      this.ready = null;
      process?.kill(unavailable("its process was idle.", 1));
    }, this.options.idleMinutes * 60_000);
    this.idleTimer.unref();
  }

  /** Sends the passages that fit. Counting them apart can be off by a few tokens, so the last one gives way where the whole is too long. */
  private async write(
    { process, model, strong, weak }: Ready,
    { question, passages, signal }: AnswerRequest,
    kept: readonly number[],
    counts: readonly number[],
  ) {
    const [questionTokens = 0, ...passageTokens] = counts;
    const { fixed, frame } = kept.some((position) => isWeak(passages[position]!)) ? weak : strong;
    const room = model.room - fixed - questionTokens - SLACK;
    if (room < LEAST_FOR_PASSAGES + frame) {
      throw tooLong(questionTokens, Math.max(0, model.room - fixed - SLACK - LEAST_FOR_PASSAGES - frame));
    }
    let chosen = chooseFitting(passageTokens, room, frame);
    let share = chosen.length > 0 ? 1 : (room - frame) / passageTokens[0]!;
    for (;;) {
      const given: GivenPassage[] =
        chosen.length > 0
          ? joinNeighbours(
              passages,
              chosen.map((index) => kept[index]!),
            )
          : [startOfPassage(passages[kept[0]!]!, kept[0]!, share)];
      const writing = await process.write(userMessage(question, given), signal);
      if (writing.kind === "accepted") return { given, promptTokens: writing.promptTokens, pieces: writing.pieces };
      if (chosen.length === 0 && share < 0.01) throw tooLong(questionTokens, model.room);
      share = chosen.length > 1 ? share : share * 0.8;
      chosen = chosen.slice(0, -1);
    }
  }

  /** The process, started when there is none. Throws ANSWER_UNAVAILABLE. */
  private start(): Promise<Ready> {
    if (this.refusal !== null && performance.now() < this.refusal.until) return Promise.reject(this.refusal.error);
    if (this.ready !== null) return this.ready;
    const starting = this.open();
    this.ready = starting;
    starting.catch((error: unknown) => {
      if (this.ready === starting) this.ready = null;
      if (this.isClosed) return;
      this.refusal = { error, until: performance.now() + REFUSAL_MILLISECONDS };
      this.options.report("The language model cannot be started", { model: this.options.name, cause: error });
    });
    return starting;
  }

  private async open(): Promise<Ready> {
    const settings = await this.settle();
    if (this.isClosed) throw fail("SHUTTING_DOWN", { retryAfter: 10 });
    this.starts++;
    const process = new ModelProcess(this.options.command, this.options.environment, settings, (ended, cause) =>
      this.forget(ended, cause),
    );
    this.process = process;
    const model = await process.opened;
    const empty = [emptyMessage(false), emptyMessage(true)];
    const counts = await process.count(empty.flatMap(({ message, frame }) => [message, frame]));
    const [strong, weak] = [
      { fixed: counts[0]!, frame: counts[1]! },
      { fixed: counts[2]!, frame: counts[3]! },
    ];
    if (this.questions.size === 0) this.endWhenIdle();
    return { process, model, strong, weak };
  }

  /** What the process is told, checked against the machine. */
  private async settle(): Promise<ModelSettings> {
    const { options } = this;
    const model = await readAnswerModel(options.place).catch((error: unknown) => {
      throw unavailable("its model is missing or broken.", 60, error);
    });
    const contextSize = Math.min(options.contextSize, model.contextLength || options.contextSize);
    const threads = Math.min(options.threads, realCores());
    this.sequences = options.sequences || defaultSequences(model, contextSize, realCores(), availableBytes());
    const needed = estimateMemory(model, contextSize, this.sequences);
    if (needed.total > machineBytes() || needed.working > availableBytes()) {
      throw unavailable(
        "its model needs more memory than there is.",
        60,
        new Error(`needed ${JSON.stringify(needed)}, machine ${machineBytes()}, available ${availableBytes()}`),
      );
    }
    const { answerLength, temperature } = options;
    return {
      modelPath: model.path,
      threads,
      sequences: this.sequences,
      contextSize,
      answerLength,
      temperature,
      instructions: options.instructions ?? DEFAULT_INSTRUCTIONS,
    };
  }

  private forget(ended: ModelProcess, cause: Error | null): void {
    if (this.process !== ended) return;
    this.process = null;
    this.ready = null;
    if (cause !== null && !this.isClosed)
      this.options.report("The language model's process ended by itself", { model: this.options.name, cause });
  }
}

/** A passage that does not fit, as far as it may. */
function startOfPassage(passage: FoundPassage, position: number, share: number): GivenPassage {
  const { text, source } = passage;
  return { from: [position], text: startOf(text, share), source, isWeak: isWeak(passage) };
}

/** The answer's text: without thinking aloud, without citations that point nowhere, without space at its start. */
async function* cleaned(
  pieces: AsyncIterable<TextPiece>,
  usage: TokenUsage,
  passages: number,
  startsThinking: boolean,
  leave: () => void,
): AsyncGenerator<string> {
  const [reasoning, citations] = [new ReasoningFilter(startsThinking), new CitationFilter(passages)];
  let hasBegun = false;
  const begin = (text: string): string => {
    const shown = hasBegun ? text : text.trimStart();
    hasBegun ||= shown !== "";
    return shown;
  };
  try {
    for await (const { text, tokens } of pieces) {
      usage.completionTokens += tokens;
      const shown = begin(citations.push(reasoning.push(text)));
      if (shown !== "") yield shown;
    }
    const rest = begin(citations.push(reasoning.end()) + citations.end()).trimEnd();
    if (rest !== "") yield rest;
  } finally {
    leave();
  }
}

/** The promise's outcome, or the abort's reason when that comes first. */
function orAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function tooLong(tokens: number, limit: number) {
  return fail("QUESTION_TOO_LONG", {
    reason: `it has ${tokens} tokens, and at most ${limit} fit beside passages and answer.`,
  });
}
