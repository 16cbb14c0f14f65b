/** Uploads with async=true: accepted, read in the background, watched, deleted, failed, and gone on with after a restart. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { check, startLectern, until, uploadForm, type Reply, type Rule, type TestServer } from "../harness.ts";

const QUEUE = 8;
const FLAGS = { "background-files": "1", "background-queue": String(QUEUE) };
let lectern: TestServer;
let customerId: string;
let key: string;
let gate: Gate;

/** Stands in front of the reader, which says that 40 % of a file are recognised before it waits. */
class Gate {
  private readonly opening = Promise.withResolvers<void>();
  readonly begun: string[] = [];

  constructor({ appliance }: TestServer) {
    const { extractor } = appliance.models.chosen;
    const extract = Object.getPrototypeOf(extractor).extract.bind(extractor) as typeof extractor.extract;
    extractor.extract = async (request, take, signal, onProgress) => {
      this.begun.push(request.originalName);
      onProgress?.(0.4);
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      await Promise.race([this.opening.promise, aborted]);
      return extract(request, take, signal, onProgress);
    };
  }

  open(): void {
    this.opening.resolve();
  }
}

beforeAll(async () => {
  lectern = await startLectern(FLAGS);
});
afterAll(() => lectern.stop());
beforeEach(() => {
  ({ customerId, key } = lectern.customer(50));
  gate = new Gate(lectern);
});

/** What is left, but for what searches took. */
const credits = (): number => Math.ceil(lectern.appliance.access.balance(customerId)! / 1000);
const send = (files: Record<string, string>, fields: Record<string, string> = {}, query = "?async=true") =>
  lectern.call("POST", `/v1/files/upload${query}`, { key, body: uploadForm({ datasetId: "d", ...fields }, files) });
const fileOf = ({ body }: Reply) => body.files[0];
const details = (fileId: string) => lectern.call("GET", `/v1/files/${fileId}`, { key });
const remove = (path: string) => lectern.call("DELETE", path, { key });
const listed = async (query = ""): Promise<any[]> =>
  (await lectern.call("GET", `/v1/files?datasetId=d${query}`, { key })).body.files;
const texts = async (question: string): Promise<string[]> =>
  (await lectern.search(key, "d", question)).body.data.map(({ pageContent }: { pageContent: string }) => pageContent);
const isUnread = (fileId: string): boolean => {
  const job = lectern.appliance.store.uploadJob(fileId);
  return job !== null && job.errorCode === null;
};
const isRead = (fileId: string) => until(() => !isUnread(fileId), 30_000);
const isIdle = () =>
  until(() => lectern.appliance.uploadJobs.running + lectern.appliance.uploadJobs.waiting === 0, 30_000);
const bytesOf = (filePath: string): boolean => existsSync(join(lectern.directory, filePath));

