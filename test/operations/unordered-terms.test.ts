/** Documents of a version that did not keep the order of tokens: searched alike before, while and after they are read anew. */
import { afterEach, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openExisting } from "../../src/store/database.ts";
import { openTokenReader } from "../../src/store/index.ts";
import { writeTinyModel } from "../embedding/tiny-model.ts";
import { startLectern, type TestServer } from "../harness.ts";
import { encodeUnorderedTerms, leaveAsBefore, storedTerms } from "../store/unordered-terms.ts";

let lectern: TestServer;
afterEach(() => lectern.stop());

const topics = ["harbour", "museum", "Wasser", "部品AX-4711", "router", "библиотека"];
/** Some hundred overlapping passages. */
const longText = (seed: number): string => Array.from({ length: 900 }, (_, index) => `Sentence ${index + seed} speaks of the ${topics[(index * 7 + (index >> 3) + seed) % topics.length]}.`).join(" ");
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
  const tokens = reader.tokens(Array.from({ length: lectern.appliance.store.statistics().chunks }, (_, index) => index + 1));
  reader.close();
  return tokens.map((one) => one && [...one]);
}

const answers = (key: string): Promise<unknown[]> => Promise.all(questions.map(async (question) => (await lectern.search(key, "d", question)).body.data));

test("an older version's database is searched the same before, during and after; a stop in between is taken up where it was", async () => {
  lectern = await startLectern();
  const { key } = lectern.customer();
  await lectern.upload(key, "d", { "a.txt": longText(0), "b.txt": longText(5) }, { chunkSize: "40", chunkOverlap: "10" });
  const [expected, tokens] = [await answers(key), allTokens()];
  expect(tokens.length).toBeGreaterThan(300);
  await lectern.stopServer();
  leaveAsBefore(lectern.directory);

  await lectern.restart();
  expect(await answers(key)).toEqual(expected);
  await Bun.sleep(50);
  await lectern.stopServer();
  const left = unordered();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(tokens.length);

  await lectern.restart();
  let during = 0;
  for (; unordered() > 0; during++) expect(await answers(key)).toEqual(expected);
  expect(during).toBeGreaterThan(0);
  expect(storedTerms(lectern.directory)).toEqual({ ordered: tokens.length, unordered: 0 });
  expect(await answers(key)).toEqual(expected);
  expect(allTokens()).toEqual(tokens);
  expect(lectern.logLines.filter((line) => line.includes("are read anew"))).toHaveLength(1);

  await lectern.restart();
  expect(await answers(key)).toEqual(expected);
}, 120_000);

test("uploads and deletions meanwhile count", async () => {
  lectern = await startLectern();
  const { key } = lectern.customer();
  const [, gone] = await lectern.upload(key, "d", { "a.txt": longText(0), "b.txt": longText(5) }, { chunkSize: "40", chunkOverlap: "10" });
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
  writeTinyModel({ pooling: "mean", manifest: { maxTokens: 64, search: { mode: "hybrid", denseWeight: 0 } } }, join(lectern.directory, "models/tiny"));
  await lectern.restart({ model: "tiny" });
  const { key } = lectern.customer();
  await lectern.upload(key, "d", Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`${index}.txt`, `倉庫 ${"red ".repeat(index % 5)} 第${index}号 ${index === 70 ? "短い図書館" : "橋"}`])));
  const search = async () => (await lectern.search(key, "d", "図書館")).body.data.map((hit: any) => [hit.metadata.originalName, hit.score]);
  const expected = await search();
  expect(expected[0][0]).toBe("70.txt");
  await lectern.stopServer();
  leaveAsBefore(lectern.directory);
  // As the tiny model's tokenizer gave them.
  using database = openExisting(join(lectern.directory, "lectern.db"));
  database.run("UPDATE chunkTerms SET terms = ?", [encodeUnorderedTerms([1, 4, 7])]);

  await lectern.restart({ model: "tiny" });
  expect((await search())[0][1]).toBe(0);
  await untilOrdered();
  while (!lectern.logLines.some((line) => line.includes("are read anew"))) await Bun.sleep(10);
  expect(await search()).toEqual(expected);
}, 120_000);
