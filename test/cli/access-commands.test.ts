/** `lectern customer`, `key` and `credits`, on a data directory that a server is working with. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lectern, post, serve, temporaryFolder, type Server } from "./lectern.ts";

const folder = temporaryFolder();
let server: Server;
beforeAll(async () => {
  server = await serve(folder.dataDirectory);
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const run = (...words: string[]) => lectern([...words, "--data-dir", folder.dataDirectory]);
const search = async (apiKey: string): Promise<number> =>
  (await post(server, "/v1/search", apiKey, { datasetId: "d", question: "q" })).status;

/** Whether something becomes so. The command line promises it within a second, to a machine that is not busy with other things. */
async function soon(check: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    if (await check()) return true;
    await Bun.sleep(20);
  }
  return false;
}

test("a key may be for reading only, and end by itself", async () => {
  const words = ["key", "create", "--customer", "default", "--scope", "read", "--expires", "2099-12"];
  const created = (await run(...words)).json();
  expect(created).toMatchObject({ scope: "read", expires: "2100-01-01T00:00:00.000Z" });
  expect(await search(created.apiKey)).toBe(200);
  expect((await post(server, "/v1/tokens/create", created.apiKey, { datasetId: "d" })).status).toBe(403);
  const listed = (await run("key", "list", "--json")).json();
  expect(listed.find(({ keyId }: { keyId: string }) => keyId === created.keyId)).toMatchObject({
    scope: "read",
    expires: "2100-01-01T00:00:00.000Z",
    lastUsed: expect.stringMatching(/^\d{4}-.*Z$/),
    revoked: null,
  });
  const end = Date.parse((await run("key", "create", "--customer", "default", "--expires", "12h")).json().expires);
  expect(Math.abs(end - Date.now() - 12 * 3_600_000)).toBeLessThan(60_000);
});

test("a key's label cannot rewrite the terminal", async () => {
  await run("key", "create", "--customer", "default", "--name", "a\u001b[2Jb");
  expect((await run("key", "list")).stdout).toContain("a\ufffd[2Jb");
});

test("what the system refuses is told in one line, without the inside of the program", async () => {
  const file = join(folder.path, "file");
  writeFileSync(file, "");
  for (const words of [
    ["serve", "--port", "0"],
    ["customer", "create", "x"],
  ]) {
    const refused = await lectern([...words, "--data-dir", join(file, "data")]);
    expect(refused.code).toBe(1);
    expect(refused.stderr.trim().split("\n")).toEqual([
      expect.stringMatching(/^lectern: .*file.* cannot be used: it, or what should hold it, is not a folder\.$/),
    ]);
  }
});