describe("an upload with async=true", () => {
  test.each([
    ["as a query parameter", {}, "?async=true"],
    ["as a field of the form", { async: "true" }, ""],
    ["as a parameter, which wins over the form", { async: "false" }, "?async=true"],
  ])("%s is answered before its file is read, and the file is found when it is ready", async (_, fields, query) => {
    const accepted = await send({ "lamp.txt": "The lamp is lit at dusk." }, fields, query);
    expect(accepted.status).toBe(202);
    expect(accepted.body).toMatchObject({
      success: true,
      message: "Accepted 1 file, to be read in the background.",
      files: [
        { originalName: "lamp.txt", datasetId: "d", status: "processing", progress: expect.any(Number), size: 24 },
      ],
    });
    const { fileId, filePath, created } = fileOf(accepted);
    await until(() => gate.begun.length === 1, 10_000);
    expect(credits()).toBe(49);
    const shown = fileOf(await details(fileId));
    expect(shown).toMatchObject({ fileId, status: "processing", progress: 0.4, extension: "txt", created });
    expect(await listed()).toMatchObject([{ fileId, status: "processing" }]);
    expect(await texts("the lamp")).toEqual([]);
    expect(await (await fetch(shown.permanentUrl)).text()).toBe("The lamp is lit at dusk.");
    gate.open();
    await isRead(fileId);
    expect(fileOf(await details(fileId))).toMatchObject({
      fileId,
      filePath,
      created,
      status: "ready",
      loaderId: "text",
    });
    expect(fileOf(await details(fileId)).progress).toBeUndefined();
    expect(await listed()).toHaveLength(1);
    expect(await texts("the lamp")).toEqual(["The lamp is lit at dusk."]);
    expect(credits()).toBe(49);
    expect(lectern.appliance.access.pendingCharges()).toEqual([]);
  });

  test("async=false is an ordinary upload", async () => {
    gate.open();
    const answered = await send({ "a.txt": "The well is deep." }, {}, "?async=false");
    expect([answered.status, fileOf(answered).status]).toEqual([200, "ready"]);
    expect(await texts("the well")).toEqual(["The well is deep."]);
  });

  const long = "x".repeat(101);
  const rules: (Omit<Rule, "call"> & { readonly fields?: Record<string, string>; readonly query?: string })[] = [
    {
      rule: "another value of the parameter",
      query: "?async=yes",
      status: 400,
      holds: ["async must be true or false"],
    },
    { rule: "another value of the field", query: "", fields: { async: "1" }, status: 400, holds: ["async must be"] },
    {
      rule: "a field that is mistyped",
      query: "",
      fields: { Async: "true" },
      status: 400,
      holds: ["did you mean async"],
    },
    { rule: "no dataset", fields: { datasetId: "" }, status: 400, body: { error: "datasetId is required" } },
    { rule: "a dataset's name too long", fields: { datasetId: long }, status: 400, holds: ["between 1 and 100"] },
    { rule: "a language that is none", fields: { language: "english" }, status: 400, holds: ["BCP 47"] },
    { rule: "chunks too small", fields: { chunkSize: "1" }, status: 400, holds: ["INVALID_CHUNKING"] },
    { rule: "metadata that is none", fields: { extraMeta: "[]" }, status: 400, holds: ["INVALID_METADATA"] },
  ];
  test.each(rules)("with $rule is refused at once, and nothing is kept or paid", async ({ fields, query, ...rule }) => {
    const reply = await send({ "a.txt": "A text." }, fields, query);
    check(reply, { call: {}, ...rule });
    expect(await listed()).toEqual([]);
    expect(credits()).toBe(50);
  });

  test("that the balance does not pay is refused, all of it", async () => {
    ({ customerId, key } = lectern.customer(1));
    const reply = await send({ "a.txt": "One.", "b.txt": "Two." });
    expect([reply.status, reply.body.error]).toEqual([402, "INSUFFICIENT_CREDITS"]);
    expect(await listed()).toEqual([]);
    expect(credits()).toBe(1);
  });

  test("counts its files against the window, and is refused where too many wait", async () => {
    const accepted = await send({ "1.txt": "1", "2.txt": "2", "3.txt": "3", "4.txt": "4" });
    expect(accepted.headers.get("x-ratelimit-remaining")).toBe("96");
    const refused = await send({ "5.txt": "5", "6.txt": "6", "7.txt": "7" });
    expect([refused.status, refused.body.error, Number(refused.headers.get("retry-after"))]).toEqual([503, "BUSY", 30]);
    expect(credits()).toBe(46);
    // Who has none yet finds the room that is kept.
    const other = lectern.customer();
    const body = uploadForm({ datasetId: "d" }, { "5.txt": "five" });
    expect((await lectern.call("POST", "/v1/files/upload?async=true", { key: other.key, body })).status).toBe(202);
    gate.open();
    await isIdle();
  });

  test("of several files: each is ready, or fails, by itself", async () => {
    gate.open();
    const { body } = await send({ "good.txt": "The bridge holds.", "bad.pdf": "%PDF-1.7 broken", "empty.txt": "" });
    await isIdle();
    const states = Object.fromEntries((await listed()).map(({ originalName, status }) => [originalName, status]));
    expect(states).toEqual({ "good.txt": "ready", "bad.pdf": "failed", "empty.txt": "failed" });
    expect(body.files).toHaveLength(3);
    expect(credits()).toBe(49);
  });

  test("customers take turns, whoever came first", async () => {
    await send({ "a1.txt": "one", "a2.txt": "two", "a3.txt": "three" });
    const other = lectern.customer();
    const body = uploadForm({ datasetId: "d" }, { "b1.txt": "four" });
    await lectern.call("POST", "/v1/files/upload?async=true", { key: other.key, body });
    gate.open();
    await isIdle();
    expect(gate.begun).toEqual(["a1.txt", "b1.txt", "a2.txt", "a3.txt"]);
  });
});

