/** Every address of the console, asked by everybody: nobody, customers for themselves and for others, a key that may only read, the operator. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createApps } from "../../../src/http/app.ts";
import { Service } from "../../../src/http/service.ts";
import { loadConfig } from "../../../src/options/config.ts";
import { startLectern, until, uploadForm, type TestCustomer, type TestServer } from "../../harness.ts";
import { signIn, signInOperator, type SignedIn } from "./console.ts";

let lectern: TestServer;
let acme: TestCustomer;
let other: TestCustomer;
let sessions: Record<"acme" | "reader" | "operator", SignedIn>;
let ownKey: string;
let otherKey: string;

beforeAll(async () => {
  lectern = await startLectern();
  const { access } = lectern.appliance;
  [acme, other] = [lectern.customer(50), lectern.customer(50)];
  const { apiKey: reading } = access.createApiKey(acme.customerId, "reads", { scope: "read" });
  sessions = {
    acme: await signIn(lectern, { apiKey: acme.key }),
    reader: await signIn(lectern, { apiKey: reading }),
    operator: await signInOperator(lectern),
  };
  ownKey = access.createApiKey(acme.customerId, "spare").keyId;
  otherKey = access.listApiKeys(other.customerId)[0]!.keyId;
  await lectern.upload(acme.key, "own", { "own.txt": "The harbour opens at six." });
  await lectern.upload(other.key, "secret", { "secret.txt": "The vault opens at nine." });
});
afterAll(() => lectern.stop());

interface Row {
  readonly ask: string;
  readonly json?: () => unknown;
  /** What a customer, one who signed in by a reading key, and the operator are answered. */
  readonly acme: number;
  readonly reader: number;
  readonly operator: number;
}

