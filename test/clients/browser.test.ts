/** The TypeScript client in a browser, on a page of another origin, with a frontend token. */
import { afterAll, beforeAll, expect } from "bun:test";
import { compileTypeScriptClient } from "../../scripts/clients/compile.ts";
import { temporaryFolder } from "../cli/lectern.ts";
import { startLectern, type TestServer } from "../harness.ts";
import { program, testWith } from "../requirements.ts";

let server: TestServer;
const folder = temporaryFolder();

beforeAll(async () => {
  server = await startLectern();
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

/** What the page does; it reports what it saw, by name. */
const script = `
  import { Lectern } from "/client/index.js";
  const seen = {};
  try {
    const lectern = new Lectern(await (await fetch("/options")).json());
    const large = new File(["A line of a text that is long.\\n".repeat(50_000)], 'größe "x" 日本.txt', { type: "text/plain" });
    const [small] = await lectern.upload(new File(["The chain is cleaned with a brush."], "chain.txt"));
    const [later] = await lectern.upload(large, { async: true });
    seen.names = [small.originalName, later.originalName];
    seen.found = (await lectern.search({ question: "How is the chain cleaned?" })).length;
    seen.events = [];
    for await (const { type } of lectern.queryStream({ question: "How is the chain cleaned?" })) seen.events.push(type);
    seen.whole = (await (await lectern.download(later.fileId)).blob()).size === large.size;
    seen.part = await (await lectern.download(small.fileId, { start: 4, end: 9 })).text();
    seen.size = (await lectern.headFile(small.fileId)).size;
    seen.ready = (await lectern.waitUntilReady([later])).map(({ status }) => status);
    seen.refused = await lectern.getFile("none").catch(({ code, requestId }) => [code, requestId.length]);
    const stream = { name: "a.txt", content: () => large.stream() };
    seen.stream = await lectern.upload(stream).catch(({ message }) => message);
    seen.deleted = (await lectern.deleteEverything()).length;
  } catch (error) {
    seen.failure = String(error.stack);
  }
  await fetch("/seen", { method: "POST", body: JSON.stringify(seen) });
`;

testWith(program("chromium"))(
  "it uploads, asks, downloads and deletes as elsewhere, and says what browsers cannot",
  async () => {
    const { key } = server.customer();
    const made = await server.call("POST", "/v1/tokens/create", { key, json: { datasetId: "browser" } });
    const client = compileTypeScriptClient();
    const seen = Promise.withResolvers<unknown>();
    const html = { headers: { "content-type": "text/html; charset=utf-8" } };
    const site = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      routes: {
        "/": () => new Response(`<!doctype html><script type="module">${script}</script>`, html),
        "/options": () => Response.json({ url: server.url, key: made.body.token }),
        "/client/:name": ({ params }) =>
          new Response(client[params.name], { headers: { "content-type": "text/javascript" } }),
        "/seen": async (request) => {
          seen.resolve(await request.json());
          return new Response();
        },
      },
    });
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${folder.path}`];
    const browser = Bun.spawn(["chromium", ...flags, site.url.href], { stdout: "ignore", stderr: "ignore" });
    try {
      expect(await seen.promise).toEqual({
        names: ["chain.txt", 'größe "x" 日本.txt'],
        found: expect.any(Number),
        events: expect.arrayContaining(["sources", "token", "done"]),
        whole: true,
        part: "chain",
        size: 34,
        ready: ["ready"],
        refused: ["FILE_NOT_FOUND", 36],
        stream: 'Browsers send no streams: give the content of "a.txt" as a Blob or File.',
        deleted: 2,
      });
    } finally {
      browser.kill();
      await browser.exited;
      await site.stop(true);
    }
  },
);
