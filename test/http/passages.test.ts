/** GET /v1/files/:fileId/passages: a file's passages in their order, to whom the file is for. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { check, startLectern, type Rule, type TestServer } from "../harness.ts";

const CHAPTERS = Array.from({ length: 30 }, (_, at) => `# Chapter ${at}\n\nThe ${at}th gate is opened by the watch.`);
let lectern: TestServer;
let key: string;
let book: string;
beforeAll(async () => {
  lectern = await startLectern();
  ({ key } = lectern.customer());
  const fields = { chunkSize: "20", chunkOverlap: "0", extraMeta: JSON.stringify({ shelf: 3 }) };
  [book] = (await lectern.upload(key, "d", { "book.md": CHAPTERS.join("\n\n") }, fields)) as [string];
});
afterAll(() => lectern.stop());

const ask = (query = "") => lectern.call("GET", `/v1/files/${book}/passages${query}`, { key });
const numbers = ({ body }: { body: any }): number[] => body.data.map((one: any) => one.metadata.chunkIndex);

test("they are those that a search finds, by their numbers", async () => {
  const { body } = await lectern.search(key, "d", "Who opens the 17th gate?");
  const [{ score: _, ...found }] = body.data;
  const at = found.metadata.chunkIndex;
  const reply = await ask(`?from=${at - 1}&limit=3`);
  expect(reply.status).toBe(200);
  expect(numbers(reply)).toEqual([at - 1, at, at + 1]);
  expect(reply.body.data[1]).toEqual(found);
  expect(found.metadata).toMatchObject({ shelf: 3, originalName: "book.md" });
});

test("twenty from the first on where nothing is said, and how many there are", async () => {
  const reply = await ask();
  expect(numbers(reply)).toEqual(Array.from({ length: 20 }, (_, at) => at));
  const { total } = reply.body;
  expect(total).toBeGreaterThan(20);
  expect(numbers(await ask("?limit=100"))).toHaveLength(Math.min(100, total));
  expect(numbers(await ask(`?from=${total - 1}`))).toEqual([total - 1]);
  expect((await ask(`?from=${total}`)).body).toEqual({ success: true, data: [], total });
});

describe("refusals", () => {
  const rules: readonly (Rule & { readonly file?: string })[] = [
    { rule: "from before the first", path: "?from=-1", call: {}, status: 400, holds: ["from must be a whole number"] },
    { rule: "from as no number", path: "?from=first", call: {}, status: 400, holds: ["from must be"] },
    {
      rule: "none",
      path: "?limit=0",
      call: {},
      status: 400,
      holds: ["limit must be a whole number between 1 and 100"],
    },
    { rule: "too many", path: "?limit=101", call: {}, status: 400, holds: ["between 1 and 100"] },
    { rule: "of no file", file: "none", call: {}, status: 404, holds: ["no such file"], lacks: ["gate"] },
    { rule: "of a path", file: "..%2F..%2Fetc", call: {}, status: 404, lacks: ["gate"] },
    { rule: "of nobody", call: { headers: {} }, status: 401, lacks: ["gate"] },
  ];
  test.each(rules)("$rule", async (rule) => {
    const credential = rule.rule === "of nobody" ? {} : { key };
    const address = `/v1/files/${rule.file ?? book}/passages${rule.path ?? ""}`;
    check(await lectern.call("GET", address, { ...credential, ...rule.call }), rule);
  });

  test("another customer's, and a token's of another dataset", async () => {
    const stranger = lectern.customer().key;
    expect((await lectern.call("GET", `/v1/files/${book}/passages`, { key: stranger })).status).toBe(404);
    const { body } = await lectern.call("POST", "/v1/tokens/create", { key, json: { datasetId: "other" } });
    const reply = await lectern.call("GET", `/v1/files/${book}/passages`, { key: body.token });
    expect([reply.status, reply.text.includes("gate")]).toEqual([403, false]);
  });
});
