/** A thread that ends by itself, at rest and at work: what ran gets a clear failure, what comes later works, and /readyz tells the truth. */
import { afterEach, describe, expect, test } from "bun:test";
import { startLectern, until, type Reply, type TestCustomer, type TestServer } from "../harness.ts";

const parts = {
  "src/store/writer.ts": "The store's writer",
  "src/embedding/worker.ts": "The embedding model",
  "src/search/thread.ts": "A search thread",
  "src/ranking/worker.ts": "The ranking",
};

/** The real Workers of this process, by the file that they run; the last one started is the one in use. */
const threads = new Map<string, Worker>();
const RealWorker = globalThis.Worker;
globalThis.Worker = class extends RealWorker {
  constructor(...given: ConstructorParameters<typeof Worker>) {
    super(...given);
    const file = Object.keys(parts).find((part) => String(given[0]).endsWith(part));
    if (file !== undefined) threads.set(file, this);
  }
};

let lectern: TestServer;
let customer: TestCustomer;
afterEach(() => lectern.stop());

const ready = (): Promise<Reply> => lectern.call("GET", "/readyz");
const search = (): Promise<Reply> => lectern.search(customer.key, "d", "What do bees make?");
const namesFound = ({ body }: Reply): string[] => body.data.map((hit: any) => hit.metadata.originalName);

function upload(name: string): Promise<Reply> {
  const body = new FormData();
  body.append("datasetId", "d");
  body.append("file", new File([`Bees make honey, says the file ${name}.`], name));
  return lectern.call("POST", "/v1/files/upload", { key: customer.key, body });
}

async function stored(): Promise<string[]> {
  const { body } = await lectern.call("GET", "/v1/files?datasetId=d", { key: customer.key });
  return body.files.map(({ originalName }: { originalName: string }) => originalName).sort();
}

async function isReadyAgain(): Promise<void> {
  let status = 0;
  const asking = setInterval(() => void ready().then((reply) => (status = reply.status)), 50);
  try {
    await until(() => status === 200, 30_000);
  } finally {
    clearInterval(asking);
  }
}

for (const [file, part] of Object.entries(parts)) {
  describe(part, () => {
    test("at rest: /readyz says 503 until it is there again, and everything is found as before", async () => {
      lectern = await startLectern();
      customer = lectern.customer();
      expect((await upload("one.txt")).status).toBe(200);
      expect(namesFound(await search())).toEqual(["one.txt"]);

      threads.get(file)!.terminate();
      const told = () => lectern.logLines.some((line) => line.includes(`${part} ended by itself`));
      const replies: Reply[] = [];
      do replies.push(await ready());
      while (!told());
      replies.push(await ready());
      for (const { status } of replies) expect([200, 503]).toContain(status);
      const refused = replies.filter(({ status }) => status === 503).map(({ body }) => body);
      expect(refused).toEqual(refused.map(() => expect.objectContaining({ error: "RESTARTING", retryAfter: 1 })));
      // Loading takes long enough to be seen.
      if (part === "The embedding model") expect(refused).not.toBeEmpty();
      await isReadyAgain();
      expect(
        lectern.logLines.filter((line) => line.includes(`${part} ended by itself and is started again`)),
      ).toHaveLength(1);
      expect((await upload("two.txt")).status).toBe(200);
      expect(namesFound(await search()).sort()).toEqual(["one.txt", "two.txt"]);
      expect((await lectern.call("GET", "/metrics")).text).toContain("lectern_index_vectors 2");
    });

    // At work it is in native runs most of the time: a thread that is ended inside one takes the process with it.
    if (part === "The embedding model") return;

    test("at work: every request is answered, and what was answered 200 is there, nothing else", async () => {
      lectern = await startLectern();
      customer = lectern.customer(1000);
      await upload("first.txt");
      const uploads = Array.from({ length: 30 }, async (_, at) => ({
        name: `${at}.txt`,
        reply: await upload(`${at}.txt`),
      }));
      const searches = Array.from({ length: 30 }, search);
      await Bun.sleep(30);
      threads.get(file)!.terminate();
      const answered = await Promise.all(uploads);
      const found = await Promise.all(searches);
      for (const { status, body } of [...found, ...answered.map(({ reply }) => reply)]) {
        expect([200, 500, 503]).toContain(status);
        if (status !== 200) expect(body.error).toMatch(/^(Internal error|RESTARTING|BUSY)$/);
      }
      await isReadyAgain();
      const kept = answered.filter(({ reply }) => reply.status === 200).map(({ name }) => name);
      expect(await stored()).toEqual(["first.txt", ...kept].sort());
      await isReadyAgain();
      for (const name of kept.slice(0, 5)) {
        const hits = await lectern.search(customer.key, "d", `What does the file ${name} say?`, {
          filters: [{ key: "originalName", match: { value: name } }],
        });
        expect(namesFound(hits)).toEqual([name]);
      }
    });
  });
}
