/** Fields of forms and JSON bodies, and parameters: one that is mistyped is told, any other that is unknown is ignored, and named. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startLectern, uploadForm, type TestServer } from "../harness.ts";

let lectern: TestServer;
beforeAll(async () => {
  lectern = await startLectern();
});
afterAll(() => lectern.stop());

const upload = (key: string, fields: Record<string, string>) =>
  lectern.call("POST", "/v1/files/upload", { key, body: uploadForm(fields, { "a.txt": "The lamp is lit." }) });

test.each([
  ["chunksize", "chunkSize"],
  ["chunk_size", "chunkSize"],
  ["chunk-overlap", "chunkOverlap"],
  ["ChunkOverlap", "chunkOverlap"],
  ["chunkSizes", "chunkSize"],
  ["extrameta", "extraMeta"],
  ["extraMata", "extraMeta"],
  ["datasetid", "datasetId"],
  ["Language", "language"],
  ["ocrlanguages", "ocrLanguages"],
  ["ocr_languages", "ocrLanguages"],
])("%s is refused, and nothing is kept or paid", async (name, meant) => {
  const { key, customerId } = lectern.customer(5);
  const { status, body } = await upload(key, { datasetId: "d", [name]: "100" });
  expect([status, body.error]).toEqual([400, "INVALID_REQUEST"]);
  expect(body.message).toContain(`there is no field "${name}"; did you mean ${meant}?`);
  expect(lectern.appliance.access.balance(customerId)).toBe(5000);
  expect((await lectern.call("GET", "/v1/files?datasetId=d", { key })).body.files).toEqual([]);
});

test("a required field that is only mistyped is missing", async () => {
  const { key } = lectern.customer();
  const { status, body } = await upload(key, { datasetid: "d" });
  expect([status, body]).toEqual([400, { error: "datasetId is required" }]);
});

test.each(["note", "size", "chunk", "meta", "dataset", "submit", "csrfToken", "chunkSizeInWords", ""])(
  "%p is nothing of ours, and ignored",
  async (name) => {
    const { key } = lectern.customer();
    expect((await upload(key, { datasetId: "d", [name]: "1" })).status).toBe(200);
  },
);

test.each([
  [{ language: "en_US" }, 'language must be a BCP 47 tag such as "en" or "pt-BR", not "en_US".'],
  [{ language: "de-DE-DE" }, 'not "de-DE-DE".'],
  [{ ocrLanguages: "de,../eng" }, '"../eng" is neither.'],
  [{ ocrLanguages: '{"a":1}' }, "is neither."],
  [{ ocrLanguages: "[1]" }, "a JSON array of strings."],
  [{ ocrLanguages: '["de"' }, "a JSON array of strings."],
])("%p is refused: %s", async (fields, sentence) => {
  const { key } = lectern.customer();
  const { status, body } = await upload(key, { datasetId: "d", ...fields });
  expect([status, body.error]).toEqual([400, "INVALID_REQUEST"]);
  expect(body.message).toContain(sentence);
});

test("the languages of a file are kept with it, and are part of what an upload says of it", async () => {
  const { key } = lectern.customer();
  const fields = { datasetId: "d", externalId: "a", language: "PT-br", ocrLanguages: "por, eng,por" };
  const first = (await upload(key, fields)).body.files[0];
  expect(first.language).toBe("pt-BR");
  expect((await upload(key, { ...fields, ocrLanguages: '["por","eng"]' })).body.files[0].unchanged).toBe(true);
  expect((await upload(key, { ...fields, ocrLanguages: "por" })).body.files[0].unchanged).toBeUndefined();
  const { unchanged, fileId, language } = (await upload(key, { ...fields, language: "" })).body.files[0];
  expect([unchanged, language]).toEqual([undefined, undefined]);
  const present = lectern.appliance.store.fileById(fileId)!;
  expect(present).toMatchObject({ language: null, ocrLanguages: '["por","eng"]' });
  expect(await Bun.file(`${lectern.directory}/${present.storagePath}.json`).json()).toMatchObject({
    language: null,
    ocrLanguages: ["por", "eng"],
  });
});

describe("JSON bodies and parameters", () => {
  const asked = { datasetId: "d", question: "Is the lamp lit?" };
  const post = (path: string, json: unknown) => (key: string) => lectern.call("POST", path, { key, json });
  const ask = (method: string, path: string) => (key: string) => lectern.call(method, path, { key });

  test.each([
    ["filter", "filters", post("/v1/search", { ...asked, filter: [] })],
    ["min_score", "minScore", post("/v1/search", { ...asked, min_score: 0.5 })],
    ["Limit", "limit", post("/v1/query", { ...asked, Limit: 3 })],
    ["Stream", "stream", post("/v1/query", { ...asked, Stream: true })],
    ["ttlseconds", "ttlSeconds", post("/v1/tokens/create", { datasetId: "d", ttlseconds: 60 })],
    ["Scope", "scope", post("/v1/tokens/create", { datasetId: "d", Scope: "read" })],
    ["externalid", "externalId", ask("DELETE", "/v1/datasets/d/files?externalid=a")],
    ["dataset_id", "datasetId", ask("DELETE", "/v1/files?dataset_id=d")],
    ["Name", "name", ask("GET", "/v1/files?datasetId=d&Name=a.txt")],
    ["LIMIT", "limit", ask("GET", "/v1/datasets?LIMIT=1")],
    ["Format", "format", ask("GET", "/v1/files/none/subtitles?Format=vtt")],
    ["From", "from", ask("GET", "/v1/files/none/passages?From=3")],
    ["Dataset", "dataset", post("/mcp?Dataset=d", { jsonrpc: "2.0", id: 1, method: "tools/list" })],
    ["Async", "async", ask("POST", "/v1/files/upload?Async=true")],
  ])("%s is refused: %s was meant, and nothing is done or paid", async (name, meant, send) => {
    const { key, customerId } = lectern.customer(5);
    await upload(key, { datasetId: "d" });
    const { status, body } = await send(key);
    expect([status, body.error]).toEqual([400, "INVALID_REQUEST"]);
    expect(body.message).toContain(`there is no field "${name}"; did you mean ${meant}?`);
    expect(lectern.appliance.access.balance(customerId)).toBe(4000);
    expect((await lectern.call("GET", "/v1/files?datasetId=d", { key })).body.files).toHaveLength(1);
  });

  test.each([
    ["top_k, namespace", post("/v1/search", { ...asked, top_k: 3, namespace: "n" })],
    ["temperature", post("/v1/query", { ...asked, temperature: 0 })],
    ["model", post("/v1/query", { ...asked, stream: true, model: "m" })],
    ["user", post("/v1/tokens/create", { datasetId: "d", user: "u" })],
    ["_", ask("GET", "/v1/files?datasetId=d&_=123")],
    ["gr%C3%B6%C3%9Fe%0D%0Ax", post("/v1/search", { ...asked, "gr\u00f6\u00dfe\r\nx": 1 })],
    [
      "a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, ...",
      post("/v1/search", { ...asked, ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`a${at}`, 1])) }),
    ],
    [null, post("/v1/search", { ...asked, limit: 3 })],
  ])("X-Ignored-Fields: %s", async (names, send) => {
    const { key } = lectern.customer();
    const { status, headers } = await send(key);
    expect([status, headers.get("x-ignored-fields")]).toEqual([200, names]);
  });

  test("what is missing is told first, as it always was", async () => {
    const { key } = lectern.customer();
    for (const [path, json, error] of [
      ["/v1/search", { datasetid: "d", question: "q" }, "datasetId and question are required"],
      ["/v1/search", { datasetId: "d", Question: "q" }, "datasetId and question are required"],
      ["/v1/tokens/create", { datasetid: "d" }, "datasetId is required"],
    ] as const)
      expect((await post(path, json)(key)).body).toEqual({ error });
  });

  test("an upload names what it ignored", async () => {
    const { key } = lectern.customer();
    expect((await upload(key, { datasetId: "d", note: "1" })).headers.get("x-ignored-fields")).toBe("note");
  });
});
