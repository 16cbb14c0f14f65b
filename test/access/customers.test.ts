/** Customers and their API keys. */
import { afterEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import fc from "fast-check";
import { accessDatabasePath } from "../../src/access/index.ts";
import { failureOf } from "../harness.ts";
import { cleanUp, NOON, sampleAccess } from "./samples.ts";

afterEach(cleanUp);

describe("customers", () => {
  test("are made once, listed by id, and have the balance they were given", () => {
    const { access } = sampleAccess();
    expect(access.createCustomer("abc", 1500)).toEqual({
      customerId: "abc",
      created: NOON,
      balanceThousandths: 1500,
      rates: { upload: null, retrieval: null, token: null, free: null },
    });
    expect(access.listCustomers().map(({ customerId }) => customerId)).toEqual(["abc", "acme"]);
    expect(access.balance("abc")).toBe(1500);
    expect(access.balance("acme")).toBeNull();
    expect(() => access.createCustomer("abc", null)).toThrow("exists already");
  });

  test.each(["", "x".repeat(101), "nul\0", "line\n", "\ud800"])("cannot have the id %j", (id) => {
    expect(() => sampleAccess().access.createCustomer(id, null)).toThrow("A customer's id");
  });

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("cannot have %p thousandths", (amount) => {
    const { access } = sampleAccess();
    expect(() => access.createCustomer("abc", amount)).toThrow("at least 0");
    expect(() => access.addCredits("acme", amount)).toThrow("at least 0");
  });

  test("are invalid from the moment they are removed, and listed until they are forgotten", async () => {
    const { access } = sampleAccess();
    const { apiKey } = access.createApiKey("acme", null);
    const tokens = [await access.createToken("acme", "letters", 3600), await access.createOperatorToken("acme")];
    expect(access.removeCustomer("acme")).toBe(true);
    expect(access.removeCustomer("acme")).toBe(false);
    expect(await access.identify(apiKey)).toBeNull();
    for (const token of tokens) expect(await access.identify(token)).toBeNull();
    expect((await failureOf(access.createToken("acme", "letters", 60))).message).toBe("Invalid API key");
    expect(access.listCustomers()).toEqual([]);
    expect(access.removedCustomers()).toEqual(["acme"]);
    expect(() => access.charge("acme", 100, "search")).toThrow("Invalid API key or token");
    expect(() => access.createCustomer("acme", null)).toThrow("still being removed");

    access.forgetCustomer("acme");
    expect(access.removedCustomers()).toEqual([]);
    access.createCustomer("acme", null);
    for (const credential of [apiKey, ...tokens]) expect(await access.identify(credential)).toBeNull();
  });

  test("are not forgotten unless they were removed", () => {
    const { access } = sampleAccess();
    access.forgetCustomer("acme");
    expect(access.customer("acme")).not.toBeNull();
  });

  test.each([
    ["a balance", (access: ReturnType<typeof sampleAccess>["access"]) => access.balance("nobody")],
    ["credits", (access: ReturnType<typeof sampleAccess>["access"]) => access.addCredits("nobody", 1)],
    ["a key", (access: ReturnType<typeof sampleAccess>["access"]) => access.createApiKey("nobody", null)],
  ])("that do not exist have no use for %s", (_what, ask) => {
    expect(() => ask(sampleAccess().access)).toThrow('There is no customer "nobody"');
  });
});

describe("API keys", () => {
  test("are lk_ and 43 base64url characters, and identify their customer", async () => {
    const { access } = sampleAccess();
    const { apiKey, keyId } = access.createApiKey("acme", "laptop");
    expect(apiKey).toMatch(/^lk_[A-Za-z0-9_-]{43}$/);
    expect(await access.identify(apiKey)).toEqual({
      customerId: "acme",
      datasetId: null,
      operator: false,
      expires: null,
      keyId,
      scope: "all",
    });
    expect(access.listApiKeys("acme")).toEqual([
      {
        keyId,
        customerId: "acme",
        name: "laptop",
        created: NOON,
        revoked: null,
        scope: "all",
        expires: null,
        lastUsed: NOON,
      },
    ]);
  });

  test("are nowhere in the database", () => {
    const { access, dataDirectory } = sampleAccess();
    const { apiKey } = access.createApiKey("acme", null);
    access.checkpoint();
    const rows = new Database(accessDatabasePath(dataDirectory)).query("SELECT * FROM apiKeys").all();
    expect(JSON.stringify(rows)).not.toContain(apiKey.slice(3));
    expect(JSON.stringify(access.listApiKeys())).not.toContain(apiKey.slice(3));
  });

  test("end when they are revoked, once", async () => {
    const { access } = sampleAccess();
    const { apiKey, keyId } = access.createApiKey("acme", null);
    const { apiKey: other } = access.createApiKey("acme", null);
    expect(access.revokeApiKey(keyId)).toBe(true);
    expect(access.revokeApiKey(keyId)).toBe(false);
    expect(access.revokeApiKey("key_unknown")).toBe(false);
    expect(await access.identify(apiKey)).toBeNull();
    expect(await access.identify(other)).not.toBeNull();
  });

  test("no other text is one", async () => {
    const { access } = sampleAccess();
    access.createApiKey("acme", null);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.string({ unit: "grapheme" }).map((text) => `lk_${text}`),
          fc.base64String().map((text) => `${text}.${text}.${text}`),
        ),
        async (text) => {
          expect(await access.identify(text)).toBeNull();
        },
      ),
    );
  });
});
