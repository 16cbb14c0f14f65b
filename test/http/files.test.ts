/** Listing, details, download links and the three deletions. */
import { afterAll, beforeEach, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { startLectern, type TestCustomer, type TestServer } from "../harness.ts";

let lectern: TestServer;
let customer: TestCustomer;

beforeAll(async () => {
  lectern = await startLectern({ "rate-upload": "100000" });
});
afterAll(() => lectern.stop());
beforeEach(() => {
  customer = lectern.customer();
});

const get = (path: string, key = customer.key) => lectern.call("GET", path, { key });
const remove = (path: string, key = customer.key) => lectern.call("DELETE", path, { key });
const tokenFor = async (datasetId: string) =>
  (await lectern.call("POST", "/v1/tokens/create", { key: customer.key, json: { datasetId } })).body.token as string;
const bytesOf = (filePath: string) => existsSync(join(lectern.directory, filePath));

describe("listing", () => {
  test("newest first, in the envelope of file operations", async () => {
    for (const name of ["first.txt", "second.txt", "third.txt"])
      await lectern.upload(customer.key, "d", { [name]: `This is the text of ${name}.` });
    const { status, body } = await get("/v1/files?datasetId=d");
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, message: "Found 3 files." });
    expect(body.files.map((file: { originalName: string }) => file.originalName)).toEqual([
      "third.txt",
      "second.txt",
      "first.txt",
    ]);
    expect(body.files[0]).not.toHaveProperty("permanentUrl");
  });

  test("an unknown dataset has no files", async () => {
    expect(await get("/v1/files?datasetId=nowhere")).toMatchObject({ status: 200, body: { success: true, files: [] } });
  });

  test("needs a dataset, which a token brings", async () => {
    await lectern.upload(customer.key, "d", { "a.txt": "The text of a file." });
    const token = await tokenFor("d");
    expect(await get("/v1/files")).toMatchObject({ status: 400, body: { error: "datasetId is required" } });
    expect(await get("/v1/files?datasetId=")).toMatchObject({ status: 400, body: { error: "datasetId is required" } });
    expect((await get("/v1/files", token)).body.files).toHaveLength(1);
    expect(await get("/v1/files?datasetId=other", token)).toMatchObject({
      status: 403,
      body: { error: "DATASET_MISMATCH" },
    });
  });

  test("names with every kind of character find their dataset", async () => {
    const name = "Bücher & Co. 日本 %41+ ?#/";
    await lectern.upload(customer.key, name, { "a.txt": "The text of a file." });
    expect((await get(`/v1/files?datasetId=${encodeURIComponent(name)}`)).body.files).toHaveLength(1);
    expect((await remove(`/v1/datasets/${encodeURIComponent(name)}/files`)).body.files).toHaveLength(1);
  });
});

describe("details", () => {
  test("one file, with its download link; free", async () => {
    const poor = lectern.customer(1);
    const [fileId] = await lectern.upload(poor.key, "d", { "a.txt": "The text of a file." });
    const { status, body } = await get(`/v1/files/${fileId}`, poor.key);
    expect(status).toBe(200);
    expect(body.files[0]).toMatchObject({ fileId, originalName: "a.txt" });
    expect(body.files[0].permanentUrl).toStartWith(`${lectern.url}/v1/files/${fileId}/content?expires=`);
    expect((await get(`/v1/files/${fileId}`, poor.key)).body.files[0].permanentUrl).toBe(body.files[0].permanentUrl);
    const expires = Number(new URL(body.files[0].permanentUrl).searchParams.get("expires"));
    expect(expires - Date.now() / 1000).toBeGreaterThan(7 * 86_400 - 60);
    expect(lectern.appliance.access.balance(poor.customerId)).toBe(0);
  });

  test("no such file, and a token's neighbours", async () => {
    const [fileId] = await lectern.upload(customer.key, "other", { "a.txt": "The text of a file." });
    const token = await tokenFor("d");
    for (const call of [get, remove]) {
      expect(await call("/v1/files/01900000-0000-7000-8000-000000000000")).toMatchObject({
        status: 404,
        body: { error: "FILE_NOT_FOUND" },
      });
      expect(await call(`/v1/files/${fileId}`, token)).toMatchObject({
        status: 403,
        body: { error: "DATASET_MISMATCH" },
      });
      expect(await call(`/v1/files/${fileId}`, lectern.customer().key)).toMatchObject({
        status: 404,
        body: { error: "FILE_NOT_FOUND" },
      });
    }
  });

  test.each([
    "%E0%A4%A",
    "%00",
    "a%00b",
    "%2e%2e%2f%2e%2e%2fsecret",
    "__proto__",
    "%ED%A0%80",
    "' OR 1=1 --",
    "x".repeat(3000),
  ])("the id %.40p names no file", async (id) => {
    expect(await get(`/v1/files/${id}`)).toMatchObject({ status: 404, body: { error: "FILE_NOT_FOUND" } });
    expect(await remove(`/v1/files/${id}`)).toMatchObject({ status: 404, body: { error: "FILE_NOT_FOUND" } });
  });
});

