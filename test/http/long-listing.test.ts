/** Listings that do not fit one page: sent as the client takes them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { startLectern, type TestCustomer, type TestServer } from "../harness.ts";

const FILES = 700;
/** More than what lies in the buffers of a connection that nobody reads. */
const METADATA = { note: "x".repeat(15_000), "strange \u2028 key": [1, { deep: [null, "\ud800"] }] };

let lectern: TestServer;
let customer: TestCustomer;
let newestFirst: string[];

beforeAll(async () => {
  lectern = await startLectern({ "rate-upload": "10k" });
  customer = lectern.customer();
  newestFirst = [];
  for (let start = 0; start < FILES; start += 100) {
    const files = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`${start + index}.txt`, `Text number ${start + index}.`]),
    );
    newestFirst.unshift(
      ...(await lectern.upload(customer.key, "long", files, { extraMeta: JSON.stringify(METADATA) })).reverse(),
    );
  }
});
afterAll(() => lectern.stop());

/** Asks for the listing on a connection of its own that is not read yet. */
function askUnread(): Socket {
  const { hostname, port } = new URL(lectern.url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.write(
    `GET /v1/files?datasetId=long HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nx-service-key: ${customer.key}\r\n\r\n`,
  );
  return socket;
}

const running = async () =>
  Number(/^lectern_requests_running (\d+)$/m.exec((await lectern.call("GET", "/metrics")).text)![1]) - 1;

test("every file once, newest first, its metadata as it was sent", async () => {
  const { status, headers, body } = await lectern.call("GET", "/v1/files?datasetId=long", {
    key: customer.key,
    headers: { origin: "https://app.example" },
  });
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("x-request-id")).toBeString();
  expect(headers.get("x-ratelimit-limit")).toBe("6000");
  expect(body).toMatchObject({ success: true, message: `Found ${FILES} files.` });
  expect(body.files.map(({ fileId }: { fileId: string }) => fileId)).toEqual(newestFirst);
  expect(body.files[0].extraMeta).toEqual(METADATA);
  expect(body.files[0]).not.toHaveProperty("permanentUrl");
});

test("a whole page, and one file more", async () => {
  for (const count of [100, 101]) {
    const { key } = lectern.customer();
    const files = Object.fromEntries(
      Array.from({ length: count - 1 }, (_, index) => [`${index}.txt`, `Text number ${index}.`]),
    );
    await lectern.upload(key, "d", files);
    await lectern.upload(key, "d", { "last.txt": "The last text." });
    const { body } = await lectern.call("GET", "/v1/files?datasetId=d", { key });
    expect([body.message, body.files.length]).toEqual([`Found ${count} files.`, count]);
    expect((await lectern.call("DELETE", "/v1/files", { key })).body).toMatchObject({
      message: `Deleted ${count} files.`,
      files: { length: count },
    });
  }
});

test("it counts as running until it is sent, and no longer when the client goes away", async () => {
  const socket = askUnread();
  while ((await running()) === 0) await Bun.sleep(10);
  expect((await lectern.search(customer.key, "long", "text")).status).toBe(200);
  socket.destroy();
  while ((await running()) > 0) await Bun.sleep(10);
});

test("a page that cannot be read breaks the answer off", async () => {
  const { store } = lectern.appliance;
  const { filesOfDataset } = store;
  let pages = 0;
  store.filesOfDataset = (...request) => {
    if (++pages > 3) throw new Error("the disk is gone");
    return filesOfDataset(...request);
  };
  try {
    expect(
      await lectern
        .call("GET", "/v1/files?datasetId=long", { key: customer.key, headers: { "accept-encoding": "identity" } })
        .then(
          () => "whole",
          () => "broken off",
        ),
    ).toBe("broken off");
  } finally {
    store.filesOfDataset = filesOfDataset;
  }
  expect(lectern.logLines.filter((line) => line.includes("A listing broke off"))).toHaveLength(1);
  expect(await running()).toBe(0);
});

test("a stopping server waits for it", async () => {
  const socket = askUnread();
  while ((await running()) === 0) await Bun.sleep(10);
  let isStopped = false;
  const stopping = lectern.restart().then(() => (isStopped = true));
  await Bun.sleep(100);
  expect(isStopped).toBe(false);
  let answer = "";
  const ended = new Promise<void>((resolve) => socket.on("close", resolve));
  socket.on("data", (data) => (answer += data.toString("latin1")));
  socket.resume();
  await ended;
  expect(answer).toContain(`"message":"Found ${FILES} files."}`);
  await stopping;
});
