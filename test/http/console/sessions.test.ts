/** Who gets into the console, how they stay in, and that nobody else does. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startLectern, type TestServer } from "../../harness.ts";
import { OPERATOR_PASSWORD, signIn, signInOperator, type SignedIn } from "./console.ts";

const HOUR = 3_600_000;
let lectern: TestServer;
beforeAll(async () => {
  lectern = await startLectern();
  await lectern.appliance.access.console.setPassword(OPERATOR_PASSWORD, null);
});
afterAll(() => lectern.stop());

const isSignedIn = async ({ call }: SignedIn): Promise<boolean> =>
  (await call("GET", "/console/session")).body.session !== null;
/** Forgives what was tried from this address. */
const succeed = () => signInOperator(lectern);

describe("signing in", () => {
  test("nobody is in", async () => {
    const { status, body } = await lectern.call("GET", "/console/session");
    expect([status, body]).toEqual([
      200,
      { session: null, operatorPassword: "set", version: expect.any(String) },
    ] as never);
  });

  test("by the password, as the operator", async () => {
    const { call } = await signInOperator(lectern);
    expect((await call("GET", "/console/session")).body.session).toMatchObject({
      role: "operator",
      customerId: null,
      mayChange: true,
    });
  });

  test("by an API key, as its customer", async () => {
    const { key, customerId } = lectern.customer();
    const { call } = await signIn(lectern, { apiKey: key });
    expect((await call("GET", "/console/session")).body.session).toMatchObject({
      role: "customer",
      customerId,
      mayChange: true,
    });
  });

  test("by a link, once", async () => {
    const { customerId } = lectern.customer();
    const link = lectern.appliance.access.console.createLink(customerId, Date.now() + HOUR);
    const { call } = await signIn(lectern, { link });
    expect((await call("GET", "/console/session")).body.session.customerId).toBe(customerId);
    expect((await lectern.call("POST", "/console/session", { json: { link } })).status).toBe(401);
    await succeed();
  });

  test("the cookie is for this server's own pages alone", async () => {
    const reply = await lectern.call("POST", "/console/session", { json: { password: OPERATOR_PASSWORD } });
    expect(reply.headers.get("set-cookie")).toMatch(
      /^lectern_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
    expect(reply.text).not.toContain(reply.headers.get("set-cookie")!.slice(16, 59));
  });

  const refused: readonly [string, () => unknown, number][] = [
    ["another password", () => ({ password: "incorrect horse battery" }), 401],
    ["an empty password", () => ({ password: "" }), 401],
    ["a key that there is not", () => ({ apiKey: `lk_${"A".repeat(43)}` }), 401],
    [
      "a frontend token",
      async () => {
        const { key } = lectern.customer();
        return {
          apiKey: (await lectern.call("POST", "/v1/tokens/create", { key, json: { datasetId: "d" } })).body.token,
        };
      },
      401,
    ],
    ["a link that there is not", () => ({ link: "A".repeat(43) }), 401],
    ["a link of another form", () => ({ link: "../../etc/passwd" }), 401],
    [
      "a link that has expired",
      () => ({ link: lectern.appliance.access.console.createLink(null, Date.now() - 1) }),
      401,
    ],
    [
      "a link of a customer that was removed, and made again",
      () => {
        const { access } = lectern.appliance;
        const { customerId } = lectern.customer();
        const link = access.console.createLink(customerId, Date.now() + HOUR);
        access.removeCustomer(customerId);
        access.forgetCustomer(customerId);
        access.createCustomer(customerId, null);
        return { link };
      },
      401,
    ],
    ["nothing", () => ({}), 400],
    ["two at once", () => ({ password: OPERATOR_PASSWORD, link: "x" }), 400],
    ["a number", () => ({ password: 7 }), 400],
    ["a field that is none", () => ({ pasword: OPERATOR_PASSWORD }), 400],
  ];
  test.each(refused)("is refused by %s", async (_what, by, status) => {
    const reply = await lectern.call("POST", "/console/session", { json: await by() });
    expect([reply.status, reply.headers.get("set-cookie")]).toEqual([status, null]);
    await succeed();
  });

  test("is refused to pages of other sites", async () => {
    for (const site of ["cross-site", "same-site"]) {
      const headers = { "sec-fetch-site": site };
      const reply = await lectern.call("POST", "/console/session", { json: { password: OPERATOR_PASSWORD }, headers });
      expect([reply.status, reply.body.error]).toEqual([403, "FOREIGN_PAGE"]);
    }
  });

  test("is noted in audit.log, and no secret is", async () => {
    const { key } = lectern.customer();
    await signIn(lectern, { apiKey: key });
    const noted = readFileSync(join(lectern.directory, "audit.log"), "utf8");
    expect(noted).toContain('"action":"console.sign-in"');
    for (const secret of [key, OPERATOR_PASSWORD]) {
      expect(noted).not.toContain(secret);
      expect(lectern.logLines.join("")).not.toContain(secret);
    }
  });

  test("has to wait after guesses, and says for how long", async () => {
    const guess = () => lectern.call("POST", "/console/session", { json: { link: "A".repeat(43) } });
    const statuses = [];
    for (let attempt = 0; attempt < 6; attempt++) statuses.push((await guess()).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    const paused = await lectern.call("POST", "/console/session", { json: { password: OPERATOR_PASSWORD } });
    expect([paused.status, paused.body.error]).toEqual([429, "SIGN_IN_PAUSED"]);
    await Bun.sleep(Number(paused.headers.get("retry-after")) * 1000);
    expect(await isSignedIn(await succeed())).toBe(true);
  });
});

describe("a session", () => {
  test("ends when it is signed out of, and its cookie is worth nothing", async () => {
    const session = await signInOperator(lectern);
    const reply = await session.call("DELETE", "/console/session");
    expect(reply.headers.get("set-cookie")).toStartWith("lectern_session=;");
    expect(await isSignedIn(session)).toBe(false);
  });

  test("ends with its key", async () => {
    const { access } = lectern.appliance;
    const { customerId } = lectern.customer();
    const { keyId, apiKey } = access.createApiKey(customerId, null);
    const session = await signIn(lectern, { apiKey });
    access.revokeApiKey(keyId);
    expect(await isSignedIn(session)).toBe(false);
  });

  test("ends with its customer, also where another has the name", async () => {
    const { access } = lectern.appliance;
    const { customerId } = lectern.customer();
    const session = await signIn(lectern, { link: access.console.createLink(customerId, Date.now() + HOUR) });
    access.removeCustomer(customerId);
    expect(await isSignedIn(session)).toBe(false);
    access.forgetCustomer(customerId);
    access.createCustomer(customerId, null);
    expect(await isSignedIn(session)).toBe(false);
  });

  test("survives a restart", async () => {
    const session = await signInOperator(lectern);
    await lectern.restart();
    expect(await isSignedIn(session)).toBe(true);
  });

  test("is told by its whole secret", async () => {
    const { cookie, csrf } = await signInOperator(lectern);
    const changed = cookie.slice(0, -1) + (cookie.endsWith("A") ? "B" : "A");
    for (const forged of [changed, "lectern_session=", "lectern_session=x", `${cookie}.x`])
      expect(
        (await lectern.call("GET", "/console/keys", { headers: { cookie: forged, "x-console-csrf": csrf } })).status,
      ).toBe(401);
  });
});

describe("the password", () => {
  const change = ({ call }: SignedIn, json: unknown) => call("POST", "/console/password", { json });

  test("is changed by who knows the present one, and ends the other sessions", async () => {
    const [own, other] = [await signInOperator(lectern), await signInOperator(lectern)];
    expect((await change(own, { password: "another long password" })).status).toBe(401);
    expect((await change(own, { password: "another long password", current: "wrong" })).status).toBe(401);
    const changed = await change(own, { password: "another long password", current: OPERATOR_PASSWORD });
    expect(changed.status).toBe(200);
    expect([await isSignedIn(own), await isSignedIn(other)]).toEqual([true, false]);
    expect((await lectern.call("POST", "/console/session", { json: { password: OPERATOR_PASSWORD } })).status).toBe(
      401,
    );
    await lectern.appliance.access.console.setPassword(OPERATOR_PASSWORD, null);
  });

  test("is chosen by who came by a link, and every other link of the operator ends", async () => {
    const { console: accounts } = lectern.appliance.access;
    const [link, second] = [accounts.createLink(null, Date.now() + HOUR), accounts.createLink(null, Date.now() + HOUR)];
    const session = await signIn(lectern, { link });
    expect((await change(session, { password: OPERATOR_PASSWORD })).status).toBe(200);
    expect((await lectern.call("POST", "/console/session", { json: { link: second } })).status).toBe(401);
  });

  test.each(["short", "x".repeat(1025), "", 7, null])("has a length: %p is refused", async (password) => {
    const reply = await change(await signInOperator(lectern), { password, current: OPERATOR_PASSWORD });
    expect(reply.status).toBe(400);
  });
});
