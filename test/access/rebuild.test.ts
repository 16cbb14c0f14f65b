/** `access.db` made anew from what its pages hold: customers, keys and balances as they were, and the names of what is gone. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAccess, rebuildAccess, type Access } from "../../src/access/index.ts";

const LIMITS = { upload: 100, retrieval: 100, token: 100, free: 100 };
const PAGE = 1024;
const CUSTOMERS = 40;
const LONG_NAME = "ö".repeat(100);

let directory: string;
let keys: { customerId: string; keyId: string; apiKey: string }[];
const at = (name: string): string => join(directory, name);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "lectern-rebuild-"));
  using access = open();
  keys = [];
  for (let index = 0; index < CUSTOMERS; index++) {
    const customerId = index === 0 ? LONG_NAME : `customer-${index}`;
    access.createCustomer(customerId, index % 5 === 0 ? null : index * 1000);
    keys.push(access.createApiKey(customerId, "key", index % 2 === 0 ? {} : { scope: "read", expires: 9e12 }));
    access.charge(customerId, 100, "search");
  }
  access.revokeApiKey(keys[3]!.keyId);
  access.setRates("customer-6", { upload: 3, free: 9 });
  access.removeCustomer("customer-4");
  access.charge("customer-7", 500, "upload", { pendingId: crypto.randomUUID() });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function open(): Access & Disposable {
  const access = openAccess({ dataDirectory: directory, limits: LIMITS });
  return { ...access, [Symbol.dispose]: () => access.close() };
}

function damage(pages: readonly number[]): void {
  const bytes = readFileSync(at("access.db"));
  for (const page of pages) bytes.fill(0xa7, (page - 1) * PAGE, page * PAGE);
  writeFileSync(at("access.db"), bytes);
}

function rebuild(source: string | null = at("access.db"), owners: string[] = []) {
  const built = rebuildAccess(source, at("new.db"), owners, 0);
  for (const ending of ["", "-wal", "-shm"]) rmSync(at(`access.db${ending}`), { force: true });
  renameSync(at("new.db"), at("access.db"));
  return built;
}

const state = (access: Access) => ({
  customers: access.listCustomers(),
  removed: access.removedCustomers(),
  keys: access.listApiKeys(),
  charges: access.pendingCharges(),
});

function stateNow() {
  using access = open();
  return state(access);
}

const rootOf = (table: string): number => {
  using database = new Database(at("access.db"));
  return database.query<{ rootpage: number }, [string]>("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(table)!
    .rootpage;
};

describe("nothing is lost", () => {
  const damages: [what: string, damage: () => void][] = [
    ["of a whole one", () => {}],
    ["without its first page", () => damage([1])],
    ["of which the page that leads to the keys is damaged", () => damage([rootOf("apiKeys")])],
  ];
  test.each(damages)("%s", async (_what, harm) => {
    const before = stateNow();
    harm();
    expect(rebuild()).toMatchObject({ lostCustomers: [], lostKeys: [] });
    expect(stateNow()).toEqual(before);
    using access = open();
    expect(await access.identify(keys[5]!.apiKey)).toMatchObject({ customerId: "customer-5", scope: "read" });
    for (const index of [3, 4]) expect(await access.identify(keys[index]!.apiKey)).toBeNull();
  });

  test("of what is in the log alone", () => {
    const before = stateNow();
    // As a copy of a database in use: what was committed last is in its log.
    const later = openAccess({ dataDirectory: directory, limits: LIMITS, checkpoints: "elsewhere" });
    later.createCustomer("late", 5000);
    for (const ending of ["", "-wal"]) copyFileSync(at(`access.db${ending}`), at(`copy.db${ending}`));
    later.close();
    expect(existsSync(at("copy.db-wal"))).toBe(true);
    expect(rebuild(at("copy.db"))).toMatchObject({ customers: CUSTOMERS + 1, lostCustomers: [] });
    expect(stateNow().customers).toHaveLength(before.customers.length + 1);
  });
});

describe("what is gone is named", () => {
  test("keys, by the index that still speaks of them", () => {
    const before = stateNow();
    const [page] = leafPages("apiKeys");
    damage([page!]);
    const { lostKeys, lostCustomers } = rebuild();
    expect(lostCustomers).toEqual([]);
    expect(lostKeys.length).toBeGreaterThan(0);
    const left = stateNow().keys.map(({ keyId }) => keyId);
    expect([...left, ...lostKeys].sort()).toEqual(before.keys.map(({ keyId }) => keyId).sort());
  });

  test("customers, who are made again without credits", () => {
    const [page] = leafPages("customers");
    damage([page!]);
    const { lostCustomers } = rebuild();
    expect(lostCustomers.length).toBeGreaterThan(0);
    const { customers } = stateNow();
    for (const customerId of lostCustomers)
      expect(customers).toContainEqual(expect.objectContaining({ customerId, balanceThousandths: 0 }) as never);
  });

  test("everybody who has documents, where there is no database", () => {
    expect(rebuild(null, ["b", "a"])).toEqual({ customers: 0, keys: 0, lostCustomers: ["a", "b"], lostKeys: [] });
  });
});

/** Pages below the first page of a table. */
function leafPages(table: string): number[] {
  const bytes = readFileSync(at("access.db"));
  const page = bytes.subarray((rootOf(table) - 1) * PAGE, rootOf(table) * PAGE);
  const count = page.readUInt16BE(3);
  return Array.from({ length: count }, (_, index) => page.readUInt32BE(page.readUInt16BE(12 + 2 * index)));
}
