/** GET /openapi: the viewer works as it is sent, allowed to load nothing from elsewhere. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { viewerPolicy } from "../../../src/http/openapi/viewer/page.ts";
import type { Exchange } from "../../../src/http/exchange.ts";
import { answerFile, type PackedFile } from "../../../src/http/packed-file.ts";
import { startLectern, type TestServer } from "../../harness.ts";
import { program, testWith } from "../../requirements.ts";

let lectern: TestServer;
beforeAll(async () => {
  lectern = await startLectern();
});
afterAll(() => lectern.stop());

test("the page may load and ask nothing from elsewhere, and names nothing from there", async () => {
  const { status, headers, text } = await lectern.call("GET", "/openapi");
  expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const policy = headers.get("content-security-policy")!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
});

test("it may ask the server by the address that clients use, where that is another", () => {
  expect(viewerPolicy("https://docs.example:8443/")).toContain("connect-src 'self' https://docs.example:8443;");
});

test("every file that the page names is there, and is not sent again to whoever has it", async () => {
  const { text } = await lectern.call("GET", "/openapi");
  const files = [...text.matchAll(/(?:src|href)="(\/openapi\/viewer\/[^"]+)"/g)].map(([, path]) => path!);
  expect(files).toHaveLength(3);
  for (const path of files) {
    const { status, headers, text: content } = await lectern.call("GET", path);
    expect([path, status, content.length > 100]).toEqual([path, 200, true]);
    expect(headers.get("content-type")).toStartWith(path.endsWith(".css") ? "text/css" : "text/javascript");
    const again = await lectern.call("GET", path, { headers: { "if-none-match": `W/${headers.get("etag")}` } });
    expect([again.status, again.text]).toEqual([304, ""]);
  }
});

testWith(program("chromium"))("a browser shows every operation, and has nothing to complain of", async () => {
  const profile = mkdtempSync(join(tmpdir(), "lectern-chromium-"));
  try {
    const browser = Bun.spawn(
      [
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        "--virtual-time-budget=60000",
        `--user-data-dir=${profile}`,
        "--dump-dom",
        `${lectern.url}/openapi`,
      ],
      { stdout: "pipe", stderr: "pipe" },
    );
    const [shown, said] = await Promise.all([
      new Response(browser.stdout).text(),
      new Response(browser.stderr).text(),
      browser.exited,
    ]);
    const { body } = await lectern.call("GET", "/openapi/json");
    const operations = Object.values<any>(body.paths).flatMap((methods) => Object.values<any>(methods));
    for (const { tags, operationId } of operations)
      expect(shown).toContain(`id="operations-${tags[0]}-${operationId}"`);
    expect(said.split("\n").filter((line) => /CONSOLE|Content Security Policy/.test(line))).toEqual([]);
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
});

const CONTENT = "the content of a file ".repeat(50);
const packed = (...codings: readonly ("br" | "gzip" | "identity")[]): PackedFile => ({
  type: "text/plain",
  tag: '"1"',
  content: new Map(
    codings.map((coding) => {
      const pack = { br: brotliCompressSync, gzip: gzipSync, identity: Buffer.from }[coding] as (
        text: string,
      ) => Buffer;
      return [coding, new Uint8Array(pack(CONTENT))];
    }),
  ),
});
test.each<[file: PackedFile, accepted: string | null, coding: string | null]>([
  [packed("br", "gzip"), "gzip, deflate, br", "br"],
  [packed("br", "gzip"), "gzip", "gzip"],
  [packed("br", "gzip"), "br;q=0, gzip;q=0.5", "gzip"],
  [packed("br"), "gzip", null],
  [packed("br"), null, null],
  [packed("gzip"), "x-gzip", null],
  [packed("identity"), "br", null],
])("a packed file: %#", async (file, accepted, coding) => {
  const headers: Record<string, string> = {};
  const request = new Request("http://x/", { headers: accepted === null ? {} : { "accept-encoding": accepted } });
  const response = await answerFile({ headers, request } as Exchange, file);
  expect(response.headers.get("content-encoding")).toBe(coding);
  const sent = new Uint8Array(await response.arrayBuffer());
  const content = coding === null ? Buffer.from(sent).toString() : null;
  if (coding === null) expect(content).toBe(CONTENT);
  else expect(sent).toEqual(file.content.get(coding as "br")!);
});