describe("a customer's life, beside a running server", () => {
  let apiKey = "";
  let keyId = "";

  test("created with credits, it is listed beside the first one", async () => {
    const created = await run("customer", "create", "acme", "--credits", "0.2", "--json");
    expect(created.json()).toEqual({ customerId: "acme", credits: 0.2 });
    expect((await run("customer", "list", "--json")).json()).toEqual([
      { customerId: "acme", credits: 0.2, rates: {}, created: expect.any(String) },
      { customerId: "default", credits: "unlimited", rates: {}, created: expect.any(String) },
    ]);
    expect((await run("customer", "list")).stdout).toMatch(/^CUSTOMER +CREDITS +A MINUTE +CREATED\nacme +0\.2 +- /);
  });

  test("a key is printed once, as JSON, and works at once", async () => {
    const created = await run("key", "create", "--customer", "acme", "--name", "web shop");
    expect(created.json()).toEqual({
      customerId: "acme",
      keyId: expect.any(String),
      apiKey: expect.stringMatching(/^lk_[A-Za-z0-9_-]{43}$/),
    });
    ({ apiKey, keyId } = created.json());
    expect(await search(apiKey)).toBe(200);
    const listed = await run("key", "list", "--customer", "acme", "--json");
    expect(listed.json()).toEqual([
      {
        keyId,
        customerId: "acme",
        name: "web shop",
        scope: "all",
        created: expect.any(String),
        expires: null,
        lastUsed: expect.any(String),
        revoked: null,
      },
    ]);
    expect(listed.stdout).not.toContain(apiKey);
  });

  test("limits of its own hold from the next request on, and those of all again once they are given up", async () => {
    const limit = async (path: string, body: unknown = { datasetId: "d" }) =>
      Number((await post(server, path, apiKey, body)).headers.get("x-ratelimit-limit"));
    expect(await limit("/v1/search")).toBe(1000);
    const set = await run("customer", "set", "acme", "--rate-retrieval", "2k", "--rate-token", "7");
    expect(set.stdout).toBe(
      "Customer acme now has 0.1 credits, and limits of its own a minute: retrieval 2000, token 7.\n",
    );
    expect(await limit("/v1/search")).toBe(2000);
    expect(await limit("/v1/tokens/create")).toBe(7);
    expect((await run("customer", "list")).stdout).toContain("retrieval 2000, token 7");
    expect((await run("customer", "set", "acme", "--rate-retrieval", "default", "--json")).json()).toEqual({
      customerId: "acme",
      credits: 0.1,
      rates: { token: 7 },
    });
    expect(await limit("/v1/search")).toBe(1000);
    await run("customer", "set", "acme", "--rate-token", "default");
  });

  test("credits run out, are shown, and are added", async () => {
    expect(await search(apiKey)).toBe(200);
    expect(await search(apiKey)).toBe(402);
    expect((await run("credits", "show", "--customer", "acme", "--json")).json()).toMatchObject({
      customerId: "acme",
      credits: 0,
      usage: [{ operation: "search", count: 2, credits: 0.2 }],
    });
    expect((await run("credits", "add", "1.5", "--customer", "acme", "--json")).json()).toEqual({
      customerId: "acme",
      credits: 1.5,
    });
    expect(await search(apiKey)).toBe(200);
    expect((await run("credits", "show", "--customer", "acme")).stdout).toStartWith("Customer acme has 1.4 credits.\n");
    expect((await run("customer", "set", "acme", "--credits", "unlimited")).stdout).toBe(
      "Customer acme now has unlimited credits.\n",
    );
    expect((await run("customer", "set", "acme", "--credits", "1.4", "--json")).json()).toEqual({
      customerId: "acme",
      credits: 1.4,
      rates: {},
    });
    expect((await run("credits", "show", "--customer", "acme", "--json")).json().credits).toBe(1.4);
  });

  test("a revoked key ends within a second", async () => {
    expect((await run("key", "revoke", keyId, "--yes")).code).toBe(0);
    expect(await soon(async () => (await search(apiKey)) === 401)).toBe(true);
    expect((await run("key", "revoke", keyId, "--yes")).stderr).toMatch(/There is no key ".*" that could be revoked/);
  });

  test("it is shown with what is its own, and no key itself", async () => {
    const ends = { name: "b\u001b[2J", scope: "read", expires: "2100-01-01T00:00:00.000Z" };
    const words = ["--name", ends.name, "--scope", "read", "--expires", "2099-12"];
    const other = (await run("key", "create", "--customer", "acme", ...words)).json();
    await run("customer", "set", "acme", "--rate-token", "7", "--credits", "12.5");
    const sample = join(import.meta.dir, "../../samples/bicycle-maintenance.md");
    expect((await run("ingest", sample, "--dataset", "shown", "--customer", "acme")).code).toBe(0);
    const shown = await run("customer", "show", "acme", "--json");
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(shown.json()).toEqual({
      customerId: "acme",
      created: time,
      credits: 11.5,
      rates: { token: 7 },
      datasets: 1,
      files: 1,
      chunks: expect.any(Number),
      keys: expect.any(Array),
    });
    expect(shown.json().chunks).toBeGreaterThan(0);
    expect(shown.json().keys.toSorted((one: any, two: any) => (one.state < two.state ? -1 : 1))).toEqual([
      {
        ...{ keyId, customerId: "acme", name: "web shop", scope: "all", created: time, expires: null },
        ...{ lastUsed: time, revoked: time, state: "revoked" },
      },
      {
        ...{ keyId: other.keyId, customerId: "acme", ...ends, created: time },
        ...{ lastUsed: null, revoked: null, state: "usable" },
      },
    ]);
    const text = (await run("customer", "show", "acme")).stdout;
    expect(text).toMatch(/^Customer acme, made \S+\nCredits: 11\.5\nLimits a minute: token 7; others as for all\n/);
    expect(text).toMatch(
      /\nHolds: 1 dataset, 1 file, \d+ passages\nKeys:\nKEY ID +NAME +SCOPE +STATE +LAST USED +EXPIRES\n/,
    );
    expect(text).toContain("b\ufffd[2J");
    for (const output of [shown.stdout, text])
      for (const secret of [apiKey, other.apiKey]) expect(output).not.toContain(secret.slice(3));
    await run("customer", "set", "acme", "--rate-token", "default");
    expect((await run("customer", "create", "bare")).code).toBe(0);
    expect((await run("customer", "show", "bare")).stdout).toMatch(
      /Credits: 0\nLimits a minute: as for all\nHolds: 0 datasets, 0 files, 0 passages\nKeys: none\n$/,
    );
    await run("customer", "remove", "bare", "--yes");
  });

  test("a removed customer's keys end and its documents go, from the database and from the disk", async () => {
    const { apiKey: second } = (await run("key", "create", "--customer", "acme")).json();
    const sample = join(import.meta.dir, "../../samples/bicycle-maintenance.md");
    expect((await run("ingest", sample, "--dataset", "d", "--customer", "acme")).code).toBe(0);
    expect((await run("customer", "remove", "acme", "--yes")).code).toBe(0);
    expect(await soon(async () => (await search(second)) === 401)).toBe(true);
    const left = (): string[] => [...new Bun.Glob("files/??/*").scanSync(folder.dataDirectory)];
    expect(await soon(async () => left().length === 0)).toBe(true);
    expect(
      (await run("customer", "list", "--json")).json().map((customer: { customerId: string }) => customer.customerId),
    ).toEqual(["default"]);
  });
});