const rows: readonly Row[] = [
  { ask: "GET /console/account", acme: 200, reader: 200, operator: 404 },
  { ask: "GET /console/account?customerId=OTHER", acme: 403, reader: 403, operator: 200 },
  { ask: "GET /console/account?customerId=nobody", acme: 403, reader: 403, operator: 404 },
  { ask: "GET /console/usage", acme: 200, reader: 200, operator: 200 },
  { ask: "GET /console/usage?days=0", acme: 400, reader: 400, operator: 400 },
  { ask: "GET /console/usage?days=1e9", acme: 400, reader: 400, operator: 400 },
  { ask: "GET /console/usage?customerId=OTHER", acme: 403, reader: 403, operator: 200 },
  { ask: "GET /console/keys", acme: 200, reader: 200, operator: 200 },
  { ask: "GET /console/keys?customerId=OTHER", acme: 403, reader: 403, operator: 200 },
  { ask: "POST /console/keys", json: () => ({ name: "new" }), acme: 201, reader: 409, operator: 404 },
  {
    ask: "POST /console/keys",
    json: () => ({ customerId: other.customerId }),
    acme: 403,
    reader: 409,
    operator: 201,
  },
  { ask: "POST /console/keys", json: () => ({ scope: "everything" }), acme: 400, reader: 409, operator: 404 },
  {
    ask: "POST /console/keys",
    json: () => ({ expires: "2001-01-01T00:00:00Z" }),
    acme: 400,
    reader: 409,
    operator: 404,
  },
  { ask: "POST /console/keys", json: () => ({ name: "x".repeat(201) }), acme: 400, reader: 409, operator: 404 },
  { ask: "DELETE /console/keys/OTHERKEY", acme: 404, reader: 409, operator: 200 },
  { ask: "DELETE /console/keys/OWNKEY", acme: 200, reader: 409, operator: 404 },
  { ask: "GET /console/overview", acme: 403, reader: 403, operator: 200 },
  { ask: "GET /console/jobs", acme: 403, reader: 403, operator: 200 },
  { ask: "GET /console/log", acme: 403, reader: 403, operator: 200 },
  { ask: "GET /console/log?lines=all", acme: 403, reader: 403, operator: 400 },
  { ask: "GET /console/backups", acme: 403, reader: 403, operator: 200 },
  { ask: "POST /console/backups", json: () => ({}), acme: 403, reader: 403, operator: 409 },
  { ask: "POST /console/backups/x/verify", acme: 403, reader: 403, operator: 409 },
  { ask: "GET /console/models", acme: 403, reader: 403, operator: 200 },
  { ask: "POST /console/models?name=x.gguf", json: () => ({}), acme: 403, reader: 403, operator: 409 },
  { ask: "PATCH /console/models/nothing", json: () => ({ use: true }), acme: 403, reader: 403, operator: 404 },
  { ask: "DELETE /console/models/nothing", acme: 403, reader: 403, operator: 404 },
  { ask: "GET /console/customers", acme: 403, reader: 403, operator: 200 },
  { ask: "POST /console/customers", json: () => ({ customerId: "new" }), acme: 403, reader: 403, operator: 201 },
  { ask: "POST /console/customers", json: () => ({ customerId: "new" }), acme: 403, reader: 403, operator: 409 },
  { ask: "POST /console/customers", json: () => ({ customerId: "" }), acme: 403, reader: 403, operator: 409 },
  { ask: "POST /console/customers", json: () => ({ credits: 5 }), acme: 403, reader: 403, operator: 400 },
  { ask: "PATCH /console/customers/OTHER", json: () => ({ credits: 7.5 }), acme: 403, reader: 403, operator: 200 },
  { ask: "PATCH /console/customers/OTHER", json: () => ({ credits: -1 }), acme: 403, reader: 403, operator: 400 },
  { ask: "PATCH /console/customers/OTHER", json: () => ({ credits: 0.0001 }), acme: 403, reader: 403, operator: 400 },
  {
    ask: "PATCH /console/customers/OTHER",
    json: () => ({ addCredits: "unlimited" }),
    acme: 403,
    reader: 403,
    operator: 400,
  },
  {
    ask: "PATCH /console/customers/OTHER",
    json: () => ({ rates: { upload: 5 } }),
    acme: 403,
    reader: 403,
    operator: 200,
  },
  {
    ask: "PATCH /console/customers/OTHER",
    json: () => ({ rates: { uploads: 5 } }),
    acme: 403,
    reader: 403,
    operator: 400,
  },
  { ask: "PATCH /console/customers/OTHER", json: () => ({ rates: [] }), acme: 403, reader: 403, operator: 400 },
  { ask: "PATCH /console/customers/nobody", json: () => ({ credits: 1 }), acme: 403, reader: 403, operator: 404 },
  { ask: "POST /console/customers/OTHER/invitation", json: () => ({}), acme: 403, reader: 403, operator: 201 },
  {
    ask: "POST /console/customers/OTHER/invitation",
    json: () => ({ days: 1000 }),
    acme: 403,
    reader: 403,
    operator: 400,
  },
  { ask: "POST /console/customers/nobody/invitation", json: () => ({}), acme: 403, reader: 403, operator: 404 },
  {
    ask: "POST /console/password",
    json: () => ({ password: "long enough it is" }),
    acme: 403,
    reader: 403,
    operator: 401,
  },
  { ask: "DELETE /console/customers/new", json: () => ({ confirm: "New" }), acme: 403, reader: 403, operator: 400 },
  { ask: "DELETE /console/customers/new", json: () => ({ confirm: "new" }), acme: 403, reader: 403, operator: 200 },
];

const written = (ask: string): [string, string] =>
  ask.replace("OTHERKEY", otherKey).replace("OWNKEY", ownKey).replace("OTHER", other.customerId).split(" ") as [
    string,
    string,
  ];

describe.each(rows)("$ask", ({ ask, json, ...expected }) => {
  test("is answered to each as it should be", async () => {
    const [method, path] = written(ask);
    const call = json === undefined ? {} : { json: json() };
    expect((await lectern.call(method, path, call)).status).toBe(401);
    expect((await lectern.call(method, path, { ...call, key: acme.key })).status).toBe(401);
    const { cookie, csrf } = sessions.operator;
    expect((await lectern.call(method, path, { ...call, headers: { cookie } })).status).toBe(401);
    expect(
      (await lectern.call(method, path, { ...call, headers: { cookie, "x-console-csrf": `${csrf}x` } })).status,
    ).toBe(401);
    expect((await lectern.call(method, path, { ...call, headers: { "x-console-csrf": csrf } })).status).toBe(401);
    const foreign = { "sec-fetch-site": "cross-site" };
    expect((await sessions.operator.call(method, path, { ...call, headers: foreign })).status).toBe(403);
    for (const who of ["acme", "reader", "operator"] as const) {
      const reply = await sessions[who].call(method, path, call);
      expect([who, reply.status, reply.text]).toEqual([who, expected[who], expect.any(String)] as never);
      if (who !== "operator") expect(reply.text).not.toContain(other.customerId);
      if (reply.status >= 400) expect(reply.body.message).toBeString();
    }
  });
});

