/** Room for uploads: bounded, and never all of it held by one customer's slow clients. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startLectern, type Reply, type TestCustomer, type TestServer } from "../harness.ts";

let lectern: TestServer;
beforeAll(async () => {
  lectern = await startLectern({ "max-concurrent-uploads": "4" });
});
afterAll(() => lectern.stop());

/** An upload whose client sends a part and then nothing, until `finish`. */
function slowUpload({ key }: TestCustomer): { reply: Promise<Reply>; finish(): void } {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(
        Buffer.from(
          '--b\r\nContent-Disposition: form-data; name="datasetId"\r\n\r\nd\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="x.txt"\r\n\r\nSome',
        ),
      );
      await finished;
      controller.enqueue(Buffer.from(" words.\r\n--b--\r\n"));
      controller.close();
    },
  });
  return {
    reply: lectern.call("POST", "/v1/files/upload", {
      key,
      body,
      headers: { "content-type": "multipart/form-data; boundary=b" },
    }),
    finish: () => finish(),
  };
}

async function untilRunning(count: number): Promise<void> {
  const gauge = `lectern_uploads_running ${count}\n`;
  while (!(await lectern.call("GET", "/metrics")).text.includes(gauge)) await Bun.sleep(10);
}

test("the last quarter is kept for customers who upload nothing yet; beyond it everyone is refused, and may come again", async () => {
  const [greedy, other, late] = [lectern.customer(), lectern.customer(), lectern.customer()];
  const held = [slowUpload(greedy), slowUpload(greedy), slowUpload(greedy)];
  await untilRunning(3);
  const refused = await slowUpload(greedy).reply;
  expect(refused).toMatchObject({ status: 503, body: { error: "BUSY", retryAfter: 5 } });
  expect(refused.headers.get("retry-after")).toBe("5");

  held.push(slowUpload(other));
  await untilRunning(4);
  expect((await slowUpload(late).reply).status).toBe(503);

  for (const { finish } of held) finish();
  expect((await Promise.all(held.map(({ reply }) => reply))).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const again = slowUpload(late);
  again.finish();
  expect((await again.reply).status).toBe(200);
});
