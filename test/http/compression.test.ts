/** Answers are compressed where the client takes it, and only those that may be. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { chooseCoding } from "../../src/http/compression.ts";
import { startLectern, type TestCustomer, type TestServer } from "../harness.ts";

const LINE = "A chain that is oiled every month lasts for years. ";
const STORED = LINE.repeat(200);

let lectern: TestServer;
let customer: TestCustomer;
let fileId: string;

beforeAll(async () => {
  lectern = await startLectern({ "rate-upload": "10k" });
  customer = lectern.customer();
  [fileId] = (await lectern.upload(customer.key, "d", { "a.txt": STORED })) as [string];
});
afterAll(() => lectern.stop());

describe("what Accept-Encoding says", () => {
  test.each([
    [null, null],
    ["", null],
    ["identity", null],
    ["br, deflate", null],
    ["gzip", "gzip"],
    ["zstd", "zstd"],
    ["gzip, deflate, br, zstd", "zstd"],
    ["GZIP", "gzip"],
    ["gzip;q=0.5, zstd;q=0.1", "gzip"],
    ["gzip ; q=0.5 , zstd ; q=1.0", "zstd"],
    ["zstd;q=0, gzip", "gzip"],
    ["zstd;q=0, gzip;q=0.000", null],
    ["*", "zstd"],
    ["*, zstd;q=0", "gzip"],
    ["*;q=0", null],
    ["*;q=0, gzip", "gzip"],
    ["identity, gzip;q=0.5", null],
    ["identity;q=0.5, gzip;q=0.5", "gzip"],
    ["identity;q=0, gzip", "gzip"],
    ["gzip;q=2", null],
    ["gzip;q=often", null],
    [",,;q=1,", null],
    ["x".repeat(5000), null],
  ] as const)("%p: %p", (header, coding) => {
    expect(chooseCoding(header)).toBe(coding);
  });
});

/** What is sent, as it is sent. */
async function raw(
  method: string,
  path: string,
  encoding: string,
  { key = customer.key, json = undefined as unknown } = {},
) {
  const response = await fetch(path.startsWith("http") ? path : `${lectern.url}${path}`, {
    method,
    decompress: false,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "accept-encoding": encoding },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

const decompress = { zstd: zstdDecompressSync, gzip: gunzipSync } as const;

describe("compressed, and the same as without", () => {
  const question = { datasetId: "d", question: "How often is the chain oiled?" };
  const requests: [string, string, string, unknown][] = [
    ["a query", "POST", "/v1/query", question],
    ["the document of the interface", "GET", "/openapi/json", undefined],
  ];
  for (const coding of ["zstd", "gzip"] as const)
    test.each(requests)(`${coding}: %s`, async (_name, method, path, json) => {
      const [plain, packed] = [
        await raw(method, path, "identity", { json }),
        await raw(method, path, coding, { json }),
      ];
      expect(packed.status).toBe(200);
      expect(packed.headers.get("content-encoding")).toBe(coding);
      expect(packed.headers.get("content-type")).toBe(plain.headers.get("content-type"));
      expect(Number(packed.headers.get("content-length"))).toBe(packed.bytes.length);
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(decompress[coding](packed.bytes).toString()).toBe(plain.bytes.toString());
      for (const { headers } of [plain, packed]) expect(headers.get("vary")).toBe("Accept-Encoding");
      expect(plain.headers.get("content-encoding")).toBeNull();
    });

  test("an answer too long to be compressed on the spot", async () => {
    const { key } = lectern.customer();
    const extraMeta = JSON.stringify({ note: "x".repeat(10_000) });
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.txt`, `Text ${at}.`]));
    await lectern.upload(key, "d", files, { extraMeta });
    const path = "/v1/files?datasetId=d";
    const plain = await raw("GET", path, "identity", { key });
    expect(plain.bytes.length).toBeGreaterThan(300_000);
    for (const coding of ["zstd", "gzip"] as const) {
      const packed = await raw("GET", path, coding, { key });
      expect(packed.headers.get("content-encoding")).toBe(coding);
      expect(decompress[coding](packed.bytes).toString()).toBe(plain.bytes.toString());
    }
  });
});

describe("left as it is", () => {
  const permanentUrl = async () =>
    (await lectern.call("GET", `/v1/files/${fileId}`, { key: customer.key })).body.files[0].permanentUrl as string;
  const longName = `${"n".repeat(900)}.txt`;

  test("what is short", async () => {
    const { headers } = await raw("GET", "/v1/files?datasetId=nowhere", "zstd, gzip");
    expect(headers.get("content-encoding")).toBeNull();
    expect(headers.get("vary")).toBe("Accept-Encoding");
  });

  test("the content of stored files, whole and in ranges", async () => {
    const { headers, bytes } = await raw("GET", await permanentUrl(), "zstd, gzip");
    expect(headers.get("content-encoding")).toBeNull();
    expect(bytes.toString()).toBe(STORED);
  });

  test("a search, which is wanted at once", async () => {
    const json = { datasetId: "d", question: "How often is the chain oiled?" };
    const { status, headers, bytes } = await raw("POST", "/v1/search", "zstd, gzip", { json });
    expect(status).toBe(200);
    expect(headers.get("content-encoding")).toBeNull();
    expect(bytes.length).toBeGreaterThan(1024);
  });

  test("an event stream", async () => {
    const json = { datasetId: "d", question: "How often is the chain oiled?", stream: true };
    const { headers, bytes } = await raw("POST", "/v1/query", "zstd, gzip", { json });
    expect(headers.get("content-encoding")).toBeNull();
    expect(bytes.length).toBeGreaterThan(1024);
    expect(bytes.toString()).toContain("event: done");
  });

  test("what carries a secret: a token, a signed link", async () => {
    const json = { datasetId: "ü".repeat(100) };
    const token = await raw("POST", "/v1/tokens/create", "zstd, gzip", { json });
    const [id] = await lectern.upload(
      customer.key,
      "d",
      { [longName]: "A text." },
      { extraMeta: JSON.stringify({ a: "b".repeat(900) }) },
    );
    const details = await raw("GET", `/v1/files/${id}`, "zstd, gzip");
    for (const { status, headers, bytes } of [token, details]) {
      expect(status).toBe(200);
      expect(headers.get("content-encoding")).toBeNull();
      expect(() => JSON.parse(bytes.toString())).not.toThrow();
    }
    expect(details.bytes.length).toBeGreaterThan(2000);
  });
});

describe("a listing that is sent while it is read", () => {
  const FILES = 700;
  /** Random, so that it stays long. */
  const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(11_000))).toString("base64");
  const running = async () =>
    Number(/^lectern_requests_running (\d+)$/m.exec((await lectern.call("GET", "/metrics")).text)![1]) - 1;

  beforeAll(async () => {
    for (let start = 0; start < FILES; start += 100) {
      const files = Object.fromEntries(
        Array.from({ length: 100 }, (_, at) => [`${start + at}.txt`, `Text ${start + at}.`]),
      );
      await lectern.upload(customer.key, "long", files, { extraMeta: JSON.stringify({ note: noise() }) });
    }
  });

  test("is the same in every coding", async () => {
    const path = "/v1/files?datasetId=long";
    const plain = await raw("GET", path, "identity");
    for (const coding of ["zstd", "gzip"] as const) {
      const packed = await raw("GET", path, coding);
      expect(packed.headers.get("content-encoding")).toBe(coding);
      expect(decompress[coding](packed.bytes).equals(plain.bytes)).toBe(true);
    }
  });

  test("ends when the client goes away", async () => {
    const { hostname, port } = new URL(lectern.url);
    const socket: Socket = connect(Number(port), hostname);
    socket.pause();
    socket.write(
      `GET /v1/files?datasetId=long HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nx-service-key: ${customer.key}\r\n\r\n`,
    );
    while ((await running()) === 0) await Bun.sleep(10);
    socket.destroy();
    while ((await running()) > 0) await Bun.sleep(10);
  });

  test("breaks off where a page cannot be read", async () => {
    const { store } = lectern.appliance;
    const { filesOfDataset } = store;
    let pages = 0;
    store.filesOfDataset = (...request) => {
      if (++pages > 3) throw new Error("the disk is gone");
      return filesOfDataset(...request);
    };
    try {
      for (const coding of ["zstd", "gzip"] as const) {
        pages = 0;
        const outcome = await raw("GET", "/v1/files?datasetId=long", coding)
          .then(
            ({ bytes }) => decompress[coding](bytes).toString().endsWith("}"),
            () => false,
          )
          .catch(() => false);
        expect(outcome).toBe(false);
      }
    } finally {
      store.filesOfDataset = filesOfDataset;
    }
    expect(await running()).toBe(0);
  });
});
