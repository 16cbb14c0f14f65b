/** Fields of an upload form: one that is mistyped is told, any other that is unknown is ignored. */
import { afterAll, beforeAll, expect, test } from "bun:test";
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
