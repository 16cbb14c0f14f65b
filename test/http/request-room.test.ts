/** How many requests may be under way at the same time. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { startLectern, type TestServer } from "../harness.ts";

let lectern: TestServer;
beforeAll(async () => {
  lectern = await startLectern({ "max-concurrent-requests": "8" });
});
afterAll(() => lectern.stop());

test("more are refused for a while, but not those of who watches the server", async () => {
  const { key } = lectern.customer();
  const port = Number(new URL(lectern.url).port);
  // Uploads whose bodies do not come.
  const waiting: Socket[] = [];
  for (let count = 0; count < 8; count++) {
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `POST /v1/files/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n--b`,
    );
    waiting.push(socket);
  }
  const search = () => lectern.search(key, "d", "question");
  let refused = await search();
  while (refused.status === 200) refused = await search();
  expect(refused).toMatchObject({ status: 503, body: { error: "BUSY", retryAfter: 5 } });
  expect(refused.headers.get("retry-after")).toBe("5");
  expect((await lectern.call("GET", "/v1/files/any/content?signature=x")).status).toBe(503);
  for (const path of ["/healthz", "/readyz", "/metrics"]) expect((await lectern.call("GET", path)).status).toBe(200);
  for (const socket of waiting) socket.destroy();
  while ((await search()).status === 503) await Bun.sleep(20);
});