describe("what is answered", () => {
  test("an account says what the customer has, and at what price it goes on", async () => {
    const { body } = await sessions.acme.call("GET", "/console/account");
    expect(body).toMatchObject({
      customerId: acme.customerId,
      credits: expect.any(Number),
      rates: { upload: null, retrieval: null, token: null, free: null },
      effectiveRates: { upload: expect.any(Number) },
      prices: { upload: 1, search: 0.1, query: 0.1 },
      datasets: 1,
      files: 1,
    });
  });

  test("usage is counted by day, customer and operation", async () => {
    const { body } = await sessions.acme.call("GET", "/console/usage");
    expect(body.days).toEqual([
      { day: body.to, customerId: acme.customerId, operation: "upload", count: 1, credits: 1 },
    ]);
    const all = (await sessions.operator.call("GET", "/console/usage")).body.days as { customerId: string }[];
    expect(new Set(all.map(({ customerId }) => customerId))).toEqual(new Set([acme.customerId, other.customerId]));
  });

  test("a key is shown once, works, and is listed without itself", async () => {
    const made = (await sessions.acme.call("POST", "/console/keys", { json: { name: "fresh", scope: "read" } })).body;
    expect((await lectern.search(made.apiKey, "own", "harbour")).status).toBe(200);
    const listed = await sessions.acme.call("GET", "/console/keys");
    expect(listed.text).toContain(made.keyId);
    expect(listed.text).not.toContain(made.apiKey);
    await sessions.acme.call("DELETE", `/console/keys/${made.keyId}`);
    expect((await lectern.search(made.apiKey, "own", "harbour")).status).toBe(401);
  });

  test("an invitation lets its customer in, and nobody twice", async () => {
    const path = `/console/customers/${other.customerId}/invitation`;
    const { link } = (await sessions.operator.call("POST", path, { json: {} })).body as { link: string };
    const [, secret] = /^http:\/\/[^/]+\/#\/sign-in\/([\w-]{43})$/.exec(link)!;
    const invited = await signIn(lectern, { link: secret! });
    expect((await invited.call("GET", "/console/account")).body.customerId).toBe(other.customerId);
  });
});

describe("what the operator sees of the machine", () => {
  test("the overview counts what there is and has been done", async () => {
    const { body } = await sessions.operator.call("GET", "/console/overview");
    expect(body).toMatchObject({
      readiness: { status: "ready" },
      machine: { diskReserveMissing: false, uploadsRunning: 0 },
      stored: { datasets: 2, files: 2, chunks: 2 },
      queue: { waiting: 0, running: 0, failed: 0 },
      reembedding: { datasets: 0 },
    });
    for (const value of [body.machine.residentBytes, body.machine.diskFreeBytes, body.indexes.bytes])
      expect(value).toBeGreaterThan(1000);
    const uploads = body.routes.find(({ route }: { route: string }) => route === "POST /v1/files/upload");
    expect(uploads).toMatchObject({ count: 2, errors: 0 });
    expect(uploads.p99Seconds).toBeGreaterThanOrEqual(uploads.p50Seconds);
  });

  test("a file that could not be read says why, until it is deleted", async () => {
    const form = uploadForm({ datasetId: "own" }, { "broken.pdf": "%PDF-1.7 and nothing more" });
    const accepted = await lectern.call("POST", "/v1/files/upload?async=true", { key: acme.key, body: form });
    const { fileId } = accepted.body.files[0];
    const jobs = async () => (await sessions.operator.call("GET", "/console/jobs")).body.jobs as { status: string }[];
    await until(async () => (await jobs())[0]?.status === "failed", 30_000);
    expect(await jobs()).toMatchObject([
      { fileId, customerId: acme.customerId, datasetId: "own", name: "broken.pdf", error: { code: "UNREADABLE_FILE" } },
    ]);
    await lectern.call("DELETE", `/v1/files/${fileId}`, { key: acme.key });
    expect(await jobs()).toEqual([]);
  });

  test("the last lines of the log are shown as they were written, without secrets", async () => {
    lectern.appliance.log.warn("A line for the console", { key: "lk_".padEnd(46, "x"), text: "lk_".padEnd(46, "y") });
    const written = lectern.logLines.at(-1)!.trimEnd();
    expect(written).toContain("A line for the console");
    // Work in the background may write others meanwhile.
    const { body } = await sessions.operator.call("GET", "/console/log?lines=20");
    expect(body.lines).toContain(written);
    expect(written).not.toContain("lk_");
    const { body: last } = await sessions.operator.call("GET", "/console/log?lines=1");
    expect(last.lines).toHaveLength(1);
  });
});

