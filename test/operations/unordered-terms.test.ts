/** Documents of a version that did not keep the order of tokens: searched alike before, while and after they are read anew. */
import { afterEach, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { FoundPassage } from "../../src/cli/document-service.ts";
import { orderAllTerms } from "../../src/operations/unordered-terms.ts";
import { openExisting } from "../../src/store/database.ts";
import { openTokenReader, type Store } from "../../src/store/index.ts";
import { writeTinyModel } from "../embedding/tiny-model.ts";
import { startLectern, type TestServer } from "../harness.ts";
import { encodeUnorderedTerms, forgetOrder, leaveAsBefore, storedTerms } from "../store/unordered-terms.ts";

let lectern: TestServer;
afterEach(() => lectern.stop());

const topics = ["harbour", "museum", "Wasser", "部品AX-4711", "router", "библиотека"];
/** Some dozens of overlapping passages. */
const longText = (seed: number): string =>
  Array.from(
    { length: 150 },
    (_, index) =>
      `Sentence ${index + seed} speaks of the ${topics[(index * 7 + (index >> 3) + seed) % topics.length]}.`,
  ).join(" ");
const questions = ["Where is the harbour?", "AX-4711", "Sentence 417", "wo ist das Wasser"];

const unordered = (): number => storedTerms(lectern.directory).unordered;

async function untilOrdered(): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (unordered() > 0) {
    if (performance.now() > deadline) throw new Error(`still not ordered:\n${lectern.logLines.join("\n")}`);
    await Bun.sleep(10);
  }
}

function allTokens(): (number[] | null)[] {
  const reader = openTokenReader({ dataDirectory: lectern.directory });
  const tokens = reader.tokens(
    Array.from({ length: lectern.appliance.store.statistics().chunks }, (_, index) => index + 1),
  );
  reader.close();
  return tokens.map((one) => one && [...one]);
}

/** What is found, but for where it stands in its document: that version did not know. */
const answers = (key: string): Promise<unknown[]> =>
  Promise.all(
    questions.map(async (question) =>
      (await lectern.search(key, "d", question)).body.data.map(({ metadata, ...result }: FoundPassage) => {
        const { line: _line, lastLine: _lastLine, ...known } = metadata;
        return { ...result, metadata: known };
      }),
    ),
  );

/** A server with a dataset of two files. */
async function start(flags: Record<string, string> = {}): Promise<{ key: string; fileIds: string[] }> {
  lectern = await startLectern(flags);
  const { key } = lectern.customer();
  return {
    key,
    fileIds: await lectern.upload(
      key,
      "d",
      { "a.txt": longText(0), "b.txt": longText(5) },
      { chunkSize: "40", chunkOverlap: "10" },
    ),
  };
}

test("an older version's database has every token in its order before long, and is searched like a new one", async () => {
  const { key } = await start();
  const [expected, tokens] = [await answers(key), allTokens()];
  await lectern.stopServer();
  leaveAsBefore(lectern.directory);

  await lectern.restart();
  for (const found of await answers(key)) expect(found).not.toBeEmpty();
  await untilOrdered();
  expect(storedTerms(lectern.directory)).toEqual({ ordered: tokens.length, unordered: 0 });
  expect(allTokens()).toEqual(tokens);
  expect(await answers(key)).toEqual(expected);
  await lectern.restart();
  expect(await answers(key)).toEqual(expected);
}, 120_000);

test("without a second look at candidates it is searched the same at every step, and a stop in between is taken up where it was", async () => {
  const { key } = await start({ ranking: "off" });
  const [expected, tokens] = [await answers(key), allTokens()];
  await lectern.restart();
  forgetOrder(lectern.directory);
  expect(await answers(key)).toEqual(expected);

  const stopping = new AbortController();
  const { store, models, log } = lectern.appliance;
  const left: number[] = [];
  const watched: Store = {
    ...store,
    async orderTerms(input) {
      await store.orderTerms(input);
      left.push(unordered());
      expect(await answers(key)).toEqual(expected);
      if (left.length === 2) stopping.abort();
    },
  };
  await orderAllTerms({ store: watched, models, log }, stopping.signal);
  expect(left).toEqual([tokens.length - 32, tokens.length - 64]);
  expect(left[1]).toBeGreaterThan(0);
  expect(unordered()).toBe(left[1]!);

  await lectern.restart();
  expect(await answers(key)).toEqual(expected);
  await untilOrdered();
  expect(allTokens()).toEqual(tokens);
}, 120_000);

test("uploads and deletions meanwhile count", async () => {
  const {
    key,
    fileIds: [, gone],
  } = await start();
  await lectern.stopServer();
  leaveAsBefore(lectern.directory);
  await lectern.restart();
  await lectern.upload(key, "d", { "c.txt": "The zebra sleeps." });
  expect((await lectern.call("DELETE", `/v1/files/${gone}`, { key })).status).toBe(200);
  await untilOrdered();
  expect(storedTerms(lectern.directory).ordered).toBe(lectern.appliance.store.statistics().chunks);
  expect((await lectern.search(key, "d", "zebra")).body.data[0].metadata.originalName).toBe("c.txt");
}, 120_000);

test("words that another model's tokens stood for are found by the built-in model's, also in an index that was open", async () => {
  lectern = await startLectern();
  mkdirSync(join(lectern.directory, "models/tiny"), { recursive: true });
  writeTinyModel(
    { pooling: "mean", manifest: { maxTokens: 64, search: { mode: "hybrid", denseWeight: 0 } } },
    join(lectern.directory, "models/tiny"),
  );
  await lectern.restart({ model: "tiny" });
  const { key } = lectern.customer();
  await lectern.upload(
    key,
    "d",
    Object.fromEntries(
      Array.from({ length: 90 }, (_, index) => [
        `${index}.txt`,
        `倉庫 ${"red ".repeat(index % 5)} 第${index}号 ${index === 70 ? "短い図書館" : "橋"}`,
      ]),
    ),
  );
  const search = async () =>
    (await lectern.search(key, "d", "図書館")).body.data.map((hit: any) => [hit.metadata.originalName, hit.score]);
  const expected = await search();
  expect(expected[0][0]).toBe("70.txt");
  await lectern.restart({ model: "tiny" });
  forgetOrder(lectern.directory);
  // As the tiny model's tokenizer gave them.
  using database = openExisting(join(lectern.directory, "lectern.db"));
  database.run("UPDATE chunkTerms SET terms = ?", [encodeUnorderedTerms([1, 4, 7])]);

  expect((await search())[0][1]).toBe(0);
  await orderAllTerms(lectern.appliance, new AbortController().signal);
  expect(await search()).toEqual(expected);
}, 120_000);
