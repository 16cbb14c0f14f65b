/** Streams of events: heartbeats while nothing comes, and an end that reaches what makes them. */
import { expect, test } from "bun:test";
import { eventStream } from "../../src/http/server-sent-events.ts";

test("a comment is sent while nothing comes, and nothing of it is an event", async () => {
  const waitedFor = Promise.withResolvers<void>();
  const slow = (async function* () {
    yield { event: "sources", data: [] };
    await waitedFor.promise;
    yield { event: "token", data: { text: "a\nb" } };
  })();
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of eventStream(slow, { heartbeatSeconds: 0.02 })) {
    text += decoder.decode(bytes, { stream: true });
    if (text.split(": still here\n\n").length > 2) waitedFor.resolve();
  }
  expect(text).toMatch(
    /^event: sources\ndata: \[\]\n\n(?:: still here\n\n){2,}event: token\ndata: \{"text":"a\\nb"\}\n\n$/,
  );
});

test("who goes away is told at once, also while nothing comes", async () => {
  const gone = new AbortController();
  let ended = false;
  const waiting = (async function* () {
    try {
      yield { event: "sources", data: [] };
      await new Promise((resolve) => gone.signal.addEventListener("abort", resolve));
    } finally {
      ended = true;
    }
  })();
  const reader = eventStream(waiting, { onCancel: () => gone.abort() }).getReader();
  await reader.read();
  await Bun.sleep(5);
  await reader.cancel();
  expect(ended).toBe(true);
});