describe("/v1 by a session", () => {
  const search = (who: SignedIn, datasetId: string, headers: Record<string, string> = {}) =>
    who.call("POST", "/v1/search", { json: { datasetId, question: "When does it open?" }, headers });
  const named = (customerId: string) => ({ "x-console-customer": encodeURIComponent(customerId) });

  test("a customer searches its own", async () => {
    expect((await search(sessions.acme, "own")).text).toContain("harbour");
    expect((await search(sessions.acme, "secret")).text).not.toContain("vault");
  });

  test("a customer cannot act for another", async () => {
    const { status, text } = await search(sessions.acme, "secret", named(other.customerId));
    expect([status, text.includes("vault")]).toEqual([403, false]);
  });

  test("the operator acts for whom it names, and for nobody else", async () => {
    expect((await search(sessions.operator, "secret", named(other.customerId))).text).toContain("vault");
    expect((await search(sessions.operator, "secret", named(acme.customerId))).text).not.toContain("vault");
    for (const headers of [{}, named("nobody"), { "x-console-customer": "%E0%A4%A" }])
      expect((await search(sessions.operator, "secret", headers)).status).toBe(400);
  });

  test("a name of any letters is understood", async () => {
    const customerId = "Škoda & søn/東京";
    lectern.appliance.access.createCustomer(customerId, null);
    expect((await sessions.operator.call("GET", "/v1/datasets", { headers: named(customerId) })).status).toBe(200);
  });

  test("it costs what it costs by a key", async () => {
    const before = lectern.appliance.access.balance(acme.customerId)!;
    await search(sessions.acme, "own");
    expect(lectern.appliance.access.balance(acme.customerId)).toBe(before - 100);
  });

  test("a reading key's session only reads", async () => {
    const form = new FormData();
    form.append("datasetId", "own");
    form.append("file", new File(["More."], "more.txt"));
    expect((await sessions.reader.call("POST", "/v1/files/upload", { body: form })).status).toBe(403);
    expect((await sessions.reader.call("DELETE", "/v1/files")).status).toBe(403);
    expect((await search(sessions.reader, "own")).status).toBe(200);
  });

  test("the cookie alone is no credential, and a key beside it counts", async () => {
    const json = { datasetId: "secret", question: "opens?" };
    const fresh = lectern.appliance.access.createApiKey(other.customerId, null).apiKey;
    const { cookie, csrf } = sessions.acme;
    expect((await lectern.call("POST", "/v1/search", { json, headers: { cookie } })).status).toBe(401);
    const headers = { cookie, "x-console-csrf": csrf };
    expect((await lectern.call("POST", "/v1/search", { json, headers, key: fresh })).text).toContain("vault");
  });
});

test("every address of the console but its pages and signing in is asked above", () => {
  const config = loadConfig({ flags: { "data-dir": lectern.directory }, environment: {} });
  const served = createApps(new Service(lectern.appliance, config))
    .known.routes.filter(({ method, path }) => path.startsWith("/console/") && method !== "OPTIONS")
    .map(({ method, path }) => `${method} ${path}`);
  const isAsked = (route: string): boolean => {
    const pattern = new RegExp(`^${route.replaceAll(/:\w+/g, "[^/?]+")}(\\?|$)`);
    return rows.some(({ ask }) => pattern.test(ask));
  };
  expect(served.filter((route) => !isAsked(route)).sort()).toEqual([
    "DELETE /console/session",
    "GET /console/assets/:name",
    "GET /console/session",
    "POST /console/session",
  ]);
});

test("where the console is switched off there is nothing of it, and sessions end", async () => {
  const { call } = sessions.acme;
  await lectern.restart({ console: "off" });
  expect((await call("GET", "/console/session")).status).toBe(404);
  expect((await call("GET", "/v1/datasets")).status).toBe(401);
});
