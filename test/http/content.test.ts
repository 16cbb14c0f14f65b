/** Downloads through signed links: no credential, ranges, and nothing that a browser would run. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startLectern, type TestCustomer, type TestServer } from "../harness.ts";

const TEXT = "0123456789 The whole content of this file is here.";
let lectern: TestServer;
let customer: TestCustomer;
let fileId: string;
let path: string;

beforeAll(async () => {
  lectern = await startLectern();
  customer = lectern.customer();
  [fileId] = (await lectern.upload(customer.key, "d", { "Übung; '1'.txt": TEXT })) as [string];
  path = await linkOf(fileId);
});
afterAll(() => lectern.stop());

async function linkOf(id: string): Promise<string> {
  const { permanentUrl } = (await lectern.call("GET", `/v1/files/${id}`, { key: customer.key })).body.files[0];
  return permanentUrl.slice(lectern.url.length);
}

const download = (headers: Record<string, string> = {}, method = "GET", address = path) =>
  lectern.call(method, address, { headers });

test("answers the bytes as an attachment under the true name", async () => {
  const { status, headers, text } = await download();
  expect(status).toBe(200);
  expect(text).toBe(TEXT);
  expect(headers.get("content-type")).toStartWith("text/plain");
  expect(headers.get("content-disposition")).toBe(
    `attachment; filename="_bung_ '1'.txt"; filename*=UTF-8''%C3%9Cbung%3B%20%271%27.txt`,
  );
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("accept-ranges")).toBe("bytes");
  expect(headers.get("content-length")).toBe(String(TEXT.length));
});

test("HEAD answers the same headers alone", async () => {
  const { status, headers, text } = await download({}, "HEAD");
  expect(status).toBe(200);
  expect(text).toBe("");
  expect(headers.get("content-length")).toBe(String(TEXT.length));
  expect(headers.get("content-disposition")).toStartWith("attachment");
});

describe("ranges", () => {
  test.each([
    ["bytes=0-9", 206, "0123456789", `bytes 0-9/${TEXT.length}`],
    ["bytes=45-", 206, TEXT.slice(45), `bytes 45-${TEXT.length - 1}/${TEXT.length}`],
    ["bytes=-5", 206, TEXT.slice(-5), `bytes ${TEXT.length - 5}-${TEXT.length - 1}/${TEXT.length}`],
    ["bytes=-5000", 206, TEXT, `bytes 0-${TEXT.length - 1}/${TEXT.length}`],
    ["bytes=5-99999", 206, TEXT.slice(5), `bytes 5-${TEXT.length - 1}/${TEXT.length}`],
    ["bytes=9-2", 200, TEXT, null],
    ["bytes=0-1,3-4", 200, TEXT, null],
    ["lines=0-1", 200, TEXT, null],
    ["bytes=a-b", 200, TEXT, null],
    ["bytes=99999-", 416, null, `bytes */${TEXT.length}`],
    ["bytes=-0", 416, null, `bytes */${TEXT.length}`],
  ] as [string, number, string | null, string | null][])("%s → %d", async (range, status, expected, contentRange) => {
    const reply = await download({ range });
    expect(reply.status).toBe(status);
    if (expected !== null) expect(reply.text).toBe(expected);
    expect(reply.headers.get("content-range")).toBe(contentRange);
  });

  test("If-Range with the file's own tag or another", async () => {
    const tag = (await download()).headers.get("etag")!;
    expect((await download({ range: "bytes=0-3", "if-range": tag })).status).toBe(206);
    expect((await download({ range: "bytes=0-3", "if-range": '"other"' })).status).toBe(200);
  });
});

describe("links that are not ours", () => {
  test.each([
    ["no signature", () => path.replace(/&signature=.*/, "")],
    ["no query", () => path.replace(/\?.*/, "")],
    ["another signature", () => path.replace(/signature=.{4}/, "signature=AAAA")],
    ["a signature cut short", () => path.slice(0, -5)],
    ["a later end", () => path.replace(/expires=\d+/, "expires=99999999999")],
    ["another spelling of the same end", () => path.replace(/expires=/, "expires=0")],
    ["no number", () => path.replace(/expires=\d+/, "expires=never")],
    ["another file", () => path.replace(fileId, "01900000-0000-7000-8000-000000000000")],
    ["an id that cannot be decoded", () => path.replace(fileId, "%E0%A4%A")],
  ] as [string, () => string][])("%s", async (_name, address) => {
    for (const method of ["GET", "HEAD"]) expect((await download({}, method, address())).status).toBe(403);
    expect((await download({}, "GET", address())).body.error).toBe("PERMISSION_DENIED");
  });

  test("a key beside a wrong signature does not mend it", async () => {
    const wrong = path.replace(/signature=.{4}/, "signature=AAAA");
    expect((await download({ authorization: `Bearer ${customer.key}` }, "GET", wrong)).status).toBe(403);
  });
});

describe("without a link, a key or token of the file's owner", () => {
  const bare = () => path.replace(/\?.*/, "");
  const tokenOf = async (datasetId: string) =>
    (await lectern.call("POST", "/v1/tokens/create", { key: customer.key, json: { datasetId } })).body.token as string;

  test.each<[credential: string, make: () => string | Promise<string>, status: number]>([
    ["its key", () => customer.key, 200],
    ["a token of its dataset", () => tokenOf("d"), 200],
    ["a token of another dataset", () => tokenOf("e"), 403],
    ["another customer's key", () => lectern.customer().key, 404],
    ["no key of ours", () => "lk_nobody", 401],
  ])("%s", async (_what, make, status) => {
    const authorization = `Bearer ${await make()}`;
    for (const method of ["GET", "HEAD"])
      expect((await download({ authorization }, method, bare())).status).toBe(status);
    if (status === 200)
      expect((await download({ authorization, range: "bytes=0-3" }, "GET", bare())).text).toBe("0123");
  });
});

test("the link of a deleted file leads nowhere", async () => {
  const [id] = await lectern.upload(customer.key, "d", { "b.txt": "Soon to be gone again." });
  const address = await linkOf(id!);
  await lectern.call("DELETE", `/v1/files/${id}`, { key: customer.key });
  expect(await download({}, "GET", address)).toMatchObject({ status: 404, body: { error: "FILE_NOT_FOUND" } });
});

test("HTML is never shown as a page of ours", async () => {
  const [id] = await lectern.upload(customer.key, "d", {
    "page.html": "<html><body><p>A page with a sentence.</p><script>alert(1)</script></body></html>",
  });
  const { headers } = await download({}, "GET", await linkOf(id!));
  expect(headers.get("content-disposition")).toStartWith("attachment");
  expect(headers.get("content-security-policy")).toContain("sandbox");
});

test("links begin with the public address where one is set, and survive a restart", async () => {
  const before = path;
  await lectern.restart({ "public-url": "https://search.example.org" });
  const { permanentUrl } = (await lectern.call("GET", `/v1/files/${fileId}`, { key: customer.key })).body.files[0];
  expect(permanentUrl).toBe(`https://search.example.org${before}`);
  expect((await download()).status).toBe(200);
});

