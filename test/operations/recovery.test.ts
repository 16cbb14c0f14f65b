/** What a start finds after a crash, and who may own a data directory. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openAppliance } from "../../src/appliance/index.ts";
import { loadConfig } from "../../src/options/config.ts";
import { newFileId } from "../../src/files/index.ts";
import { createLog } from "../../src/foundation/log.ts";
import { finishCustomerRemovals } from "../../src/operations/recover.ts";
import { failureOf, startLectern, type TestServer } from "../harness.ts";
import { filesOfCustomer } from "../store/samples.ts";

let lectern: TestServer;
const quiet = createLog({ level: "silent", format: "text", write: () => {} });

beforeAll(async () => {
  lectern = await startLectern();
});
afterAll(() => lectern.stop());

const configOf = (flags: Record<string, string> = {}) =>
  loadConfig({ flags: { "data-dir": lectern.directory, ...flags }, environment: {} });

test("a second owner is refused with a sentence that names the first", async () => {
  const refusal = await failureOf(openAppliance(configOf(), quiet));
  expect(refusal.message).toContain(`in use by the Lectern server at ${lectern.url} (process ${process.pid})`);
  expect((await lectern.call("GET", "/readyz")).status).toBe(200);
});

test("server.json tells this user alone where the server listens, while it does", async () => {
  const path = join(lectern.directory, "server.json");
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
    pid: process.pid,
    url: lectern.url,
    startedAt: expect.any(String),
    certificates: [],
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("charges of unfinished uploads are given back, those of finished ones kept, leftovers removed", async () => {
  const customer = lectern.customer(10);
  const { access, store } = lectern.appliance;
  const [fileId] = await lectern.upload(customer.key, "d", { "a.txt": "A text that stays." });
  const stored = store.fileById(fileId!)!;
  // As a process killed in the middle would leave them: a charge without files, a staged file, bytes put into place for nothing.
  access.charge(customer.customerId, 3000, "upload", { pendingId: crypto.randomUUID() });
  expect(access.balance(customer.customerId)).toBe(6000);
  mkdirSync(join(lectern.directory, "staging/upload-x"));
  writeFileSync(join(lectern.directory, "staging/upload-x/0"), "half a file");
  const orphan = join(lectern.directory, "files/07/01900000-0000-7000-8000-000000000007");
  writeFileSync(`${orphan}.new`, "of an upload that never ended");

  await lectern.restart();
  expect(lectern.appliance.access.balance(customer.customerId)).toBe(9000);
  expect(lectern.appliance.access.pendingCharges()).toEqual([]);
  expect(existsSync(join(lectern.directory, "staging/upload-x"))).toBe(false);
  expect(existsSync(`${orphan}.new`)).toBe(false);
  expect(existsSync(join(lectern.directory, "lost+found"))).toBe(false);
  expect(existsSync(join(lectern.directory, stored.storagePath))).toBe(true);
  expect((await lectern.search(customer.key, "d", "text")).body.data).toHaveLength(1);
});

describe("an upload that was stored but not answered", () => {
  /** As a process leaves it that is killed between the store's commit and the answer. */
  async function leaveUnanswered(
    key: string,
    customerId: string,
    fields: Record<string, string> = {},
  ): Promise<string> {
    const { access, store } = lectern.appliance;
    const [fileId] = await lectern.upload(key, "unanswered", { "b.txt": "A text that nobody was told of." }, fields);
    const stored = store.fileById(fileId!)!;
    const pendingId = crypto.randomUUID();
    access.charge(customerId, 1000, "upload", { pendingId });
    const database = new Database(join(lectern.directory, "lectern.db"));
    database.run("UPDATE files SET chargeId = ? WHERE id = ?", [pendingId, stored.id]);
    database.close();
    return fileId!;
  }

  test("is taken back, and its price with it, when only the process died", async () => {
    const { key, customerId } = lectern.customer(10);
    const fileId = await leaveUnanswered(key, customerId);
    await lectern.restart();
    expect((await lectern.call("GET", `/v1/files/${fileId}`, { key })).status).toBe(404);
    expect((await lectern.search(key, "unanswered", "text")).body.data).toEqual([]);
    expect(lectern.appliance.access.balance(customerId)).toBe(9000 - 100);
    expect(lectern.appliance.access.pendingCharges()).toEqual([]);
  });

  test("stays where it has taken the place of another file, which is gone", async () => {
    const { key, customerId } = lectern.customer(10);
    await lectern.upload(key, "unanswered", { "b.txt": "The former text." }, { externalId: "b" });
    const fileId = await leaveUnanswered(key, customerId, { externalId: "b" });
    await lectern.restart();
    expect((await lectern.call("GET", `/v1/files/${fileId}`, { key })).status).toBe(200);
    const found = (await lectern.search(key, "unanswered", "text")).body.data as { pageContent: string }[];
    expect(found.map(({ pageContent }) => pageContent)).toEqual(["A text that nobody was told of."]);
    expect(lectern.appliance.access.balance(customerId)).toBe(7000 - 100);
    expect(lectern.appliance.access.pendingCharges()).toEqual([]);
  });

  test("stays after a restart of the machine, where its answer may have been given", async () => {
    const { key, customerId } = lectern.customer(10);
    const fileId = await leaveUnanswered(key, customerId);
    writeFileSync(join(lectern.directory, "boot"), "another boot");
    await lectern.restart();
    expect((await lectern.call("GET", `/v1/files/${fileId}`, { key })).status).toBe(200);
    expect(lectern.appliance.access.balance(customerId)).toBe(8000);
    expect(lectern.appliance.access.pendingCharges()).toEqual([]);
  });
});

