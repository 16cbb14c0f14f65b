/** Frontend tokens, operator tokens and download signatures: ours and untouched, or nothing. */
import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Database } from "bun:sqlite";
import { decodeJwt, SignJWT, UnsecuredJWT } from "jose";
import { accessDatabasePath } from "../../src/access/index.ts";
import { deriveKey, loadSecret } from "../../src/access/secret.ts";
import { cleanUp, NOON, sampleAccess, temporaryFolder } from "./samples.ts";

afterEach(cleanUp);

/** That of the customer `acme`. */
function frontendKey(dataDirectory: string): Uint8Array {
  using database = new Database(accessDatabasePath(dataDirectory));
  const { incarnation } = database
    .query<{ incarnation: string | null }, []>("SELECT incarnation FROM customers WHERE id = 'acme'")
    .get()!;
  return deriveKey(loadSecret(dataDirectory, new Database(":memory:")), "frontend token", incarnation);
}

describe("a frontend token", () => {
  test("carries exactly the four claims and reaches its dataset", async () => {
    const { access } = sampleAccess();
    const token = await access.createToken("acme", "letters", 60);
    expect(decodeJwt(token)).toEqual({
      customerId: "acme",
      datasetId: "letters",
      iat: NOON / 1000,
      exp: NOON / 1000 + 60,
    });
    expect(await access.identify(token)).toEqual({
      customerId: "acme",
      datasetId: "letters",
      operator: false,
      expires: NOON + 60_000,
      keyId: null,
      scope: "all",
    });
  });

  test("ends with its last second", async () => {
    const { access, clock } = sampleAccess();
    const token = await access.createToken("acme", "letters", 60);
    clock.now = NOON + 59_999;
    expect(await access.identify(token)).not.toBeNull();
    clock.now = NOON + 60_000;
    expect(await access.identify(token)).toBeNull();
  });

  test("carries any dataset id faithfully", async () => {
    const { access } = sampleAccess();
    for (const datasetId of ["\0", "😀".repeat(50), "\u0000".repeat(100), '"}{']) {
      expect((await access.identify(await access.createToken("acme", datasetId, 60)))?.datasetId).toBe(datasetId);
    }
  });

  test("is another token with any character changed", async () => {
    const { access } = sampleAccess();
    const token = await access.createToken("acme", "letters", 60);
    for (let i = 0; i < token.length; i++) {
      const changed = token.slice(0, i) + (token[i] === "A" ? "B" : "A") + token.slice(i + 1);
      expect(await access.identify(changed)).toBeNull();
    }
    for (const longer of [`${token}=`, `${token}.`, ` ${token}`, `${token}A`])
      expect(await access.identify(longer)).toBeNull();
  });

  const claims = { customerId: "acme", datasetId: "letters" };
  const times = { iat: NOON / 1000, exp: NOON / 1000 + 60 };
  const signed = (payload: Record<string, unknown>, key: Uint8Array, alg = "HS256") =>
    new SignJWT(payload).setProtectedHeader({ alg }).sign(key);

  test.each<[string, (key: Uint8Array) => Promise<string> | string]>([
    ["without a signature", () => new UnsecuredJWT({ ...claims, ...times }).encode()],
    ["with another key", () => signed({ ...claims, ...times }, new Uint8Array(32))],
    ["with another algorithm", (key) => signed({ ...claims, ...times }, Buffer.concat([key, key]), "HS512")],
    ["without expiry", (key) => signed({ ...claims, iat: times.iat }, key)],
    ["without issue time", (key) => signed({ ...claims, exp: times.exp }, key)],
    ["without a dataset", (key) => signed({ customerId: "acme", ...times }, key)],
    ["with a dataset that is no string", (key) => signed({ ...claims, datasetId: ["letters"], ...times }, key)],
    ["with an empty dataset", (key) => signed({ ...claims, datasetId: "", ...times }, key)],
    ["with a customer that is no string", (key) => signed({ ...claims, customerId: { id: "acme" }, ...times }, key)],
    ["of an unknown customer", (key) => signed({ ...claims, customerId: "nobody", ...times }, key)],
    ["with an audience", (key) => signed({ ...claims, ...times, aud: "operator" }, key)],
    ["with an expiry that is no number", (key) => signed({ ...claims, ...times, exp: "never" }, key)],
    ["that is not valid yet", (key) => signed({ ...claims, ...times, nbf: times.exp }, key)],
  ])("%s is none", async (_case, make) => {
    const { access, dataDirectory } = sampleAccess();
    const key = frontendKey(dataDirectory);
    expect(await access.identify(await signed({ ...claims, ...times }, key))).not.toBeNull();
    expect(await access.identify(await make(key))).toBeNull();
  });
});

describe("an operator token", () => {
  test("reaches every dataset of its customer, unlimited by rate, for five minutes", async () => {
    const { access, clock } = sampleAccess();
    const token = await access.createOperatorToken("acme");
    expect(await access.identify(token)).toEqual({
      customerId: "acme",
      datasetId: null,
      operator: true,
      expires: NOON + 300_000,
      keyId: null,
      scope: "all",
    });
    clock.now += 300_000;
    expect(await access.identify(token)).toBeNull();
  });

  test("cannot be made with the key of frontend tokens", async () => {
    const { access, dataDirectory } = sampleAccess();
    const forged = await new SignJWT({ customerId: "acme", aud: "operator", iat: NOON / 1000, exp: NOON / 1000 + 60 })
      .setProtectedHeader({ alg: "HS256" })
      .sign(frontendKey(dataDirectory));
    expect(await access.identify(forged)).toBeNull();
  });
});

describe("a download signature", () => {
  test("verifies its own text in its one spelling, and no other", () => {
    const { access } = sampleAccess();
    const signature = access.sign("file 1 until 2");
    expect(access.verify("file 1 until 2", signature)).toBe(true);
    expect(access.verify("file 1 until 3", signature)).toBe(false);
    for (const other of ["", "x", `${signature}=`, `${signature} `, signature.slice(0, -1), "\ud800".repeat(43)])
      expect(access.verify("file 1 until 2", other)).toBe(false);
  });
});

describe("the secret", () => {
  test("is made once, for its owner alone, and shared by all who open the directory", async () => {
    const { access, dataDirectory } = sampleAccess();
    const path = join(dataDirectory, "secret");
    expect(readFileSync(path, "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { access: second } = sampleAccess({ dataDirectory });
    expect(await second.identify(await access.createToken("acme", "letters", 60))).not.toBeNull();
  });

  test("that others could read is closed to them at the next start", () => {
    const { dataDirectory } = sampleAccess();
    chmodSync(join(dataDirectory, "secret"), 0o644);
    loadSecret(dataDirectory, new Database(":memory:"));
    expect(statSync(join(dataDirectory, "secret")).mode & 0o777).toBe(0o600);
  });

  test.each(["", "abc", "z".repeat(64)])("that reads %j is refused with a sentence", (content) => {
    const dataDirectory = temporaryFolder();
    writeFileSync(join(dataDirectory, "secret"), content);
    expect(() => loadSecret(dataDirectory, new Database(":memory:"))).toThrow("64 hexadecimal digits");
  });
});