describe("bytes that are not those that were uploaded are never sent", () => {
  beforeAll(() => lectern.restart());
  const damages: [string, (stored: string) => void][] = [
    ["a flipped bit", (stored) => writeFileSync(stored, TEXT.replace("0", "1"))],
    ["cut short", (stored) => truncateSync(stored, 10)],
    ["longer", (stored) => writeFileSync(stored, `${TEXT}!`)],
    ["a link to a secret", (stored) => (rmSync(stored), symlinkSync(join(lectern.directory, "secret"), stored))],
    [
      "a link to the same bytes",
      (stored) => (copyFileSync(stored, `${stored}.copy`), rmSync(stored), symlinkSync(`${stored}.copy`, stored)),
    ],
    ["a folder", (stored) => (rmSync(stored), mkdirSync(stored))],
    ["a pipe", (stored) => (rmSync(stored), Bun.spawnSync(["mkfifo", stored]))],
    ["nothing", (stored) => rmSync(stored)],
  ];
  test.each(damages)("%s", async (_name, damage) => {
    const [id] = await lectern.upload(customer.key, "damaged", { "c.txt": TEXT });
    const address = await linkOf(id!);
    expect((await download({ range: "bytes=0-3" }, "GET", address)).status).toBe(206);
    damage(join(lectern.directory, "files", id!.slice(-2), id!));
    for (const headers of [{}, { range: "bytes=12-14" }] as Record<string, string>[]) {
      expect(await download(headers, "GET", address)).toMatchObject({ status: 500, body: { error: "Internal error" } });
    }
    expect(lectern.logLines.at(-1)).toContain(id!);
    expect((await lectern.call("DELETE", `/v1/files/${id}`, { key: customer.key })).status).toBe(200);
    expect(existsSync(join(lectern.directory, "files", id!.slice(-2), id!))).toBe(false);
  });
});
