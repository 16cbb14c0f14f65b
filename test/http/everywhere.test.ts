/** What holds for every route: cross-origin access, request ids, unknown routes, health, metrics, and the document of the interface. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createApps } from "../../src/http/app.ts";
import { startServer } from "../../src/http/server.ts";
import { Service } from "../../src/http/service.ts";
import { loadConfig } from "../../src/options/config.ts";
import { startLectern, type TestServer } from "../harness.ts";

let lectern: TestServer;

beforeAll(async () => {
  lectern = await startLectern();
});
afterAll(() => lectern.stop());

describe("cross-origin access", () => {
  test.each(["/v1/search", "/v1/files/upload", "/v1/files/abc", "/v1/tokens/create", "/nowhere"])(
    "a preflight for %s needs no credential",
    async (path) => {
      const { status, headers } = await lectern.call("OPTIONS", path, {
        headers: { origin: "https://app.example", "access-control-request-method": "POST" },
      });
      expect(status).toBe(204);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-methods")).toBe("GET, POST, DELETE, OPTIONS");
      expect(headers.get("access-control-allow-headers")).toBe("Authorization, Content-Type, x-service-key");
    },
  );

  test("answers and errors alike allow every origin and expose the rate headers", async () => {
    const { key } = lectern.customer();
    const replies = [
      await lectern.search(key, "d", "q"),
      await lectern.call("POST", "/v1/search", { json: {} }),
      await lectern.call("POST", "/v1/search", { key, json: {} }),
      await lectern.call("GET", "/nowhere"),
      await lectern.call("GET", "/v1/files/x/content"),
      await lectern.call("POST", "/v1/search", { key, body: "x".repeat(2 * 1024 ** 2) }),
      await lectern.call("POST", "/v1/query", { key, json: { datasetId: "d", question: "q", stream: true } }),
    ];
    for (const { headers } of replies) {
      expect(headers.get("access-control-allow-origin")).toBe("*");
      for (const name of [
        "X-RateLimit-Limit",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset",
        "Retry-After",
        "X-Ignored-Fields",
      ])
        expect(headers.get("access-control-expose-headers")).toContain(name);
    }
  });
});

describe("request ids", () => {
  const idOf = async (given?: string) =>
    (
      await lectern.call("GET", "/healthz", given === undefined ? {} : { headers: { "x-request-id": given } })
    ).headers.get("x-request-id");
  test("the caller's, when it can be written", async () => {
    expect(await idOf("trace-42/a=b")).toBe("trace-42/a=b");
  });
  test.each([undefined, "", "has spaces in it", "x".repeat(129), "<script>", "ümlaut"])(
    "ours for %p",
    async (given) => {
      expect(await idOf(given)).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

describe("unknown routes and wrong methods", () => {
  test.each([
    ["GET", "/v1"],
    ["GET", "/v2/files"],
    ["PUT", "/v1/file"],
    ["DELETE", "/v1/datasets/x"],
    ["GET", "/v1/files/a/b"],
    ["GET", "/..%2f..%2fetc/passwd"],
    ["GET", "/%E0%A4%A"],
    ["POST", "/v1/files/"],
  ])("%s %s is nowhere", async (method, path) => {
    const reply = await lectern.call(method, path);
    expect(reply).toMatchObject({ status: 404, body: { error: "NOT_FOUND", message: expect.any(String) } });
  });

  test.each([
    ["GET", "/v1/search", "POST, OPTIONS"],
    ["GET", "/v1/files/upload", "POST, OPTIONS"],
    ["DELETE", "/v1/files/upload", "POST, OPTIONS"],
    ["PUT", "/v1/files", "GET, HEAD, DELETE, OPTIONS"],
    ["POST", "/v1/files?datasetId=d", "GET, HEAD, DELETE, OPTIONS"],
    ["PATCH", "/v1/files/x", "GET, HEAD, DELETE, OPTIONS"],
    ["GET", "/v1/datasets/x/files", "DELETE, OPTIONS"],
    ["HEAD", "/v1/tokens/create", "POST, OPTIONS"],
    ["POST", "/healthz", "GET, HEAD, OPTIONS"],
  ])("%s %s: there is such a route, but for other methods", async (method, path, allowed) => {
    const { status, headers, body } = await lectern.call(method, path);
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe(allowed);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    if (method !== "HEAD")
      expect(body).toEqual({
        error: "METHOD_NOT_ALLOWED",
        message: `This address does not take ${method}, but ${allowed}.`,
      });
  });

  test.each(["/healthz", "/readyz", "/metrics", "/openapi", "/openapi/json"])(
    "HEAD %s is GET without a body",
    async (path) => {
      const { status, text } = await lectern.call("HEAD", path);
      expect([status, text]).toEqual([200, ""]);
    },
  );

  test("HEAD needs the credential that GET does", async () => {
    const { key } = lectern.customer();
    expect((await lectern.call("HEAD", "/v1/files?datasetId=d")).status).toBe(401);
    expect((await lectern.call("HEAD", "/v1/files?datasetId=d", { key })).status).toBe(200);
  });

  test("a host name of one letter reaches its route", async () => {
    const answer = Promise.withResolvers<string>();
    const { hostname, port } = new URL(lectern.url);
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: { data: (_socket, data) => answer.resolve(data.toString()) },
    });
    socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await answer.promise).toStartWith("HTTP/1.1 200");
    socket.end();
  });
});

test("healthz, readyz", async () => {
  expect(await lectern.call("GET", "/healthz")).toMatchObject({ status: 200, body: { status: "alive" } });
  expect(await lectern.call("GET", "/readyz")).toMatchObject({ status: 200, body: { status: "ready" } });
});

test("readyz says 503 while indexes are still being brought into memory, and searches are answered", async () => {
  const config = loadConfig({ flags: { port: "0", "data-dir": lectern.directory }, environment: {} });
  const service = new Service(lectern.appliance, config);
  const server = startServer(service, config);
  const ready = () => fetch(`${server.url}/readyz`);
  service.isWarmingUp = true;
  const refused = await ready();
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ error: "WARMING_UP", retryAfter: 1 });
  service.isWarmingUp = false;
  expect((await ready()).status).toBe(200);
  await server.stop(1);
});

test("metrics count requests, times and what is stored", async () => {
  const { key } = lectern.customer();
  await lectern.upload(key, "d", { "a.txt": "A text to be counted." });
  await lectern.search(key, "d", "text");
  const { status, headers, text } = await lectern.call("GET", "/metrics");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
  expect(text).toMatch(/^lectern_http_requests_total\{route="POST \/v1\/search",status="200"\} [1-9]/m);
  expect(text).toMatch(/^lectern_http_request_duration_seconds_bucket\{route="POST \/v1\/search",le="\+Inf"\} [1-9]/m);
  expect(text).toMatch(/^lectern_chunks [1-9]/m);
  expect(text).toMatch(/^lectern_index_vectors [1-9]/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d{7,}$/m);
  for (const line of text.trim().split("\n"))
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[\d.e+-]+)$/);
  expect(text).not.toContain(key);
});

describe("the document of the interface", () => {
  test("names every route, and only those", async () => {
    const { body } = await lectern.call("GET", "/openapi/json");
    const documented = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const config = loadConfig({ flags: { "data-dir": lectern.directory }, environment: {} });
    const served = createApps(new Service(lectern.appliance, config)).known.routes.map(
      ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`,
    );
    // Pages, what they load, and what the console alone asks for are no interface.
    const isOfPage = (route: string) => /^OPTIONS |^[A-Z]+ (\/|\/console\/.*|\/openapi\/viewer\/.*)$/.test(route);
    expect(documented.sort()).toEqual(served.filter((route) => !isOfPage(route)).sort());
  });

  test("every reference in it leads somewhere", async () => {
    const { body, text } = await lectern.call("GET", "/openapi/json");
    expect(body.openapi).toBe("3.1.0");
    // None is there for nothing either.
    for (const kind of ["schemas", "responses", "examples", "headers"]) {
      const referred = new Set(
        [...text.matchAll(new RegExp(`#/components/${kind}/(\\w+)`, "g"))].map(([, name]) => name!),
      );
      expect([...referred].sort()).toEqual(Object.keys(body.components[kind]).sort());
    }
  });
});
