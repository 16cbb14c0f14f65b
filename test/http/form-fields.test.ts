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
