/** Sessions, links and the operator's password: when they end, what is kept of them, and what a database made anew keeps. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessDatabasePath, openAccess, rebuildAccess, type Access } from "../../src/access/index.ts";

const PASSWORD = "correct horse battery";
let dataDirectory: string;
let now: number;
let access: Access;
const open = (): Access =>
  openAccess({ dataDirectory, limits: { upload: 1, retrieval: 1, token: 1, free: 1 }, now: () => now });

beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), "lectern-console-"));
  now = 1_800_000_000_000;
  access = open();
  access.createCustomer("acme", null);
});
afterEach(() => {
  access.close();
  rmSync(dataDirectory, { recursive: true });
});

const session = (customerId: string | null, keyId: string | null = null) =>
  access.console.openSession({ customerId, keyId, byLink: false, expires: now + 1000 });

test("a session ends when its time is over, and so does a link", () => {
  const secret = session("acme");
  const link = access.console.createLink("acme", now + 1000);
  now += 999;
  expect(access.console.session(secret)).toMatchObject({ customerId: "acme", scope: "all" });
  now += 1;
  expect(access.console.session(secret)).toBeNull();
  expect(access.console.useLink(link)).toBeNull();
});

test("a session by a key may do what the key may, for as long as the key does", () => {
  const { keyId } = access.createApiKey("acme", null, { scope: "read", expires: now + 500 });
  const secret = session("acme", keyId);
  expect(access.console.session(secret)).toMatchObject({ scope: "read", keyId });
  now += 500;
  expect(access.console.session(secret)).toBeNull();
});

test("no secret is in the database", async () => {
  await access.console.setPassword(PASSWORD, null);
  const secrets = [session(null), access.console.createLink(null, now + 1000), PASSWORD];
  access.close();
  const bytes = await Bun.file(accessDatabasePath(dataDirectory)).bytes();
  for (const secret of secrets) {
    expect(Buffer.from(bytes).includes(secret)).toBe(false);
    expect(Buffer.from(bytes).includes(Buffer.from(secret, "base64url"))).toBe(false);
  }
  access = open();
});

test("only the password that was set last is right, and none before one is set", async () => {
  expect([access.console.hasPassword(), await access.console.checkPassword("")]).toEqual([false, false]);
  await access.console.setPassword("the one before this", null);
  await access.console.setPassword(PASSWORD, null);
  expect(await access.console.checkPassword("the one before this")).toBe(false);
  expect(await access.console.checkPassword(PASSWORD)).toBe(true);
});

test("a database that is made anew keeps the password, and ends every session", async () => {
  await access.console.setPassword("the one before this", null);
  now += 1;
  await access.console.setPassword(PASSWORD, null);
  const secret = session(null);
  access.close();
  const [source, target] = [accessDatabasePath(dataDirectory), join(dataDirectory, "anew.db")];
  rebuildAccess(source, target, [], 0);
  await Bun.write(source, Bun.file(target));
  access = openAccess({
    dataDirectory,
    limits: { upload: 1, retrieval: 1, token: 1, free: 1 },
    now: () => now,
    acceptLoss: true,
  });
  expect(await access.console.checkPassword(PASSWORD)).toBe(true);
  expect(access.console.session(secret)).toBeNull();
  expect(access.customer("acme")).not.toBeNull();
});