describe("deleting", () => {
  test("one file: out of the listing, out of searches, off the disk", async () => {
    const [kept, gone] = await lectern.upload(customer.key, "d", {
      "kept.txt": "Apples grow on trees.",
      "gone.txt": "Pears grow on trees.",
    });
    const stored = lectern.appliance.store.fileById(gone!)!;
    expect(bytesOf(stored.storagePath)).toBe(true);
    expect(await remove(`/v1/files/${gone}`)).toMatchObject({
      status: 200,
      body: { success: true, message: "Deleted 1 file.", files: [{ fileId: gone, originalName: "gone.txt" }] },
    });
    expect(bytesOf(stored.storagePath)).toBe(false);
    expect((await get("/v1/files?datasetId=d")).body.files.map((file: { fileId: string }) => file.fileId)).toEqual([
      kept,
    ]);
    const found = await lectern.search(customer.key, "d", "What grows on trees?");
    expect(found.body.data.map((result: { metadata: { fileId: string } }) => result.metadata.fileId)).toEqual([kept]);
    expect((await remove(`/v1/files/${gone}`)).status).toBe(404);
  });

  test("a dataset's files; the dataset stays known, another never was", async () => {
    await lectern.upload(customer.key, "d", { "a.txt": "Some text here.", "b.txt": "Some more text." });
    await lectern.upload(customer.key, "e", { "c.txt": "Text of another dataset." });
    expect((await remove("/v1/datasets/d/files")).body).toMatchObject({ message: "Deleted 2 files." });
    expect((await remove("/v1/datasets/d/files")).body).toMatchObject({ success: true, files: [] });
    expect(await remove("/v1/datasets/never/files")).toMatchObject({
      status: 404,
      body: { error: "DATASET_NOT_FOUND" },
    });
    expect(await remove("/v1/datasets/%E0%A4%A/files")).toMatchObject({
      status: 404,
      body: { error: "DATASET_NOT_FOUND" },
    });
    expect((await get("/v1/files?datasetId=e")).body.files).toHaveLength(1);
  });

  test("a token deletes in its own dataset only", async () => {
    await lectern.upload(customer.key, "d", { "a.txt": "Some text here." });
    await lectern.upload(customer.key, "e", { "c.txt": "Text of another dataset." });
    const token = await tokenFor("d");
    expect(await remove("/v1/datasets/e/files", token)).toMatchObject({
      status: 403,
      body: { error: "DATASET_MISMATCH" },
    });
    expect(await remove("/v1/files?datasetId=e", token)).toMatchObject({
      status: 403,
      body: { error: "DATASET_MISMATCH" },
    });
    expect((await remove("/v1/files", token)).body.files).toHaveLength(1);
    expect((await get("/v1/files?datasetId=e")).body.files).toHaveLength(1);
    expect((await remove("/v1/files", await tokenFor("never-used"))).body.files).toEqual([]);
  });

  test("everything of the customer; naming a dataset there is refused before anything is lost", async () => {
    await lectern.upload(customer.key, "d", { "a.txt": "Some text here." });
    await lectern.upload(customer.key, "e", { "c.txt": "Text of another dataset." });
    expect((await remove("/v1/files?datasetId=d")).status).toBe(400);
    expect((await remove("/v1/files")).body).toMatchObject({ message: "Deleted 2 files." });
    expect((await remove("/v1/files")).body).toMatchObject({ message: "Deleted 0 files.", files: [] });
  });

  test("no search that ends after a deletion shows a deleted file", async () => {
    const ids = await lectern.upload(
      customer.key,
      "race",
      Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [`f${index}.txt`, `Note ${index} about ships and harbours.`]),
      ),
    );
    const deleted = new Set<string>();
    const deleting = (async () => {
      for (const id of ids.slice(0, 30)) {
        expect((await remove(`/v1/files/${id}`)).status).toBe(200);
        deleted.add(id);
      }
    })();
    let searches = 0;
    while (deleted.size < 30) {
      const deletedBefore = new Set(deleted);
      const { body } = await lectern.search(customer.key, "race", "ships");
      expect(body.data).toHaveLength(8);
      for (const result of body.data) expect(deletedBefore.has(result.metadata.fileId)).toBe(false);
      searches++;
    }
    await deleting;
    expect(searches).toBeGreaterThan(5);
    expect((await lectern.search(customer.key, "race", "ships")).body.data).toHaveLength(8);
  });
});