describe("a file that cannot be read", () => {
  test("says why until it is deleted; its charge is given back, its bytes are gone", async () => {
    gate.open();
    const { fileId, filePath } = fileOf(await send({ "bad.pdf": "%PDF-1.7 broken" }));
    await isRead(fileId);
    await isIdle();
    const reply = await details(fileId);
    check(reply, {
      rule: "",
      call: {},
      status: 200,
      holds: ['"status":"failed"', "UNREADABLE_FILE", "bad.pdf"],
      lacks: ["permanentUrl"],
    });
    expect(fileOf(reply).error).toEqual({
      code: "UNREADABLE_FILE",
      message: expect.stringContaining("cannot be read"),
    });
    expect(credits()).toBe(50);
    expect(bytesOf(filePath)).toBe(false);
    await lectern.restart();
    expect(await listed()).toMatchObject([{ fileId, status: "failed" }]);
    const removed = await remove(`/v1/files/${fileId}`);
    expect([removed.status, fileOf(removed).fileId]).toEqual([200, fileId]);
    expect((await details(fileId)).status).toBe(404);
    expect(await listed()).toEqual([]);
  });
});

describe("a deletion", () => {
  test("of a file that is being read ends that, and it is paid", async () => {
    const { fileId, filePath } = fileOf(await send({ "a.txt": "The gate is shut." }));
    await until(() => gate.begun.length === 1, 10_000);
    const removed = await remove(`/v1/files/${fileId}`);
    expect([removed.status, fileOf(removed).status]).toEqual([200, "processing"]);
    expect((await details(fileId)).status).toBe(404);
    expect([credits(), bytesOf(filePath), lectern.appliance.uploadJobs.running]).toEqual([49, false, 0]);
  });

  test("of a file that waits gives its charge back, and the next one is read", async () => {
    const [first, second, third] = (await send({ "a.txt": "one", "b.txt": "two", "c.txt": "three" })).body.files;
    await until(() => gate.begun.length === 1, 10_000);
    expect((await remove(`/v1/files/${second.fileId}`)).status).toBe(200);
    expect(credits()).toBe(48);
    gate.open();
    await isRead(first.fileId);
    await isRead(third.fileId);
    expect((await listed()).map(({ originalName }) => originalName)).toEqual(["c.txt", "a.txt"]);
  });

  test.each(["/v1/datasets/d/files", "/v1/files"])("by DELETE %s takes them with the other files", async (path) => {
    gate.open();
    await lectern.upload(key, "d", { "ready.txt": "ready" });
    gate = new Gate(lectern);
    await send({ "a.txt": "one", "b.txt": "two" });
    const removed = await remove(path);
    expect(removed.body.files.map(({ originalName }: any) => originalName).sort()).toEqual([
      "a.txt",
      "b.txt",
      "ready.txt",
    ]);
    expect(await listed()).toEqual([]);
  });

  test("of the files of a dataset that has no other ones finds the dataset", async () => {
    await send({ "a.txt": "one" }, { datasetId: "new" });
    expect((await remove("/v1/datasets/new/files")).status).toBe(200);
    expect((await remove("/v1/datasets/never/files")).status).toBe(404);
  });

  test("by an external id takes one that is still to be read, too", async () => {
    await send({ "a.txt": "one" }, { externalId: "x" });
    expect((await remove("/v1/datasets/d/files?externalId=x")).body.files).toHaveLength(1);
    expect((await remove("/v1/datasets/d/files?externalId=x")).status).toBe(404);
  });

  test("of a customer ends what is read for it", async () => {
    const { fileId } = fileOf(await send({ "a.txt": "one" }));
    lectern.appliance.access.removeCustomer(customerId);
    await until(() => lectern.appliance.store.uploadJob(fileId) === null, 10_000);
    await until(() => !lectern.appliance.access.removedCustomers().includes(customerId), 10_000);
  });
});

describe("who may see it", () => {
  test("nobody else, and no token of another dataset", async () => {
    const { fileId } = fileOf(await send({ "a.txt": "one" }));
    const token = (await lectern.call("POST", "/v1/tokens/create", { key, json: { datasetId: "other" } })).body.token;
    for (const method of ["GET", "DELETE"]) {
      const reply = await lectern.call(method, `/v1/files/${fileId}`, { key: lectern.customer().key });
      expect([reply.status, reply.body.error]).toEqual([404, "FILE_NOT_FOUND"]);
      const mismatch = await lectern.call(method, `/v1/files/${fileId}`, { key: token });
      expect([mismatch.status, mismatch.body.error]).toEqual([403, "DATASET_MISMATCH"]);
    }
    expect((await lectern.call("GET", "/v1/files?datasetId=d", { key: lectern.customer().key })).body.files).toEqual(
      [],
    );
    await remove(`/v1/files/${fileId}`);
  });
});

