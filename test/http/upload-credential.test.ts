/** A credential that ends while an upload is received ends the upload, and costs nothing. */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { startLectern, type Reply, type TestServer } from "../harness.ts";

let lectern: TestServer;
let customerId: string;
let key: string;
beforeAll(async () => {
  lectern = await startLectern();
});
afterAll(() => lectern.stop());
beforeEach(() => {
  ({ customerId, key } = lectern.customer(10));
});

interface Upload {
  readonly reply: Promise<Reply>;
  finish(): void;
}

/** An upload that has begun, of which the rest comes with `finish`. */
async function begin(credential: string): Promise<Upload> {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  controller.enqueue(
    Buffer.from(
      '--b\r\nContent-Disposition: form-data; name="datasetId"\r\n\r\nd\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="x.txt"\r\n\r\nSome',
    ),
  );
  const reply = lectern.call("POST", "/v1/files/upload", {
    key: credential,
    body,
    headers: { "content-type": "multipart/form-data; boundary=b" },
  });
  await untilRunning(1);
  return {
    reply,
    finish() {
      controller.enqueue(Buffer.from(" words.\r\n--b--\r\n"));
      controller.close();
    },
  };
}

async function untilRunning(count: number): Promise<void> {
  const gauge = `lectern_uploads_running ${count}\n`;
  while (!(await lectern.call("GET", "/metrics")).text.includes(gauge)) await Bun.sleep(10);
}

const token = async (ttlSeconds: number): Promise<string> =>
  (await lectern.call("POST", "/v1/tokens/create", { key, json: { datasetId: "d", ttlSeconds } })).body.token;
const REFUSED = { status: 401, body: { error: "Invalid API key or token" } };

test("a token that expires is refused at once, whatever is still to come, and gives its place back", async () => {
  const { reply } = await begin(await token(3));
  expect(await reply).toMatchObject(REFUSED);
  await untilRunning(0);
});

test("a token that lasts, and a key, are received to the end", async () => {
  for (const credential of [await token(3600), key]) {
    const { reply, finish } = await begin(credential);
    finish();
    expect((await reply).status).toBe(200);
    await untilRunning(0);
  }
});

test.each([
  [
    "a key that is revoked",
    () =>
      lectern.appliance.access
        .listApiKeys(customerId)
        .forEach(({ keyId }) => lectern.appliance.access.revokeApiKey(keyId)),
  ],
  ["a customer who is removed", () => void lectern.appliance.access.removeCustomer(customerId)],
])("%s meanwhile is refused before it pays", async (_name, end) => {
  const { reply, finish } = await begin(key);
  end();
  finish();
  expect(await reply).toMatchObject(REFUSED);
  expect(lectern.appliance.access.usage(customerId)).toEqual([]);
});
