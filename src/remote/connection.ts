/**
 * The calling end: an object in another thread or process, called as if it were here. Whoever waits is told when the other end is
 * gone, whatever became of it, and nobody waits for ever.
 */
import { ItemStream } from "./item-stream.ts";
import { standIn, toError, type ToCaller, type ToServer } from "./messages.ts";
import { movedWith, type Moved } from "./transfer.ts";

/** What carries the messages. */
export interface Channel {
  send(message: ToServer, transfer: readonly Moved[]): void;
  /** Ends the other end at once, whatever it is doing. */
  terminate(): void;
}

type Method = (...given: never[]) => unknown;
type NamesOf<Api, Kind extends "value" | "stream"> = {
  [Name in keyof Api]: Api[Name] extends Method
    ? ReturnType<Api[Name]> extends AsyncIterable<unknown>
      ? Kind extends "stream"
        ? Name
        : never
      : Kind extends "value"
        ? Name
        : never
    : never;
}[keyof Api];
type Given<Api, Name extends keyof Api> = Api[Name] extends (...given: infer Given) => unknown ? Given : never;
type Result<Api, Name extends keyof Api> = Api[Name] extends (...given: never[]) => infer Result ? Result : never;
type ItemOf<Stream> = Stream extends AsyncIterable<infer Item> ? Item : never;

/** The other end's methods: each resolves with what it returns. */
export type Calls<Api> = {
  readonly [Name in NamesOf<Api, "value">]: (...given: Given<Api, Name>) => Promise<Awaited<Result<Api, Name>>>;
};
/** The other end's generators. */
export type Streams<Api> = {
  readonly [Name in NamesOf<Api, "stream">]: (...given: Given<Api, Name>) => AsyncIterable<ItemOf<Result<Api, Name>>>;
};

/** Somebody who waits for what a call answers. */
interface Waiting {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
  item(value: unknown): void;
  /** Stops listening to the call's signal. */
  forget(): void;
}

/**
 * `Api` is the class at the other end. Arguments and results are copied, or moved where they are marked by `transfer`; an AbortSignal
 * among the arguments reaches across, and so does a function, which is called without an answer.
 */
export class Connection<Api> {
  readonly calls: Calls<Api>;
  readonly streams: Streams<Api>;
  /** Resolves with the reason once there will be no more answers. */
  readonly whenEnded: Promise<unknown>;
  private readonly waiting = new Map<number, Waiting>();
  private readonly callbacks = new Map<number, (...given: readonly unknown[]) => void>();
  private readonly ending = Promise.withResolvers<unknown>();
  private ended: { readonly reason: unknown } | null = null;
  private nextId = 1;

  /** Whoever makes the channel sees to it that `receive` and `end` are called. */
  constructor(private readonly channel: Channel) {
    this.whenEnded = this.ending.promise;
    this.calls = methods((method, given) => this.call(method, given)) as Calls<Api>;
    this.streams = methods((method, given) => this.stream(method, given)) as Streams<Api>;
  }

  get isEnded(): boolean {
    return this.ended !== null;
  }

  /** Takes a message of the other end. */
  receive(message: ToCaller): void {
    if ("reply" in message) this.settle(message.reply)?.resolve(message.value);
    else if ("failed" in message) this.settle(message.failed)?.reject(toError(message.error));
    else if ("done" in message) this.settle(message.done)?.resolve(undefined);
    else if ("item" in message) this.waiting.get(message.item)?.item(message.value);
    else if ("callback" in message) this.callbacks.get(message.callback)?.(...message.given);
  }

  /** The other end is gone: whoever waits, and whoever calls later, gets the reason. The first one counts. */
  end(reason: unknown): void {
    if (this.ended) return;
    this.ended = { reason };
    for (const id of [...this.waiting.keys()]) this.settle(id)?.reject(reason);
    this.callbacks.clear();
    this.ending.resolve(reason);
  }

  /** Ends the other end at once; whoever waits gets the reason. */
  kill(reason: unknown): void {
    this.end(reason);
    this.channel.terminate();
  }

  /**
   * Lets the other end finish, by a last call, and ends it. One that has not finished within `milliseconds` is ended as it is; one
   * that is gone already is not asked. Rejects with what the last call throws.
   */
  async close(finish: (calls: Calls<Api>) => Promise<unknown>, milliseconds: number): Promise<void> {
    if (this.ended) return;
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, milliseconds);
    const finished = finish(this.calls).catch((error: unknown) => {
      if (!this.ended) throw error;
    });
    try {
      await Promise.race([finished, patience.promise]);
    } finally {
      clearTimeout(timer);
      this.kill(new Error("it was closed"));
      finished.catch(() => undefined);
    }
  }

  private call(method: string, given: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => this.send(method, given, { resolve, reject, item: () => {} }));
  }

  private stream(method: string, given: readonly unknown[]): AsyncIterable<unknown> {
    const stream = new ItemStream<unknown>();
    this.send(method, given, {
      resolve: () => stream.end(),
      reject: (reason) => stream.fail(reason),
      item: (value) => stream.push(value),
    });
    return stream;
  }

  private send(method: string, given: readonly unknown[], waiting: Omit<Waiting, "forget">): void {
    if (this.ended) return waiting.reject(this.ended.reason);
    const signal = given.find((one) => one instanceof AbortSignal);
    if (signal?.aborted) return waiting.reject(signal.reason);
    const id = this.nextId++;
    const cancel = (): void => {
      this.channel.send({ cancel: id }, []);
      this.settle(id)?.reject(signal?.reason);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    this.waiting.set(id, { ...waiting, forget: () => signal?.removeEventListener("abort", cancel) });
    try {
      this.channel.send({ call: id, method, given: given.map((one) => this.across(one)) }, given.flatMap(movedWith));
    } catch (error) {
      this.settle(id)?.reject(error);
    }
  }

  private across(argument: unknown): unknown {
    if (argument instanceof AbortSignal) return standIn("signal");
    if (typeof argument !== "function") return argument;
    const id = this.nextId++;
    this.callbacks.set(id, argument as (...given: readonly unknown[]) => void);
    return standIn("function", id);
  }

  private settle(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    waiting?.forget();
    return waiting;
  }
}

function methods(send: (method: string, given: readonly unknown[]) => unknown): object {
  return new Proxy(
    {},
    {
      get:
        (_, method: string) =>
        (...given: readonly unknown[]) =>
          send(method, given),
    },
  );
}
