/** The language model's process: when it starts and ends, what its death means, and that nothing of an abandoned answer stays. */
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openLlamaAnswerer } from "../../src/answers/index.ts";
import { answerEnvironment, ownCommand } from "../../src/native/index.ts";
import { tinyModel } from "./gguf-writer.ts";
import { until } from "../harness.ts";
import { eventsIn, modelProcesses, startAnswering, type Answering } from "./llama-server.ts";

setDefaultTimeout(60_000);

/** Says a word again and again, up to the longest answer. */
const endless = { script: [" bees", " honey"], endless: true } as const;
const long = { "answer-length": "3000", "answer-context": "8192" };

let answering: Answering;
afterEach(async () => {
  await answering.stop();
  await until(() => modelProcesses().length === 0, 10_000);
});

const running = (): number => answering.lectern.appliance.answerer.load().running;

test("it starts with the first question, is low in priority, and ends with the server", async () => {
  answering = await startAnswering({ script: ["Yes", "."] });
  expect(modelProcesses()).toEqual([]);
  expect((await answering.query()).body.data.answer).toBe("Yes.");
  const [id] = modelProcesses();
  expect(readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1]!.split(" ")[16]).toBe("10");
  expect((await answering.query()).status).toBe(200);
  expect(modelProcesses()).toEqual([id!]);
});

test("it starts at once where an option says so", async () => {
  answering = await startAnswering({ script: ["Yes", "."] }, { "answer-start": "at-once" });
  await until(() => modelProcesses().length === 1, 10_000);
});

test("it leaves after its idle minutes, and comes back with the next question", async () => {
  answering = await startAnswering({ script: ["Yes", "."] });
  const answerer = openLlamaAnswerer({
    command: ownCommand("--role=answer"),
    environment: answerEnvironment(),
    name: "tiny",
    place: join(answering.lectern.directory, "models/tiny"),
    threads: 1,
    sequences: 1,
    maxQueued: 1,
    idleMinutes: 0.3 / 60,
    startNow: false,
    contextSize: 2048,
    answerLength: 32,
    temperature: 0,
    instructions: null,
    passages: 8,
    report: () => {},
  });
  const ask = async (): Promise<string> => {
    const answer = await answerer.answer({
      question: "Bees?",
      passages: [
        { text: "Bees make honey.", source: "bees.txt", document: "d", position: 0, score: 1, support: 1, held: null },
      ],
      floor: 0,
      reader: null,
      signal: new AbortController().signal,
    });
    return (await Array.fromAsync(answer.text)).join("");
  };
  expect(await ask()).toBe("Yes.");
  expect(modelProcesses()).toHaveLength(1);
  await until(() => modelProcesses().length === 0, 5000);
  expect(await ask()).toBe("Yes.");
  expect(answerer.load().starts).toBe(2);
  await answerer.close();
});

test("killed in mid-sentence: a clear 503 for the whole answer, an error in the stream, the price given back, and a new one for the next question", async () => {
  answering = await startAnswering(endless, { ...long, "answer-parallel": "2" });
  const payer = answering.lectern.customer(2);
  await answering.lectern.upload(payer.key, "mine", { "a.txt": "Bees make honey, and nothing else at all." });
  const whole = answering.lectern.call("POST", "/v1/query", {
    key: payer.key,
    json: { datasetId: "mine", question: "bees?" },
  });
  const { rest } = await answering.begin();
  await until(() => running() === 2, 10_000);
  process.kill(modelProcesses()[0]!, "SIGKILL");
  expect(await whole).toMatchObject({
    status: 503,
    body: { error: "ANSWER_UNAVAILABLE", message: expect.stringContaining("started again"), retryAfter: 5 },
  });
  expect((await whole).headers.get("retry-after")).toBe("5");
  expect(eventsIn(await rest).at(-1)).toMatchObject({ event: "error", data: { error: "ANSWER_UNAVAILABLE" } });
  expect(answering.lectern.appliance.access.balance(payer.customerId)).toBe(1000);
  expect(answering.lectern.logLines.join("")).toContain("The language model's process ended by itself");

  const again = await answering.begin();
  again.controller.abort();
  expect(modelProcesses()).toHaveLength(1);
});

test("a client that goes away frees its sequence within 100 ms, wherever it does", async () => {
  answering = await startAnswering(endless, long);
  const freed: number[] = [];
  for (let attempt = 0; attempt < 5; attempt++) {
    const begun = await answering.begin();
    begun.controller.abort();
    freed.push(await until(() => running() === 0, 10_000));
  }
  // The best of some: a machine that is busy with other things only ever makes it longer.
  expect(Math.min(...freed)).toBeLessThan(100);

  for (let delay = 0; delay < 120; delay += 4) {
    const controller = new AbortController();
    const asked = answering.query({ stream: delay % 8 === 0 }, controller.signal).catch(() => null);
    await Bun.sleep(delay);
    controller.abort();
    await asked;
  }
  await until(() => answering.lectern.appliance.answerer.load().waiting + running() === 0, 10_000);
  await answering.restart(null, { "answer-length": "16" });
  expect((await answering.query()).status).toBe(200);
});

