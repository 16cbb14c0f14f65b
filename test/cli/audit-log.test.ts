/** What commands leave in audit.log, beside a server and without one. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lectern, serve, temporaryFolder } from "./lectern.ts";

const folder = temporaryFolder();
const path = join(folder.dataDirectory, "audit.log");
const run = (...words: string[]) => lectern([...words, "--data-dir", folder.dataDirectory]);
const lines = (): any[] =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
let keyId: string;
beforeAll(async () => {
  await (await serve(folder.dataDirectory)).stop();
});
afterAll(() => folder.remove());

test("the first start notes the customer and the key that it makes", () => {
  expect(lines()).toMatchObject([
    { action: "customer.create", by: "operator", customer: "default", credits: "unlimited" },
    { action: "key.create", by: "operator", customer: "default", scope: "all", expires: null },
    { action: "console.link", by: "operator" },
  ]);
});

const cases: [words: () => string[], line: Record<string, unknown> | null][] = [
  [() => ["customer", "create", "acme", "--credits", "5"], { action: "customer.create", customer: "acme", credits: 5 }],
  [() => ["customer", "create", "acme"], null],
  [
    () => ["key", "create", "--customer", "acme", "--scope", "read"],
    { action: "key.create", customer: "acme", scope: "read" },
  ],
  [
    () => ["credits", "add", "--customer", "acme", "2.5"],
    { action: "credits.add", customer: "acme", credits: 2.5, balance: 7.5 },
  ],
  [() => ["customer", "set", "acme", "--credits", "9"], { action: "customer.set", customer: "acme", credits: 9 }],
  [
    () => ["customer", "set", "acme", "--rate-free", "7"],
    { action: "customer.set", customer: "acme", rates: { free: 7 } },
  ],
  [() => ["customer", "list"], null],
  [() => ["customer", "invite", "acme"], { action: "console.link", customer: "acme" }],
  [() => ["customer", "invite", "nobody"], null],
  [() => ["console", "link"], { action: "console.link" }],
  [() => ["key", "revoke", keyId, "--yes"], { action: "key.revoke", customer: "acme" }],
  [() => ["model", "use", "default"], { action: "model.use", model: "default", kind: "embedding" }],
  [
    () => ["dataset", "remove", "notes", "--customer", "default", "--yes"],
    { action: "dataset.delete", customer: "default", dataset: "notes", files: 1 },
  ],
  [() => ["backup", join(folder.path, "backup")], { action: "backup.create", path: join(folder.path, "backup") }],
  [() => ["backup", "verify", join(folder.path, "backup")], null],
  [() => ["customer", "remove", "acme", "--yes"], { action: "customer.remove", customer: "acme" }],
];
test("each change by a command is one line, by the operator", async () => {
  const note = join(folder.path, "note.txt");
  writeFileSync(note, "A note to be removed.");
  expect(await run("ingest", note, "--dataset", "notes")).toMatchObject({ code: 0 });
  for (const [words, line] of cases) {
    const before = lines().length;
    const { stdout } = await run(...words());
    keyId ??= /key_[\w-]+/.exec(stdout)?.[0] as string;
    const noted = lines().slice(before);
    expect(noted).toEqual(line === null ? [] : [expect.objectContaining({ ...line, by: "operator" })]);
  }
  expect(readFileSync(path, "utf8")).not.toContain("lk_");
}, 60_000);

test("what cannot be noted is done all the same, and told", async () => {
  rmSync(path);
  mkdirSync(path);
  const made = await run("customer", "create", "late");
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining("could not be noted in audit.log") });
  expect((await run("customer", "list")).stdout).toContain("late");
});
