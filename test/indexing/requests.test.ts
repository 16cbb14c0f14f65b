/** Requests to an index thread: whoever waits gets its reply or a failure, also when the thread is gone. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { WorkerRequests } from "../../src/indexing/requests.ts";
import { failureOf } from "../harness.ts";
import type { MortalRequest } from "./mortal-worker.ts";

const start = () => new WorkerRequests<MortalRequest>(new Worker(join(import.meta.dir, "mortal-worker.ts")));
const causeOf = async (promise: Promise<unknown>): Promise<string> =>
  ((await failureOf(promise)).cause as Error).message;

for (const [death, reason] of [
  ["exit", /the index thread ended/],
  ["throw", /the index thread failed: .*thrown outside any request/s],
] as const) {
  describe(`a thread that dies (${death})`, () => {
    test("fails what waits for it and every later request, and is closed at once", async () => {
      const worker = start();
      expect(await worker.send({ type: "answer" })).toBe("answered");
      const waiting = worker.send({ type: "wait" });
      expect(await causeOf(worker.send({ type: death }))).toMatch(reason);
      expect(await causeOf(waiting)).toMatch(reason);
      expect(await causeOf(worker.send({ type: "answer" }))).toMatch(reason);
      await worker.close({ type: "answer" });
    });
  });
}

test("a closed one fails what still waits, and every later request", async () => {
  const worker = start();
  const waiting = causeOf(worker.send({ type: "wait" }));
  await worker.close({ type: "answer" });
  expect(await waiting).toBe("the indexes are closed");
  expect(await causeOf(worker.send({ type: "answer" }))).toBe("the indexes are closed");
  await worker.close({ type: "answer" });
});

test("one that cannot be opened is ended, so that its process can end", async () => {
  const indexes = ["vectors/index.ts", "lexical/index.ts"].map((path) =>
    JSON.stringify(join(import.meta.dir, "../../src", path)),
  );
  const script = `
    import { openVectorIndexes } from ${indexes[0]};
    import { openLexicalIndexes } from ${indexes[1]};
    const options = { dataDirectory: "/nowhere/at/all", dimensions: 8, modelId: "m", openDatasets: 1, exactLimit: 1, graphLimit: 1, searchExpansion: 16 };
    for (const open of [openVectorIndexes, openLexicalIndexes]) console.log(await open(options).then(() => "opened", (error) => error.code));`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "pipe" });
  expect(await new Response(child.stdout).text()).toBe("INTERNAL\nINTERNAL\n");
  expect(await child.exited).toBe(0);
}, 60_000);
