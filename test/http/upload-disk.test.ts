/** What uploads may put on the disk: nothing that nobody pays for, no more than there is room for, and never the last of it. */
import { afterEach, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { startLectern, until, uploadForm, type Reply, type TestServer } from "../harness.ts";

let lectern: TestServer;
afterEach(() => lectern.stop());

const part = (name: string, content: string) =>
  `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${content}\r\n`;
const DATASET = '--b\r\nContent-Disposition: form-data; name="datasetId"\r\n\r\nd\r\n';
const END = "--b--\r\n";

interface Sending {
  readonly reply: Promise<Reply>;
  send(text: string): void;
  finish(): void;
}

/** An upload whose client sends on when the test says so. */
function sending(key: string, beginning: string): Sending {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  controller.enqueue(Buffer.from(beginning));
  return {
    reply: lectern.call("POST", "/v1/files/upload", {
      key,
      body,
      headers: { "content-type": "multipart/form-data; boundary=b" },
    }),
    send: (text) => controller.enqueue(Buffer.from(text)),
    finish: () => controller.close(),
  };
}

const stagedFiles = async (): Promise<string[]> =>
  (await readdir(join(lectern.directory, "staging"), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
const heldBytes = (): number => lectern.appliance.diskRoom.held;

test("a customer without credits is refused at its first file, whatever is still to come, and nothing is kept", async () => {
  lectern = await startLectern();
  const { key } = lectern.customer(0.5);
  const refused = await sending(key, DATASET + part("a.txt", "x".repeat(100_000))).reply;
  expect(refused).toMatchObject({
    status: 402,
    body: { error: "INSUFFICIENT_CREDITS", details: { required: 1, available: 0.5 } },
  });
  expect(refused.headers.get("x-ratelimit-remaining")).toBe("99");
  expect(await stagedFiles()).toEqual([]);
  expect(heldBytes()).toBe(0);
});

test("the file beyond what the balance pays is refused as it begins, and takes the others with it", async () => {
  lectern = await startLectern();
  const { customerId, key } = lectern.customer(2);
  const upload = sending(key, DATASET + part("a.txt", "first") + part("b.txt", "second") + part("c.txt", "third"));
  expect(await upload.reply).toMatchObject({ status: 402, body: { details: { required: 3, available: 2 } } });
  expect(lectern.appliance.access.balance(customerId)).toBe(2000);
  expect((await lectern.upload(key, "d", { "a.txt": "first", "b.txt": "second" })).length).toBe(2);
});

test("one upload over a customer's share is too large, declared or not; several together are told to come again", async () => {
  lectern = await startLectern({ "staging-bytes": "3000", "staging-bytes-per-customer": "2000" });
  const [one, other, third] = [lectern.customer(), lectern.customer(), lectern.customer()];
  expect(await sending(one.key, DATASET + part("a.txt", "x".repeat(2500))).reply).toMatchObject({
    status: 413,
    body: { details: { limit: 2000 } },
  });
  const declared = await lectern.call("POST", "/v1/files/upload", {
    key: one.key,
    body: uploadForm({ datasetId: "d" }, { "a.txt": "x".repeat(2_000_000) }),
  });
  expect(declared.status).toBe(413);
  await until(() => heldBytes() === 0, 10_000);

  const held = sending(one.key, DATASET + part("a.txt", "word ".repeat(300)));
  await until(() => heldBytes() >= 1500, 10_000);
  expect(await sending(one.key, DATASET + part("b.txt", "x".repeat(600))).reply).toMatchObject({
    status: 503,
    body: { error: "BUSY", retryAfter: 5 },
  });
  const besides = sending(other.key, DATASET + part("c.txt", "word ".repeat(250)));
  await until(() => heldBytes() >= 2750, 10_000);
  expect(await sending(third.key, DATASET + part("d.txt", "x".repeat(600))).reply).toMatchObject({
    status: 503,
    body: { error: "BUSY" },
  });

  for (const upload of [held, besides]) {
    upload.send(END);
    upload.finish();
    expect((await upload.reply).status).toBe(200);
  }
  await until(() => heldBytes() === 0, 10_000);
});

test("without the disk's reserve uploads are refused and charge nothing, while all else goes on", async () => {
  lectern = await startLectern();
  const { customerId, key } = lectern.customer(10);
  await lectern.upload(key, "d", { "a.txt": "Bees make honey." });
  await lectern.restart({ "disk-reserve": String(2 ** 50) });
  const refused = await lectern.call("POST", "/v1/files/upload", {
    key,
    body: uploadForm({ datasetId: "d" }, { "b.txt": "Wasps do not." }),
  });
  expect(refused).toMatchObject({ status: 507, body: { error: "INSUFFICIENT_STORAGE" } });
  expect(await sending(key, DATASET + part("c.txt", "Nor do flies.")).reply).toMatchObject({ status: 507 });
  expect(lectern.appliance.access.balance(customerId)).toBe(9000);

  expect((await lectern.search(key, "d", "honey")).body.data).toHaveLength(1);
  expect((await lectern.call("POST", "/v1/tokens/create", { key, json: { datasetId: "d" } })).status).toBe(200);
  expect((await lectern.call("DELETE", "/v1/files", { key })).body.files).toHaveLength(1);
  expect((await lectern.call("GET", "/readyz")).body).toMatchObject({ status: "ready" });
  expect((await lectern.call("GET", "/metrics")).text).toMatch(/^lectern_disk_free_bytes [1-9]\d*$/m);
});
