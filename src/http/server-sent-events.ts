/** Server-Sent Events (WHATWG HTML, section 9.2) as a response body. */

export interface ServerSentEvent {
  /** Left out of one that is told by its data alone. */
  readonly event?: string;
  /** Sent as JSON, which never holds a line break. */
  readonly data: unknown;
}

export interface EventStreamOptions {
  /** Called when the client goes away, before `events` is told. */
  readonly onCancel?: () => void;
  /** A comment is sent after so long without an event, so that nothing on the way takes the connection for dead. */
  readonly heartbeatSeconds?: number;
  /** Sent as it is when all events were: the data of one more, by which readers know the end. */
  readonly last?: string;
}

const HEARTBEAT_SECONDS = 15;
/** A line that begins with a colon is a comment, which readers pass over. */
const HEARTBEAT = ": still here\n\n";

/**
 * A body that sends each event as it comes. When the client goes away, `events` is ended where it stands (its `finally` blocks run)
 * and nothing more is read from it.
 */
export function eventStream(
  events: AsyncGenerator<ServerSentEvent>,
  { onCancel, heartbeatSeconds = HEARTBEAT_SECONDS, last }: EventStreamOptions = {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<ServerSentEvent>> | null = null;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      next ??= events.next();
      const result = await orSilence(next, heartbeatSeconds);
      if (result === null) {
        controller.enqueue(encoder.encode(HEARTBEAT));
        return;
      }
      next = null;
      if (!result.done) {
        const { event, data } = result.value;
        const name = event === undefined ? "" : `event: ${event}\n`;
        controller.enqueue(encoder.encode(`${name}data: ${JSON.stringify(data)}\n\n`));
        return;
      }
      if (last !== undefined) controller.enqueue(encoder.encode(`data: ${last}\n\n`));
      controller.close();
    },
    async cancel() {
      onCancel?.();
      await events.return(undefined);
    },
  });
}

/** The promise's value, or null when it takes longer than so many seconds. */
async function orSilence<Value>(promise: Promise<Value>, seconds: number): Promise<Value | null> {
  const { promise: silence, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), seconds * 1000);
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}
