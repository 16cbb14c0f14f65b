/** Streams of events: heartbeats while nothing comes, and an end that reaches what makes them. */
import { expect, test } from "bun:test";
import { eventStream } from "../../src/http/server-sent-events.ts";

test("a comment is sent while nothing comes, and nothing of it is an event", async () => {
  const slow = (async function* () {
    yield { event: "sources", data: [] };
    await Bun.sleep(130);
    yield { event: "token", data: { text: "a\nb" } };
  })();
  const text = await new Response(eventStream(slow, { heartbeatSeconds: 0.05 })).text();
  expect(text).toBe('event: sources\ndata: []\n\n: still here\n\n: still here\n\nevent: token\ndata: {"text":"a\\nb"}\n\n');
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
