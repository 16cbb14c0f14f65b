/** The answering end: one object's methods, called by whoever started this thread or process. */
import { endWithParent } from "../native/end-with-parent.ts";
import { isStandIn, toSentError, type ToCaller, type ToServer } from "./messages.ts";
import { movedWith, type Moved } from "./transfer.ts";

declare const self: Worker;

type Post = (message: ToCaller, transfer?: readonly Moved[]) => void;
type Method = (...given: unknown[]) => unknown;

type MethodOf = (name: string) => Method;

/** What `open` makes, as whoever opens it from elsewhere sees it. */
export type Opened<Open extends (...given: never[]) => unknown> = Awaited<ReturnType<Open>> & {
  open(...given: Parameters<Open>): Promise<void>;
};

/** Serves whoever started this Worker. */
export function serveThread(api: object): void {
  listen((name) => methodOf(api, name));
}

/** Serves whoever started this Worker with what `open` makes, which is to be called first. */
export function serveOpened(open: (...given: never[]) => unknown): void {
  let opened: object = {};
  const first: Method = async (...given) => void (opened = (await open(...(given as never[]))) as object);
  listen((name) => (name === "open" ? first : methodOf(opened, name)));
}

function listen(methods: MethodOf): void {
  const answer = answering(methods, (message, transfer = []) => self.postMessage(message, [...transfer]));
  self.onmessage = ({ data }: MessageEvent<ToServer>) => answer(data);
}

/** Serves another thread, which has the other end of the port, directly. */
export function servePort(port: MessagePort, api: object): void {
  const post: Post = (message, moved = []) => port.postMessage(message, [...moved]);
  const answer = answering((name) => methodOf(api, name), post);
  port.onmessage = ({ data }) => answer(data as ToServer);
}

const methodOf = (api: object, name: string): Method => (api as Record<string, Method>)[name]!.bind(api);

/** Serves the process that started this one until it goes away, and ends with it; never resolves before. */
export async function serveParent(api: object): Promise<void> {
  const { promise: disconnected, resolve } = Promise.withResolvers<void>();
  const post: Post = (message) => void process.send?.(message);
  process.on("disconnect", resolve);
  for (const fault of ["uncaughtException", "unhandledRejection"] as const) process.on(fault, endAtFault);
  process.on(
    "message",
    answering((name) => methodOf(api, name), post),
  );
  endWithParent();
  post({ ready: true });
  await disconnected;
}

/** A process that still awaits something at its top level outlives what it failed to catch, and whoever waits for it would wait for ever. */
function endAtFault(error: unknown): void {
  console.error(error);
  process.exit(1);
}

/** Calls begin in the order in which they come, and each is answered when it is done. */
function answering(methods: MethodOf, post: Post): (message: ToServer) => void {
  const running = new Map<number, AbortController>();
  const here = (argument: unknown, { signal }: AbortController): unknown => {
    if (!isStandIn(argument)) return argument;
    if (argument.standsFor === "signal") return signal;
    return (...given: unknown[]) => post({ callback: argument.id, given });
  };

  async function run(id: number, method: string, given: readonly unknown[]): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const called = methods(method)(...given.map((one) => here(one, controller)));
      if (isStream(called)) {
        for await (const value of called) post({ item: id, value }, movedWith(value));
        post({ done: id });
      } else {
        const value = await called;
        post({ reply: id, value }, movedWith(value));
      }
    } catch (error) {
      post({ failed: id, error: toSentError(error) });
    } finally {
      running.delete(id);
    }
  }

  return (message) => {
    if ("cancel" in message) running.get(message.cancel)?.abort();
    else void run(message.call, message.method, message.given);
  };
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
