/** Who pays for work that nobody waits for any more: the client that went away, or we, when we stop. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Answer, AnswerRequest } from "../../src/answers/index.ts";
import { startLectern, uploadForm, type TestServer } from "../harness.ts";

let lectern: TestServer;
let customerId: string;
let key: string;
/** Work has come as far as it may, and waits until it is aborted. */
let reached: PromiseWithResolvers<void>;

beforeEach(async () => {
  lectern = await startLectern();
  ({ customerId, key } = lectern.customer(10));
  reached = Promise.withResolvers();
});
afterEach(() => lectern.stop());

const balance = (): number | null => lectern.appliance.access.balance(customerId);
const usage = (): number =>
  lectern.appliance.access.usage(customerId).reduce((sum, { thousandths }) => sum + thousandths, 0);

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve(), { once: true }),
  );

/** Every upload waits between the reading of its file and the embedding. */
function holdUploads(): void {
  const { extractor } = lectern.appliance.models.chosen;
  const works = extractor.extract.bind(extractor);
  extractor.extract = async (request, take, signal) => {
    const document = await works(request, take, signal);
    reached.resolve();
    await aborted(signal!);
    return document;
  };
}

/** Every answer says one word, and then nothing until it is aborted. */
function holdAnswers(): void {
  async function* text(signal: AbortSignal): AsyncGenerator<string> {
    yield "Well";
    reached.resolve();
    await aborted(signal);
    throw signal.reason;
  }
  const answer = async ({ signal }: AnswerRequest): Promise<Answer> => ({
    model: "slow",
    given: [],
    text: text(signal),
    usage: () => ({ promptTokens: 0, completionTokens: 0 }),
  });
  Object.assign(lectern.appliance.answerer, { answer });
}

const uploadRequest = () => ({
  path: "/v1/files/upload",
  body: uploadForm({ datasetId: "d" }, { "a.txt": "A text that nobody waits for." }),
});
const queryRequest = (stream: boolean) => ({ path: "/v1/query", json: { datasetId: "d", question: "What?", stream } });

const kinds = [
  { kind: "an upload", hold: holdUploads, request: uploadRequest, price: 1000 },
  { kind: "a query", hold: holdAnswers, request: () => queryRequest(false), price: 100 },
  { kind: "a query whose answer streams", hold: holdAnswers, request: () => queryRequest(true), price: 100 },
];

test.each(kinds)("a client that goes away from $kind pays for it", async ({ hold, request, price }) => {
  hold();
  const leaving = new AbortController();
  const { path, ...call } = request();
  const reply = lectern.call("POST", path, { key, ...call, signal: leaving.signal }).catch(() => null);
  await reached.promise;
  leaving.abort();
  expect(await reply).toBeNull();
  let metrics = "";
  while (!/lectern_requests_running 1\n/.test(metrics)) metrics = (await lectern.call("GET", "/metrics")).text;
  expect(balance()).toBe(10_000 - price);
  expect(usage()).toBe(price);
  expect(lectern.appliance.access.pendingCharges()).toEqual([]);
  expect((await lectern.call("GET", "/v1/files?datasetId=d", { key })).body.files).toEqual([]);
});

test.each(kinds)("$kind that a stopping server breaks off is given back", async ({ hold, request }) => {
  hold();
  const { path, ...call } = request();
  const reply = lectern.call("POST", path, { key, ...call }).catch(() => null);
  await reached.promise;
  await lectern.restart();
  await reply;
  expect(balance()).toBe(10_000);
  expect(usage()).toBe(0);
});
