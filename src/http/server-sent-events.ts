/** Server-Sent Events (WHATWG HTML, section 9.2) as a response body. */

export interface ServerSentEvent {
  readonly event: string;
  /** Sent as JSON, which never holds a line break. */
  readonly data: unknown;
}

/**
 * A body that sends each event as it comes. When the client goes away, `events` is ended where it stands (its `finally` blocks run)
 * and nothing more is read from it.
 */
export function eventStream(events: AsyncGenerator<ServerSentEvent>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`event: ${value.event}\ndata: ${JSON.stringify(value.data)}\n\n`));
    },
    async cancel() {
      await events.return(undefined);
    },
  });
}
