/** Files that take for ever to read: they cost their sender time, and nobody else. */
import { afterEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { slowPdf } from "../documents/fixtures.ts";
import { startLectern, uploadForm, until, type TestCustomer, type TestServer } from "../harness.ts";
import { linux, testWith } from "../requirements.ts";

/** Minutes of reading in a few kilobytes. */
const slow = new Uint8Array(slowPdf(60));
let lectern: TestServer;
afterEach(() => lectern.stop());

function send({ key }: TestCustomer, name: string, content: string | Uint8Array<ArrayBuffer>, signal?: AbortSignal) {
  return lectern.call("POST", "/v1/files/upload", {
    key,
    body: uploadForm({ datasetId: "d" }, { [name]: content }),
    ...(signal && { signal }),
  });
}

test("other customers' uploads do not wait for their end", async () => {
  lectern = await startLectern({ "extract-processes": "2", "extract-seconds": "600" });
  const [hostile, ...others] = [lectern.customer(), lectern.customer(), lectern.customer()];
  const gone = new AbortController();
  let answered = 0;
  const pending = Array.from({ length: 12 }, () =>
    send(hostile!, "slow.pdf", slow, gone.signal).then(
      () => answered++,
      () => undefined,
    ),
  );
  await until(() => lectern.appliance.access.pendingCharges().length === pending.length, 30_000);

  for (let round = 0; round < 3; round++) {
    const replies = await Promise.all(
      others.map((other) => send(other, "note.txt", "The kettle stands on the stove.")),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  }
  expect(answered).toBe(0);
  gone.abort();
  await Promise.all(pending);
});

test("their sender has to pause after a few, and pays nothing for what is refused; others go on", async () => {
  lectern = await startLectern({ "extract-processes": "2", "extract-seconds": "1" });
  const [hostile, other] = [lectern.customer(100), lectern.customer()];
  for (let sent = 0; sent < 3; sent++) {
    expect(await send(hostile, "slow.pdf", slow)).toMatchObject({
      status: 400,
      body: { error: "UNREADABLE_FILE", message: expect.stringContaining("longer than 1 seconds") },
    });
  }
  const refused = await send(hostile, "note.txt", "Water boils.");
  expect(refused).toMatchObject({
    status: 429,
    body: { error: "UPLOADS_PAUSED", message: expect.stringContaining("pause") },
  });
  expect(Number(refused.headers.get("retry-after"))).toBe(refused.body.retryAfter);
  expect(refused.body.retryAfter).toBeGreaterThan(0);
  expect(refused.body.retryAfter).toBeLessThanOrEqual(30);
  expect(lectern.appliance.access.customer(hostile.customerId)).toMatchObject({ balanceThousandths: 100_000 });
  expect((await send(other, "note.txt", "Water boils.")).status).toBe(200);
});

testWith(linux)(
  "the process that reads them is the first to go when memory runs out, and gives way to the server",
  async () => {
    lectern = await startLectern();
    await lectern.upload(lectern.customer().key, "d", { "note.txt": "Water boils." });
    const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isReader(name));
    expect(children).toHaveLength(1);
    expect(readFileSync(`/proc/${children[0]}/oom_score_adj`, "utf8").trim()).toBe("1000");
    expect(Number(readFileSync(`/proc/${children[0]}/stat`, "utf8").split(") ")[1]!.split(" ")[16])).toBe(10);
  },
);

function isReader(processId: string): boolean {
  try {
    const parent = Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${processId}/status`, "utf8"))?.[1]);
    return parent === process.pid && readFileSync(`/proc/${processId}/cmdline`, "utf8").includes("--role=extract");
  } catch {
    return false; // It ended between the two looks.
  }
}
