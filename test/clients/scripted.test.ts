/**
 * What every client does with answers that a real server gives too seldom, or that something in between gives: the server here says what it
 * is told to, one answer after the other.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { describeClients, type ClientOptions, type Outcome, type RunningClient } from "./clients.ts";

interface Scripted {
  readonly url: string;
  /** When each request came, in milliseconds. */
  readonly requests: { readonly path: string; readonly at: number }[];
}

const FOUND = (): Response => Response.json({ success: true, data: [] });
const STORED = (): Response => Response.json({ success: true, message: "", files: [] });
const refusal = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers });
const BUSY = { error: "BUSY", message: "The server has more work queued than it accepts." };

/** Gives the last answer again and again. */
async function withServer<Value>(
  answers: readonly (() => Response)[],
  use: (server: Scripted) => Promise<Value>,
): Promise<Value> {
  const requests: { path: string; at: number }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const answer = answers[Math.min(requests.length, answers.length - 1)]!;
      requests.push({ path: new URL(request.url).pathname, at: performance.now() });
      await request.arrayBuffer();
      return answer();
    },
  });
  try {
    return await use({ url: `http://127.0.0.1:${server.port}`, requests });
  } finally {
    await server.stop(true);
  }
}

/** Of what a wait of so long is at least, whatever clocks round. */
const NEARLY = 0.98;

describeClients((runtime) => {
  let client: RunningClient;
  beforeAll(() => {
    client = runtime.start();
  });
  afterAll(() => client.stop());

  const search = (url: string, options: Partial<ClientOptions> = {}): Promise<Outcome> =>
    client.call({ url, key: "lk_scripted", ...options }, "search", { datasetId: "a", question: "x" });
  const upload = (url: string, externalIds = {}): Promise<Outcome> =>
    client.call({ url, key: "lk_scripted" }, "upload", { datasetId: "a", texts: { "a.txt": "text" }, externalIds });

  test.each<[string, () => Response]>([
    ["seconds in the head", () => refusal(429, { error: "RATE_LIMIT_EXCEEDED" }, { "retry-after": "1" })],
    ["seconds in the body", () => refusal(503, { ...BUSY, retryAfter: 1 })],
    ["a date", () => refusal(503, BUSY, { "retry-after": new Date(Date.now() + 2000).toUTCString() })],
  ])("waits as long as the server asks for: %s", async (_case, refused) => {
    await withServer([refused, refused, FOUND], async ({ url, requests }) => {
      expect(await search(url)).toMatchObject({ value: [] });
      expect(requests).toHaveLength(3);
      // A date has no parts of seconds: the first of two may be as good as over.
      expect(requests[2]!.at - requests[0]!.at).toBeGreaterThan(1000 * NEARLY);
    });
  });

  test("waits no longer than it may, and not for a server that asks for more", async () => {
    await withServer([() => refusal(503, BUSY)], async ({ url, requests }) => {
      const { error } = await search(url, { retries: 3, longestWait: 20 });
      expect(error).toMatchObject({ code: "BUSY", status: 503 });
      expect(requests).toHaveLength(4);
    });
    const paused = { error: "UPLOADS_PAUSED", message: "Your uploads pause.", retryAfter: 300 };
    await withServer([() => refusal(429, paused)], async ({ url, requests }) => {
      expect((await upload(url)).error).toMatchObject({ code: "UPLOADS_PAUSED", status: 429, retryAfter: 300 });
      expect(requests).toHaveLength(1);
    });
  });

  test("sends an upload that was refused for now again, whether or not it has an externalId", async () => {
    const refused = (): Response => refusal(503, BUSY, { "retry-after": "0" });
    await withServer([refused, STORED], async ({ url, requests }) => {
      expect(await upload(url)).toMatchObject({ value: [] });
      expect(requests).toHaveLength(2);
    });
  });

  test("takes no proxy's failure for an answer: what may be done twice is sent again, and nothing else", async () => {
    const proxy = (): Response => new Response("<h1>Bad gateway</h1>", { status: 502 });
    await withServer([proxy, FOUND], async ({ url }) => expect(await search(url)).toMatchObject({ value: [] }));
    await withServer([proxy, STORED], async ({ url }) =>
      expect(await upload(url, { "a.txt": "a" })).toMatchObject({ value: [] }),
    );
    await withServer([proxy, STORED], async ({ url, requests }) => {
      expect((await upload(url)).error).toMatchObject({ code: "HTTP_502", status: 502 });
      expect(requests).toHaveLength(1);
    });
  });

  test.each<[string, () => Response, object]>([
    ["a page instead of JSON", () => new Response("<h1>Welcome</h1>"), { code: "UNEXPECTED_ANSWER", status: 200 }],
    ["an address elsewhere", () => Response.redirect("http://127.0.0.1:1/", 302), { code: "HTTP_302", status: 302 }],
    [
      "a failure of its own",
      () => refusal(500, { error: "Internal error" }),
      { code: "HTTP_500", message: "Internal error" },
    ],
  ])("says that it got %s, once", async (_case, answer, expected) => {
    await withServer([answer], async ({ url, requests }) => {
      expect((await search(url)).error).toMatchObject({ kind: "LecternError", ...expected });
      expect(requests).toHaveLength(1);
    });
  });

  test("tells why a streamed answer broke off", async () => {
    const events = [
      ": a comment\n\n",
      'event: sources\ndata: []\n\nevent: token\ndata: {"text":"One"}\n\n',
      'event: error\ndata: {"error":"ANSWER_UNAVAILABLE","message":"The language model died.","retryAfter":5}\n\n',
    ];
    const answer = (): Response =>
      new Response(events.join("").replaceAll("\n", "\r\n"), { headers: { "content-type": "text/event-stream" } });
    await withServer([answer], async ({ url, requests }) => {
      const asked = { datasetId: "a", question: "x" };
      const { error } = await client.call({ url, key: "lk_scripted" }, "queryStream", asked);
      expect(error).toMatchObject({
        code: "ANSWER_UNAVAILABLE",
        status: 0,
        message: "The answer broke off: The language model died.",
        retryAfter: 5,
      });
      expect(requests).toHaveLength(1);
    });
  });

  test("works below a path of a proxy's", async () => {
    await withServer([FOUND], async ({ url, requests }) => {
      for (const given of [`${url}/lectern`, `${url}/lectern/`, `${url}/lectern/v1`]) await search(given);
      expect(requests.map(({ path }) => path)).toEqual(Array(3).fill("/lectern/v1/search"));
    });
  });
});