test("a file that an upload stores while its customer is removed is deleted like the others, and noted", async () => {
  const { customerId, key } = lectern.customer();
  const { appliance } = lectern;
  const [first] = await lectern.upload(key, "d", { "a.txt": "The first document." });
  const late = {
    ...appliance.store.fileById(first!)!,
    fileId: newFileId(),
    sha256: "0".repeat(64),
    extraMeta: null,
    ocrLanguages: [],
    properties: {},
    transcriptionSrt: null,
    chunks: ["late"],
    vectors: [new Float32Array(1536).fill(1 / Math.sqrt(1536))],
    terms: [Uint32Array.of(1)],
  };
  let isLate = true;
  const store = {
    ...appliance.store,
    async forgetCustomer(id: string) {
      if (isLate)
        await appliance.store.addFiles({
          customerId,
          datasetName: "d",
          modelId: appliance.models.chosen.embedder.modelId,
          chargeId: null,
          files: [late],
        });
      isLate = false;
      return appliance.store.forgetCustomer(id);
    },
  };
  appliance.access.removeCustomer(customerId);
  await finishCustomerRemovals({ ...appliance, store });
  expect(filesOfCustomer(appliance.store, customerId)).toEqual([]);
  const noted = await appliance.storage.deletions();
  expect([first!, late.fileId].map((fileId) => noted.has(fileId))).toEqual([true, true]);
});

describe("a customer who is removed while an upload is under way", () => {
  const modelId = () => lectern.appliance.models.chosen.embedder.modelId;
  const isBeingRemoved = (customerId: string): boolean =>
    lectern.appliance.access.removedCustomers().includes(customerId);

  /** Removes a customer with one document and an upload that is charged and has stored nothing yet. */
  async function removeAmidUpload() {
    const { customerId, key } = lectern.customer(10);
    const { access, store } = lectern.appliance;
    const [fileId] = await lectern.upload(key, "d", { "a.txt": "The first document." });
    const first = store.fileById(fileId!)!;
    const chargeId = crypto.randomUUID();
    access.charge(customerId, 1000, "upload", { pendingId: chargeId });
    access.removeCustomer(customerId);
    await finishCustomerRemovals(lectern.appliance);
    const late = {
      ...first,
      fileId: newFileId(),
      sha256: "0".repeat(64),
      extraMeta: null,
      ocrLanguages: [],
      properties: {},
      transcriptionSrt: null,
      chunks: ["late"],
      vectors: [new Float32Array(1536).fill(1 / Math.sqrt(1536))],
      terms: [Uint32Array.of(1)],
    };
    return {
      customerId,
      chargeId,
      storeLate: () => store.addFiles({ customerId, datasetName: "d", modelId: modelId(), chargeId, files: [late] }),
    };
  }

  test("loses the documents at once, and its last traces when the upload has ended", async () => {
    const { customerId, chargeId } = await removeAmidUpload();
    expect(filesOfCustomer(lectern.appliance.store, customerId)).toEqual([]);
    expect(isBeingRemoved(customerId)).toBe(true);
    lectern.appliance.access.settle(chargeId);
    await finishCustomerRemovals(lectern.appliance);
    expect([isBeingRemoved(customerId), lectern.appliance.store.dataset(customerId, "d")]).toEqual([false, null]);
  });

  test.each(["this boot", "another boot"])(
    "leaves nothing when the process is killed after the upload has stored its files: a start on %s",
    async (boot) => {
      const { customerId, storeLate } = await removeAmidUpload();
      await storeLate();
      if (boot !== "this boot") writeFileSync(join(lectern.directory, "boot"), boot);
      await lectern.restart();
      await finishCustomerRemovals(lectern.appliance);
      const { access, store } = lectern.appliance;
      expect([
        isBeingRemoved(customerId),
        access.pendingCharges(),
        filesOfCustomer(store, customerId),
        store.dataset(customerId, "d"),
      ]).toEqual([false, [], [], null]);
    },
  );
});

test("a start that fails closes again whatever it had opened: the directory can be taken and mended", async () => {
  expect((await failureOf(lectern.restart({ model: "nothing" }))).message).toContain(
    'There is no embedding model "nothing"',
  );
  const { openStore } = await import("../../src/store/index.ts");
  await (await openStore({ dataDirectory: lectern.directory })).close();
  await lectern.restart();
});
