/** GET / and /console/assets/:name: what the console's pages consist of, and under which rules a browser shows them. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startLectern, type TestServer } from "../harness.ts";

let lectern: TestServer;
/** Addresses that the page names. */
let assets: string[];
beforeAll(async () => {
  lectern = await startLectern();
  const { text } = await lectern.call("GET", "/");
  assets = [...text.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path!);
});
afterAll(() => lectern.stop());

describe("the page", () => {
  test.each([
    ["content-type", "text/html; charset=utf-8"],
    [
      "content-security-policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    ],
    ["x-content-type-options", "nosniff"],
    ["referrer-policy", "no-referrer"],
    ["cross-origin-opener-policy", "same-origin"],
    ["cross-origin-resource-policy", "same-origin"],
    ["x-frame-options", "DENY"],
    ["cache-control", "no-cache"],
    ["vary", "Accept-Encoding"],
  ])("%s: %s", async (name, expected) => {
    const { status, headers } = await lectern.call("GET", "/");
    expect([status, headers.get(name)]).toEqual([200, expected]);
  });

  test("has no script and no style of its own, and names nothing from elsewhere", async () => {
    const { text } = await lectern.call("GET", "/");
    expect(text.match(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\son\w+=|https?:|"\/\//g)).toBeNull();
    expect(assets.map((path) => path.replace(/-[0-9a-f]{12}\./, "."))).toEqual([
      "/console/assets/icon.svg",
      "/console/assets/styles.css",
      "/console/assets/theme.js",
      "/console/assets/main.js",
    ]);
  });

  test("needs less than 60 KB to be loaded whole, compressed", async () => {
    const sizes = await Promise.all(
      ["/", ...assets].map(async (path) => {
        const reply = await fetch(lectern.url + path, { headers: { "accept-encoding": "br" }, decompress: false });
        expect(reply.headers.get("content-encoding")).toBe("br");
        return (await reply.arrayBuffer()).byteLength;
      }),
    );
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60_000);
  });

  test("is not sent again to whoever has it", async () => {
    const { headers } = await lectern.call("GET", "/");
    const again = await lectern.call("GET", "/", { headers: { "if-none-match": headers.get("etag")! } });
    expect([again.status, again.text]).toEqual([304, ""]);
  });
});

describe("what it loads", () => {
  test("may be kept for ever, and is the same in every coding", async () => {
    for (const path of assets) {
      const texts = await Promise.all(
        ["br", "gzip", "identity"].map(async (coding) => {
          const { status, headers, text } = await lectern.call("GET", path, { headers: { "accept-encoding": coding } });
          expect([path, status, headers.get("cache-control")]).toEqual([
            path,
            200,
            "public, max-age=31536000, immutable",
          ]);
          return text;
        }),
      );
      expect(new Set(texts).size).toBe(1);
      expect(texts[0]!.length).toBeGreaterThan(100);
    }
  });

  test("names nothing from elsewhere", async () => {
    const loaded = await Promise.all(assets.map(async (path) => (await lectern.call("GET", path)).text));
    const addresses = loaded.flatMap((text) => text.match(/\b(?:https?|wss?):\/\/[^"'`\s)]+/g) ?? []);
    // Names of languages of markup are written as addresses, and never asked for.
    expect(addresses.filter((address) => !address.startsWith("http://www.w3.org/"))).toEqual([]);
    expect(loaded.join("\n")).not.toMatch(/\beval\(|new Function\(|document\.write|@import/);
  });

  test("makes markup of nothing that is text", () => {
    const folder = join(import.meta.dir, "../../src/console");
    const sources = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(folder)];
    expect(sources.length).toBeGreaterThan(40);
    const unsafe = /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|srcdoc|DOMParser|javascript:/;
    expect(sources.filter((name) => unsafe.test(readFileSync(join(folder, name), "utf8")))).toEqual([]);
  });

  test.each(["main.js", "..%2fpage-files.ts", "__proto__", "constructor"])("%s is nowhere", async (name) => {
    expect((await lectern.call("GET", `/console/assets/${name}`)).status).toBe(404);
  });
});