test("two hundred questions at once: as many as there is room for are answered, the others told to come back", async () => {
  answering = await startAnswering({ script: ["Yes", "."] }, { "answer-parallel": "3", "answer-queue": "20" });
  await answering.query();
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, index) => answering.query({ question: `What do bees make? ${index}` })),
  );
  const answered = replies.filter(({ status }) => status === 200);
  const refused = replies.filter(({ status }) => status === 503);
  expect(answered.length + refused.length).toBe(200);
  expect(answered.length).toBeGreaterThanOrEqual(23);
  expect(refused.length).toBeGreaterThan(100);
  for (const { body, headers } of refused) {
    expect(body).toMatchObject({ error: "BUSY", retryAfter: expect.any(Number) });
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  }
  for (const { body } of answered) expect(body.data.answer).toBe("Yes.");
  expect(answering.lectern.appliance.answerer.load()).toMatchObject({ running: 0, waiting: 0, starts: 1 });
});

test("answers written at the same time do not mix", async () => {
  answering = await startAnswering(
    { script: ["One", " two", " three", " four", " five", "."] },
    { "answer-parallel": "4" },
  );
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, index) => answering.query({ question: `Question ${"long ".repeat(index * 7)}?` })),
  );
  for (const { body } of replies) expect(body.data.answer).toBe("One two three four five.");
});

test("a sequence keeps nothing of the answer before", async () => {
  // Random weights: every word depends on everything that was read.
  answering = await startAnswering({}, { "answer-length": "24", "answer-context": "4096" });
  const ask = async (question: string): Promise<string> => (await answering.query({ question })).body.data.answer;
  const fresh = await ask("What do bees make?");
  await ask("And what of cars, and their oil, and their tyres?");
  expect(await ask("What do bees make?")).toBe(fresh);
});

const unusable: readonly (readonly [what: string, bytes: () => Uint8Array, reason: RegExp])[] = [
  ["no GGUF", () => new TextEncoder().encode("not a model"), /missing or broken/],
  ["a truncated GGUF", () => tinyModel().subarray(0, 200_000), /missing or broken/],
  ["a foreign architecture", () => tinyModel({ architecture: "telegraph" }), /cannot be loaded/],
  ["weights that fault in llama.cpp", () => tinyModel({ declaredRows: 0 }), /cannot be loaded|missing or broken|ended/],
  ["no chat template", () => tinyModel({ chatTemplate: null }), /no chat template/],
  ["a context that instructions fill", () => tinyModel({ contextLength: 512 }), /context of 512 tokens/],
];
test("a model that cannot be used is a clear 503 for every question, given back, told to the log, and takes nothing down", async () => {
  answering = await startAnswering(endless);
  for (const [what, bytes, reason] of unusable) {
    await answering.restart(bytes());
    const payer = answering.lectern.customer(2);
    await answering.lectern.upload(payer.key, "mine", { "a.txt": "Bees make honey, and nothing else at all." });
    for (const stream of [false, true]) {
      const reply = await answering.lectern.call("POST", "/v1/query", {
        key: payer.key,
        json: { datasetId: "mine", question: "bees?", stream },
      });
      expect(reply, what).toMatchObject({
        status: 503,
        body: { error: "ANSWER_UNAVAILABLE", message: expect.stringMatching(reason) },
      });
      expect(reply.text).not.toContain(answering.lectern.directory);
    }
    expect(answering.lectern.appliance.access.balance(payer.customerId)).toBe(1000);
    expect((await answering.lectern.search(payer.key, "mine", "bees")).status).toBe(200);
    await until(() => modelProcesses().length === 0, 10_000);
  }
  expect(answering.lectern.logLines.join("")).toContain("The language model cannot be started");
});

test("a model beyond the machine's memory is refused before it is loaded", async () => {
  answering = await startAnswering(endless);
  const folder = join(answering.lectern.directory, "models/huge");
  mkdirSync(folder);
  writeFileSync(join(folder, "huge.gguf"), tinyModel({ declaredRows: 2 ** 33 }));
  truncateSync(join(folder, "huge.gguf"), 2 ** 33 * 64 * 4 + 1e6);
  await answering.restart(null, { "answer-model": "huge" });
  expect(await answering.query()).toMatchObject({
    status: 503,
    body: { message: expect.stringContaining("more memory than there is") },
  });
  expect(modelProcesses()).toEqual([]);
});

test("without its parent the process ends", async () => {
  answering = await startAnswering({ script: ["Yes", "."] });
  // A parent of its own, which is then killed.
  const parent = Bun.spawn(
    [
      process.execPath,
      "-e",
      `
    const child = Bun.spawn(${JSON.stringify([process.execPath, join(import.meta.dir, "../../src/main.ts"), "--role=answer"])}, { ipc() { console.log(child.pid); }, stdout: "ignore", stderr: "ignore" });
    setInterval(() => {}, 1000);`,
    ],
    { stdout: "pipe", stderr: "inherit" },
  );
  const { value } = await parent.stdout.getReader().read();
  const id = Number(new TextDecoder().decode(value));
  process.kill(id, 0);
  parent.kill("SIGKILL");
  await parent.exited;
  await until(() => !isAlive(id), 10_000);
});

function isAlive(id: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, "utf8"));
  } catch {
    return false;
  }
}
