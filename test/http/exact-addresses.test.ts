/**
 * A request does what the address says that the client sent, and nothing else: no dots, empty segments or backslashes in it lead from
 * one route to another. Spoken over a bare socket, since `fetch` resolves dots before it sends anything.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { checkNewDatasetId } from "../../src/operations/dataset-choice.ts";
import { startLectern, uploadForm, type TestCustomer, type TestServer } from "../harness.ts";

let lectern: TestServer;
let customer: TestCustomer;
let fileIds: string[];

beforeAll(async () => {
  lectern = await startLectern({ "rate-upload": "1m", "rate-retrieval": "1m", "rate-token": "1m" });
  customer = lectern.customer();
  fileIds = [];
  for (const datasetId of ["files", "d"])
    fileIds.push(
      ...(await lectern.upload(customer.key, datasetId, { "a.txt": "One text.", "b.txt": "Another text." })),
    );
});
afterAll(() => lectern.stop());
beforeEach(() => expect(storedIds()).toEqual(fileIds));

const storedIds = () => fileIds.filter((fileId) => lectern.appliance.store.fileById(fileId) !== null);

/** Status and body of the answer to a request whose target is sent exactly as it is written here. */
async function send(
  method: string,
  target: string,
  key = customer.key,
  body = "",
): Promise<{ status: number; body: string }> {
  const ended = Promise.withResolvers<void>();
  let answer = "";
  const { hostname, port } = new URL(lectern.url);
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_socket, data) => void (answer += data.toString()),
      close: () => ended.resolve(),
      error: () => ended.resolve(),
    },
  });
  socket.write(
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nx-service-key: ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await ended.promise;
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), body: rest.join("\r\n\r\n") };
}

const METHODS = ["GET", "HEAD", "DELETE", "POST", "PUT", "PATCH"] as const;
const ROUTES = [
  "/v1/files",
  "/v1/files/ID",
  "/v1/files/ID/content",
  "/v1/files/upload",
  "/v1/datasets/d/files",
  "/v1/search",
  "/v1/query",
  "/v1/tokens/create",
  "/healthz",
  "/readyz",
  "/metrics",
  "/openapi",
  "/openapi/json",
];
const DOTS = [".", "..", "%2e", "%2E%2e", ".%2e"];

/** Addresses that come out as one of the routes, or near one, once dots are resolved and backslashes taken for slashes. */
const crooked = fc
  .record({
    route: fc.constantFrom(...ROUTES),
    at: fc.nat(8),
    turn: fc.constantFrom(
      ...[
        "/",
        "//",
        "/./",
        "/%2e/",
        "/x/../",
        "/x/%2E%2e/",
        "/..",
        "/.",
        "/../..",
        "\\",
        "/x\\..\\",
        "/x/..;/../",
        "#",
        "/%2e%2e",
      ],
    ),
  })
  .map(({ route, at, turn }) => {
    const segments = route.replace("ID", fileIds[0]!).split("/");
    const place = 1 + (at % segments.length);
    const [before, after] = [segments.slice(0, place).join("/"), segments.slice(place).join("/")];
    return `${before}${turn}${after}`;
  })
  .filter((target) => !ROUTES.includes(target.replace(fileIds[0]!, "ID")));

test.each([
  "/v1/files/",
  "/v1/files/.",
  "/v1/files/%2e",
  "/v1/files/x/..",
  "/v1/files/x/%2e%2E",
  "/v1/files/./",
  "/v1/files//",
  "/v1//files",
  "/v1/./files",
  "/v1/datasets/../files",
  "/v1/datasets/%2e%2e/files",
  "/v1/datasets/./files",
  "/v1/datasets//files",
  "/v1/datasets/d/files/",
  "/v1/datasets/d/x/../files",
  "/v1/datasets/x\\..\\d/files",
  "/v1\\files",
  "/v1/x\\..\\files",
  "/v1/files#",
  "/v1/files/\\..",
  "/v1/datasets/\\..\\../files",
])("DELETE %s deletes nothing", async (target) => {
  expect((await send("DELETE", target)).status).toBe(404);
  expect(storedIds()).toEqual(fileIds);
});

test("no crooked address leads to a route, whatever the method", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...METHODS), crooked, async (method, target) => {
      // A link that begins with dots is one of its own, not valid, and there only for GET.
      expect(target.startsWith("/") ? [403, 404, 405] : [400]).toContain((await send(method, target)).status);
      expect(storedIds()).toEqual(fileIds);
    }),
    { numRuns: 500 },
  );
});

test.each(
  METHODS.flatMap((method) =>
    DOTS.flatMap(
      (dots) =>
        [
          [method, `/v1/files/${dots}`],
          [method, `/v1/files/x/${dots}`],
          [method, `/v1/datasets/${dots}/files`],
        ] as const,
    ),
  ),
)("%s %s", async (method, target) => {
  expect((await send(method, target)).status).toBe(404);
});

test("the routes themselves are reached, with a query and in absolute form too", async () => {
  for (const target of [
    "/v1/files?datasetId=d",
    "http://elsewhere.example/v1/files?datasetId=d",
    `/v1/files/${fileIds[0]}`,
    `/v1/files/${fileIds[0]}?x=/../`,
  ]) {
    expect((await send("GET", target)).status).toBe(200);
  }
  const { key } = lectern.customer();
  await lectern.upload(key, "d", { "a.txt": "A text to delete." });
  expect(JSON.parse((await send("DELETE", "/v1/files", key)).body).files).toHaveLength(1);
});

test("a dataset of any name is reached by its encoded name, and by no other; or it cannot be made", async () => {
  const name = fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom(".", "/", "\\", "%", "2e", "?", "#", " ", "+", ";", ":", "é", "😀", "files"),
      minLength: 1,
      maxLength: 5,
    }),
  );
  const { key } = lectern.customer();
  await lectern.upload(key, "kept", { "kept.txt": "A text that stays." });
  await fc.assert(
    fc.asyncProperty(name, async (datasetId) => {
      fc.pre(datasetId !== "kept");
      const token = await lectern.call("POST", "/v1/tokens/create", { key, json: { datasetId } });
      const upload = await lectern.call("POST", "/v1/files/upload", {
        key,
        body: uploadForm({ datasetId }, { "a.txt": "A text." }),
      });
      expect(upload.status).toBe(token.status);
      if (upload.status === 200) {
        const target = `/v1/datasets/${encodeURIComponent(datasetId)}/files`;
        // The address survives what every client does to it before it is sent.
        expect(new URL(target, "http://localhost").pathname).toBe(target);
        const { status, body } = await send("DELETE", target, key);
        expect([status, JSON.parse(body).files.map((file: { fileId: string }) => file.fileId)]).toEqual([
          200,
          upload.body.files.map((file: { fileId: string }) => file.fileId),
        ]);
      } else {
        expect(upload.body.error).toBeOneOf(["INVALID_REQUEST", "datasetId must be between 1 and 100 characters"]);
        expect(() => checkNewDatasetId(datasetId)).toThrow();
      }
      expect((await lectern.call("GET", "/v1/files?datasetId=kept", { key })).body.files).toHaveLength(1);
    }),
    {
      numRuns: 150,
      examples: [
        ["."],
        [".."],
        ["..."],
        ["%2e%2e"],
        ["a/../b"],
        ["../files"],
        ["/"],
        ["\\"],
        [" "],
        ["%"],
        ["日本 😀"],
      ],
    },
  );
});
