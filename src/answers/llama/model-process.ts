/** The parent's handle of one process that holds the language model: starts it, asks it, and tells everyone who waits when it dies. */
import { readFileSync } from "node:fs";
import { fail } from "../../errors.ts";
import type { ChildMessage, ModelSettings, OpenedModel, ParentMessage } from "./protocol.ts";
import { PieceStream } from "./piece-stream.ts";

/** Loading a model from a slow disk takes minutes; more than this is no loading. */
const OPEN_SECONDS = 900;
/** The end of what the process wrote to standard error, kept to explain its death in the log. */
const KEPT_STDERR_CHARACTERS = 4000;
/** Seconds after which a question may be asked again when the process died. */
const RETRY_AFTER_DEATH = 5;
/** … and when its model cannot be used at all, which an operator must mend. */
const RETRY_AFTER_REFUSAL = 60;

export interface TextPiece {
  readonly text: string;
  readonly tokens: number;
}

/** What became of a message: too long, or accepted with its pieces as they come. */
export type Writing =
  | { readonly kind: "too-long"; readonly tokens: number }
  | { readonly kind: "accepted"; readonly promptTokens: number; readonly pieces: AsyncIterable<TextPiece> };

interface Asked {
  receive(message: ChildMessage): void;
  fail(error: unknown): void;
}

export class ModelProcess {
  readonly opened: Promise<OpenedModel>;
  running = 0;
  waiting = 0;
  private readonly child: Bun.Subprocess<"ignore", "ignore", "pipe">;
  private readonly opening = Promise.withResolvers<OpenedModel>();
  private readonly asked = new Map<number, Asked>();
  private nextId = 1;
  private stderr = "";
  private reason: unknown;
  private isDead = false;

  constructor(
    command: readonly string[],
    environment: Readonly<Record<string, string>>,
    private readonly settings: ModelSettings,
    /** Called once, when it is gone; `cause` is null when `kill` ended it. */
    onEnd: (process: ModelProcess, cause: Error | null) => void,
  ) {
    this.opened = this.opening.promise;
    // Those who wait for it get the failure; nobody has to.
    this.opened.catch(() => undefined);
    this.child = Bun.spawn([...command], {
      env: { ...environment },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      serialization: "advanced",
      ipc: (message: ChildMessage) => this.receive(message),
      onExit: (_child, exitCode, signal) => {
        const cause =
          this.reason === undefined
            ? new Error(`${signal === null ? `exit code ${exitCode}` : `signal ${String(signal)}`}: ${this.stderr}`)
            : null;
        this.die(
          this.reason ??
            unavailable("its process ended, and is started again with the next question.", RETRY_AFTER_DEATH, cause),
        );
        onEnd(this, cause);
      },
    });
    const limit = setTimeout(
      () => this.kill(unavailable("its model takes too long to load.", RETRY_AFTER_REFUSAL)),
      OPEN_SECONDS * 1000,
    );
    limit.unref();
    this.opened.then(
      () => clearTimeout(limit),
      () => clearTimeout(limit),
    );
    void this.keepStderr();
  }

  get processId(): number {
    return this.child.pid;
  }

  get alive(): boolean {
    return !this.isDead;
  }

  /** Resident memory, bytes; 0 where the system does not tell. */
  residentBytes(): number {
    try {
      return (
        Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${this.child.pid}/status`, "utf8"))?.[1] ?? 0) * 1024
      );
    } catch {
      // It has ended, or this is no Linux.
      return 0;
    }
  }

  /** Tokens of each text. */
  count(texts: readonly string[], signal: AbortSignal): Promise<readonly number[]> {
    return this.ask<readonly number[]>(
      signal,
      (id) => ({ kind: "count", id, texts }),
      (message, answer) => {
        if (message.kind === "counted") answer(message.tokens);
      },
    );
  }

  /** Asks for an answer; resolves when it is accepted. Aborting stops it wherever it stands. */
  write(text: string, signal: AbortSignal): Promise<Writing> {
    const pieces = new PieceStream<TextPiece>();
    return this.ask<Writing>(
      signal,
      (id) => ({ kind: "write", id, message: text }),
      (message, answer) => {
        if (message.kind === "too-long") answer({ kind: "too-long", tokens: message.tokens });
        else if (message.kind === "accepted") answer({ kind: "accepted", promptTokens: message.promptTokens, pieces });
        else if (message.kind === "text") pieces.push(message);
        else if (message.kind === "finished") pieces.end();
      },
      pieces,
    );
  }

  /** Ends the process at once; whoever waits for it gets the reason. */
  kill(reason: unknown): void {
    if (this.isDead) return;
    this.reason ??= reason;
    this.die(this.reason);
    this.child.kill("SIGKILL");
  }

  /** Resolves when the process is gone. */
  async ended(): Promise<void> {
    await this.child.exited;
  }

  private ask<Result>(
    signal: AbortSignal,
    question: (id: number) => ParentMessage,
    read: (message: ChildMessage, answer: (result: Result) => void) => void,
    pieces?: PieceStream<TextPiece>,
  ): Promise<Result> {
    signal.throwIfAborted();
    if (this.isDead) return Promise.reject(this.reason ?? unavailable("its process ended.", RETRY_AFTER_DEATH));
    const id = this.nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const forget = (): void => {
      this.asked.delete(id);
      signal.removeEventListener("abort", abort);
    };
    const failWith = (error: unknown): void => {
      forget();
      pieces?.fail(error);
      reject(error);
    };
    const abort = (): void => {
      this.send({ kind: "stop", id });
      failWith(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    this.asked.set(id, {
      fail: failWith,
      receive(message) {
        if (message.kind === "failed")
          failWith(fail("INTERNAL", {}, undefined, new Error(`The language model failed: ${message.cause}`)));
        else read(message, resolve);
        if (message.kind === "counted" || message.kind === "too-long" || message.kind === "finished") forget();
      },
    });
    this.send(question(id));
    return promise;
  }

  private receive(message: ChildMessage): void {
    if (message.kind === "listening") this.send({ kind: "open", settings: this.settings });
    else if (message.kind === "opened") this.opening.resolve(message);
    else if (message.kind === "refused")
      this.kill(unavailable(`its model ${message.reason}.`, RETRY_AFTER_REFUSAL, new Error(message.cause)));
    else if (message.kind === "load") ({ running: this.running, waiting: this.waiting } = message);
    else this.asked.get(message.id)?.receive(message);
  }

  private send(message: ParentMessage): void {
    if (!this.isDead) this.child.send(message);
  }

  private die(error: unknown): void {
    if (this.isDead) return;
    this.isDead = true;
    this.running = this.waiting = 0;
    this.opening.reject(error);
    for (const asked of [...this.asked.values()]) asked.fail(error);
  }

  private async keepStderr(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of this.child.stderr)
      this.stderr = (this.stderr + decoder.decode(bytes, { stream: true })).slice(-KEPT_STDERR_CHARACTERS);
  }
}

/** The 503 of a language model that cannot answer; `reason` is for clients, the cause for the log. */
export function unavailable(reason: string, retryAfter: number, cause?: unknown) {
  return fail("ANSWER_UNAVAILABLE", { reason, retryAfter }, undefined, cause);
}