describe("mistakes", () => {
  const cases: [words: string[], code: number, sentence: RegExp][] = [
    [["customer", "create", "default"], 1, /default/],
    [["customer", "create", "x", "--credits", "lots"], 2, /"lots" is not an amount of credits/],
    [["customer", "create", "x", "--credits", "1.2345"], 2, /at most three decimals/],
    [["customer", "show"], 2, /Something is missing/],
    [["customer", "show", "nobody"], 1, /There is no customer "nobody"/],
    [["customer", "remove", "nobody", "--yes"], 1, /There is no customer "nobody"/],
    [["key", "create", "--customer", "nobody"], 1, /There is no customer "nobody"/],
    [["key", "create"], 2, /--customer is missing/],
    [["customer", "set", "nobody", "--credits", "1"], 1, /There is no customer "nobody"/],
    [["customer", "set", "default"], 2, /Nothing to change is named/],
    [
      ["customer", "set", "default", "--rate-upload", "0"],
      2,
      /--rate-upload must be "default" or a whole number in 1-/,
    ],
    [["customer", "set", "default", "--rate-search", "5"], 2, /has no option --rate-search/],
    [["customer", "set", "nobody", "--rate-free", "5"], 1, /There is no customer "nobody"/],
    [["customer", "set", "default", "--credits", "-1"], 2, /is not an amount of credits/],
    [["key", "create", "--customer", "default", "--scope", "admin"], 2, /--scope must be one of read, write, all/],
    [["key", "create", "--customer", "default", "--expires", "soon"], 2, /--expires must be such as 90d/],
    [["key", "create", "--customer", "default", "--expires", "0d"], 2, /is past already/],
    [["key", "create", "--customer", "default", "--expires", "2020-01-31"], 2, /is past already/],
    [["credits", "add", "0", "--customer", "default"], 2, /more than 0/],
    [["credits", "add", "-5", "--customer", "default"], 2, /has no option -5|is not an amount/],
    [["credits", "show", "--customer", "nobody"], 1, /There is no customer "nobody"/],
  ];
  for (const [words, code, sentence] of cases) {
    test(words.join(" "), async () => {
      const result = await run(...words);
      expect(result.stderr).toMatch(sentence);
      expect(result.code).toBe(code);
      expect(result.stdout).toBe("");
    });
  }

  test("a data directory that is not there is not made by a command that only looks", async () => {
    const nowhere = join(folder.path, "nowhere");
    const result = await lectern(["key", "list", "--data-dir", nowhere]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(`There is no Lectern data directory at ${nowhere}`);
    expect(() => statSync(nowhere)).toThrow();
  });
});