describe("an external id", () => {
  const replace = (text: string, query?: string) => send({ "gate.txt": text }, { externalId: "gate" }, query);

  test("keeps its former file until the new one is ready", async () => {
    gate.open();
    await replace("The gate is green.", "");
    gate = new Gate(lectern);
    const { fileId } = fileOf(await replace("The gate is blue."));
    await until(() => gate.begun.length === 1, 10_000);
    expect(await texts("the gate")).toEqual(["The gate is green."]);
    expect((await listed()).map(({ status }) => status)).toEqual(["processing", "ready"]);
    gate.open();
    await isRead(fileId);
    expect(await texts("the gate")).toEqual(["The gate is blue."]);
    expect(await listed()).toMatchObject([{ fileId, externalId: "gate", status: "ready" }]);
  });

  test("keeps it where the new one cannot be read, whose record goes with the next", async () => {
    gate.open();
    await replace("The gate is green.", "");
    const { fileId } = fileOf(await send({ "gate.pdf": "%PDF-1.7 broken" }, { externalId: "gate" }));
    await isRead(fileId);
    expect((await listed()).map(({ status }) => status)).toEqual(["failed", "ready"]);
    await replace("The gate is red.");
    await isIdle();
    expect((await listed()).map(({ status }) => status)).toEqual(["ready"]);
    expect(await texts("the gate")).toEqual(["The gate is red."]);
  });

  test("unchanged: nothing is done, and nothing paid", async () => {
    gate.open();
    await replace("The gate is green.", "");
    const { status, body } = await replace("The gate is green.");
    expect([status, body.message]).toEqual([202, "Accepted 0 files, to be read in the background; 1 file unchanged."]);
    expect(body.files).toMatchObject([{ unchanged: true, status: "ready" }]);
    expect(credits()).toBe(49);
  });

  test("goes by the order in which the files came", async () => {
    await replace("The gate is green.");
    await replace("The gate is blue.");
    gate.open();
    await isIdle();
    expect(await texts("the gate")).toEqual(["The gate is blue."]);
    expect(await listed()).toHaveLength(1);
  });

  test("is not taken back by a file that came before and was read later", async () => {
    const { fileId } = fileOf(await replace("The gate is green."));
    await until(() => gate.begun.length === 1, 10_000);
    const held = gate;
    gate = new Gate(lectern);
    gate.open();
    expect((await replace("The gate is blue.", "")).status).toBe(200);
    held.open();
    await isRead(fileId);
    await isIdle();
    expect(await texts("the gate")).toEqual(["The gate is blue."]);
    expect(await listed()).toHaveLength(1);
  });
});

test("a listing in pages shows each file once, those to be read first", async () => {
  gate.open();
  await lectern.upload(key, "d", { "1.txt": "one" });
  await lectern.upload(key, "d", { "2.txt": "two" });
  gate = new Gate(lectern);
  await send({ "3.txt": "three", "4.txt": "four", "5.txt": "five" });
  for (const limit of [1, 2, 3, 4, 5, 9]) {
    const names: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body } = await lectern.call("GET", `/v1/files?datasetId=d&limit=${limit}&cursor=${cursor}`, { key });
      expect(body.files.length).toBeLessThanOrEqual(limit);
      names.push(...body.files.map(({ originalName }: any) => originalName));
      cursor = body.nextCursor;
    }
    expect(names).toEqual(["5.txt", "4.txt", "3.txt", "2.txt", "1.txt"]);
  }
  expect((await listed("&name=4.txt")).map(({ originalName }) => originalName)).toEqual(["4.txt"]);
  gate.open();
  await isIdle();
});

describe("a restart", () => {
  test("goes on with what was accepted, charged once, and leaves nothing over", async () => {
    const files = (await send({ "a.txt": "The oak is old.", "b.txt": "The elm is young." })).body.files;
    await until(() => gate.begun.length === 1, 10_000);
    await lectern.restart();
    await isIdle();
    expect((await listed()).map(({ status }) => status)).toEqual(["ready", "ready"]);
    expect((await listed()).map(({ fileId }) => fileId).sort()).toEqual(files.map(({ fileId }: any) => fileId).sort());
    expect((await texts("the oak"))[0]).toBe("The oak is old.");
    expect(credits()).toBe(48);
    expect(readdirSync(join(lectern.directory, "staging"))).toEqual([]);
  });
});

test("the metrics tell how many wait, are read and failed", async () => {
  gate.open();
  await send({ "bad.pdf": "%PDF-1.7 broken" });
  await isIdle();
  gate = new Gate(lectern);
  await send({ "a.txt": "one", "b.txt": "two", "c.txt": "three" });
  const { text } = await lectern.call("GET", "/metrics");
  for (const line of ["waiting 2", "running 1"]) expect(text).toContain(`\nlectern_background_files_${line}\n`);
  expect(text).toMatch(/\nlectern_background_files_failed [1-9]/);
  gate.open();
  await isIdle();
});
