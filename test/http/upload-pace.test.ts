/** How slowly an upload may come: by the time without a byte and by its rate, never by how long it takes in all. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startLectern, until, type TestServer } from "../harness.ts";

/** Seconds. */
const IDLE = 2;
let lectern: TestServer;
let key: string;
beforeAll(async () => {
  lectern = await startLectern({ "upload-idle-seconds": String(IDLE), "upload-least-rate": "100" });
  ({ key } = lectern.customer());
});
afterAll(() => lectern.stop());

const BEGINNING =
  '--b\r\nContent-Disposition: form-data; name="datasetId"\r\n\r\nd\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="x.txt"\r\n\r\nSome words ';
const END = "\r\n--b--\r\n";

interface Client {
  /** Whatever the server sent. */
  received: string;
  closed: boolean;
  send(text: string): void;
  end(): void;
}

/** A client of which every byte is sent when the test says so. */
async function client(bodyBytes: number): Promise<Client> {
  const { hostname, port } = new URL(lectern.url);
  const client: Client = {
    received: "",
    closed: false,
    send: (text) => void socket.write(text),
    end: () => void socket.end(),
  };
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_socket, data) => void (client.received += data.toString()),
      close: () => void (client.closed = true),
    },
  });
  client.send(
    `POST /v1/files/upload HTTP/1.1\r\nHost: localhost\r\nx-service-key: ${key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${bodyBytes}\r\n\r\n${BEGINNING}`,
  );
  return client;
}

test("an upload that takes several idle times is received, as long as bytes come", async () => {
  const [piece, pieces] = ["word ".repeat(40), 40];
  const slow = await client(BEGINNING.length + piece.length * pieces + END.length);
  // Three idle times: longer than the rate's window, and than a limit on the whole.
  for (let sent = 0; sent < pieces && !slow.closed; sent++) {
    await Bun.sleep((IDLE * 3500) / pieces);
    slow.send(piece);
  }
  slow.send(END);
  await until(() => slow.received !== "" || slow.closed, 30_000);
  expect(slow.received).toStartWith("HTTP/1.1 200");
  slow.end();
});

test.each([
  ["nothing at all", 0, `nothing arrived for ${IDLE} seconds`],
  ["a byte now and then", 2, "fewer than 100 bytes a second arrived"],
])("a client that sends %s is told so and gives its place back", async (_name, bytes, reason) => {
  const slow = await client(1_000_000);
  while (slow.received === "" && !slow.closed) {
    if (bytes > 0) slow.send("x".repeat(bytes));
    await Bun.sleep(200);
  }
  expect(slow.received).toStartWith("HTTP/1.1 408");
  expect(slow.received).toContain("REQUEST_TIMEOUT");
  expect(slow.received).toContain(reason);
  expect((await lectern.call("GET", "/metrics")).text).toContain("lectern_uploads_running 0\n");
  slow.end();
});
