/** Requests to an index Worker and its replies: both ends of the conversation, whatever the Worker indexes. */
import { fail } from "../errors.ts";

export type Numbered<Request> = Request & { readonly id: number };

export type Reply =
  | { readonly type: "reply"; readonly id: number; readonly value: unknown }
  | { readonly type: "failed"; readonly id: number; readonly reason: string };

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The main thread's end. `Notice` is what the Worker says unasked. */
export class WorkerRequests<Request extends object, Notice extends { readonly type: string } = never> {
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  /** Why there will be no more replies. */
  private ended: Error | null = null;

  constructor(
    private readonly worker: Worker,
    onNotice: (notice: Notice) => void = () => {},
  ) {
    worker.onmessage = ({ data }: MessageEvent<Reply | Notice>) => {
      if (isReply(data)) this.settle(data);
      else onNotice(data);
    };
    worker.onerror = (event) => this.abandon(new Error(`the index thread failed: ${event.message}`));
    worker.addEventListener("close", () => this.abandon(new Error("the index thread ended by itself")));
  }

  /** The first request, and its reply. A Worker that fails it is ended, so that it keeps no process alive. */
  async open(request: Request): Promise<unknown> {
    try {
      return await this.send(request);
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** Resolves with the Worker's reply; rejects with INTERNAL when it fails, and when the Worker has ended. */
  send(request: Request): Promise<unknown> {
    if (this.ended) return Promise.reject(fail("INTERNAL", {}, undefined, this.ended));
    return new Promise((resolve, reject) => {
      const id = this.nextId++;
      this.pending.set(id, { resolve, reject });
      this.worker.postMessage({ ...request, id } satisfies Numbered<Request>);
    });
  }

  /** The last request, in which the Worker finishes what is native; then it is ended. One that has ended already is not asked. */
  async close(request: Request): Promise<void> {
    if (!this.ended) await this.send(request).finally(() => this.end());
  }

  private end(): void {
    this.abandon(new Error("the indexes are closed"));
    this.worker.terminate();
  }

  private settle(reply: Reply): void {
    const pending = this.pending.get(reply.id);
    this.pending.delete(reply.id);
    if (reply.type === "reply") pending?.resolve(reply.value);
    else pending?.reject(fail("INTERNAL", {}, undefined, new Error(`the index failed: ${reply.reason}`)));
  }

  private abandon(error: Error): void {
    this.ended ??= error;
    for (const { reject } of this.pending.values()) reject(fail("INTERNAL", {}, undefined, error));
    this.pending.clear();
  }
}

declare const self: Worker;

/** The Worker's end: replies to every request with what `answer` returns or throws. */
export function answerRequests<Request extends object>(answer: (request: Request) => unknown): void {
  self.onmessage = async ({ data }: MessageEvent<Numbered<Request>>) => {
    try {
      post({ type: "reply", id: data.id, value: await answer(data) });
    } catch (error) {
      post({
        type: "failed",
        id: data.id,
        reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  };
}

/** Lets waiting messages, such as short searches, in. */
export const letOthersIn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs work that yields every now and then, letting others in each time, to its end. */
export async function inSlices<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await letOthersIn();
  }
}

const post = (reply: Reply): void => self.postMessage(reply);

function isReply(message: Reply | { readonly type: string }): message is Reply {
  return message.type === "reply" || message.type === "failed";
}
