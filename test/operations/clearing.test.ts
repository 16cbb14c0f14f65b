/** Deleting many files at once: nothing finds them when it is answered, and what is left of them goes in the background, whatever happens. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finishCustomerRemovals } from "../../src/operations/recover.ts";
import { removeFilesOfDataset } from "../../src/operations/remove.ts";
import { indexId } from "../../src/store/index.ts";
import { failureOf, startLectern, until, type TestCustomer, type TestServer } from "../harness.ts";
import { remainsOf, storeMany } from "./many-files.ts";

let lectern: TestServer;
let customer: TestCustomer;

beforeEach(async () => {
  lectern = await startLectern();
  customer = lectern.customer();
});
afterEach(() => lectern.stop());

const NOTHING = { files: 0, chunks: 0, vectors: 0, tokens: 0, attributes: 0, discarded: 0, onDisk: 0 };
const remains = () => remainsOf(lectern.directory);
const fill = (datasetName: string, files: number, chunksPerFile?: number) =>
  storeMany(lectern, {
    customerId: customer.customerId,
    datasetName,
    files,
    ...(chunksPerFile !== undefined && { chunksPerFile }),
  });
const remove = (path: string) => lectern.call("DELETE", path, { key: customer.key });
const listed = async (datasetId: string): Promise<string[]> =>
  (await lectern.call("GET", `/v1/files?datasetId=${datasetId}`, { key: customer.key })).body.files.map(
    ({ fileId }: { fileId: string }) => fileId,
  );
const idsIn = (body: { files: { fileId: string }[] }): string[] => body.files.map(({ fileId }) => fileId);
const cleared = () => until(() => lectern.appliance.store.discardedDatasets().length === 0, 60_000);

describe("deleting thousands of files of a dataset", () => {
  test("is answered with all of them while most is still to be cleared; uploads go on meanwhile, and stay", async () => {
    const files = await fill("d", 3000);
    // All say the same, which is one result.
    expect((await lectern.search(customer.key, "d", "text")).body.data).toHaveLength(1);
    const { fileId } = files.at(-1)!;
    const [shown] = (await lectern.call("GET", `/v1/files/${fileId}`, { key: customer.key })).body.files;
    const { status, body } = await remove("/v1/datasets/d/files");
    expect([status, body.message]).toEqual([200, "Deleted 3000 files."]);
    expect(idsIn(body)).toEqual(files.map(({ fileId }) => fileId).reverse());
    expect(remains().files).toBeGreaterThan(1500);

    expect(await listed("d")).toEqual([]);
    expect((await lectern.search(customer.key, "d", "text")).body.data).toEqual([]);
    for (const path of [`/v1/files/${fileId}`, shown.permanentUrl.replace(lectern.url, "")])
      expect((await lectern.call("GET", path, { key: customer.key })).status).toBe(404);
    expect(lectern.appliance.store.statistics()).toEqual({ datasets: 1, files: 0, chunks: 0 });

    const uploaded = await lectern.upload(customer.key, "d", { "new.txt": "A new text about ships." });
    expect(remains().files).toBeGreaterThan(uploaded.length);
    const found = (await lectern.search(customer.key, "d", "text")).body.data;
    expect(found.map(({ metadata }: { metadata: { fileId: string } }) => metadata.fileId)).toEqual(uploaded);

    await cleared();
    expect(remains()).toEqual({ ...NOTHING, files: 1, chunks: 1, vectors: 1, tokens: 1, onDisk: 2 });
    expect(await listed("d")).toEqual(uploaded);
    expect((await lectern.search(customer.key, "d", "text")).body.data).toEqual(found);
  });

  test("is seen by a search that began before, and so is what was uploaded since", async () => {
    await fill("d", 200);
    const { search } = lectern.appliance.models.chosen;
    const find = search.find.bind(search);
    let uploaded: string[] = [];
    search.find = async (request) => {
      search.find = find;
      const found = await find(request);
      await remove("/v1/datasets/d/files");
      uploaded = await lectern.upload(customer.key, "d", { "new.txt": "A new text about ships." });
      return found;
    };
    const { data } = (await lectern.search(customer.key, "d", "text")).body;
    expect(data.map(({ metadata }: { metadata: { fileId: string } }) => metadata.fileId)).toEqual(uploaded);
    expect(uploaded).toHaveLength(1);
    await cleared();
  });

  test("goes on after a stop in the middle", async () => {
    await fill("d", 2000);
    await remove("/v1/datasets/d/files");
    await lectern.stopServer();
    expect(remains().files).toBeGreaterThan(0);
    await lectern.restart();
    expect(await listed("d")).toEqual([]);
    await cleared();
    expect(remains()).toEqual(NOTHING);
    expect(lectern.logLines.join("")).not.toMatch(/error|warn/i);
  });

  test("is finished by the next start where it ended before the files were noted as deleted", async () => {
    const files = await fill("d", 300);
    await lectern.appliance.store.discardDatasets(customer.customerId, "d");
    await lectern.restart();
    await cleared();
    expect(remains()).toEqual(NOTHING);
    const noted = await lectern.appliance.storage.deletions();
    expect(files.filter(({ fileId }) => !noted.has(fileId))).toEqual([]);
  });

  test("is finished in the background where the files could not be noted as deleted", async () => {
    const files = await fill("d", 300);
    const { appliance } = lectern;
    const storage = { ...appliance.storage, noteDeletions: () => Promise.reject(new Error("The disk is broken.")) };
    const failure = await failureOf(removeFilesOfDataset({ ...appliance, storage }, customer.customerId, "d"));
    expect(failure.message).toBe("The disk is broken.");
    expect(await listed("d")).toEqual([]);
    await cleared();
    expect(remains()).toEqual(NOTHING);
    const noted = await appliance.storage.deletions();
    expect(files.filter(({ fileId }) => !noted.has(fileId))).toEqual([]);
  });

  test("keeps what is left to do of files whose bytes cannot be removed, says so, and clears the others", async () => {
    const files = await fill("d", 300);
    const shelf = files[17]!.fileId.slice(-2);
    const stuck = files.filter(({ fileId }) => fileId.endsWith(shelf)).length;
    const [folder, aside] = [join(lectern.directory, "files", shelf), join(lectern.directory, "files", "aside")];
    renameSync(folder, aside);
    writeFileSync(folder, "No folder.");
    await remove("/v1/datasets/d/files");
    const said = () => lectern.logLines.filter((line) => line.includes("bytes of deleted files could not be removed"));
    await until(() => said().length > 0, 30_000);
    expect(remains()).toEqual({
      files: stuck,
      chunks: stuck,
      vectors: stuck,
      tokens: stuck,
      attributes: stuck,
      discarded: 1,
      onDisk: 2 * stuck,
    });
    expect(await listed("d")).toEqual([]);
    await lectern.stopServer();
    rmSync(folder);
    renameSync(aside, folder);
    await lectern.restart();
    await cleared();
    expect(remains()).toEqual(NOTHING);
    expect(said()).toHaveLength(1);
  });

  test("stays done when an older database is put back", async () => {
    const files = await fill("d", 200);
    const [kept] = await lectern.upload(customer.key, "e", { "kept.txt": "A text that stays." });
    await lectern.stopServer();
    const [path, backup] = [join(lectern.directory, "lectern.db"), join(lectern.directory, "backup")];
    copyFileSync(path, backup);
    await lectern.restart();
    await remove("/v1/datasets/d/files");
    await cleared();
    await lectern.stopServer();
    for (const ending of ["-wal", "-shm"]) rmSync(`${path}${ending}`, { force: true });
    copyFileSync(backup, path);
    await lectern.restart();
    expect(await listed("d")).toEqual([]);
    expect(await listed("e")).toEqual([kept!]);
    await cleared();
    expect(remains()).toMatchObject({ files: 1, onDisk: 2 });
    expect(files).toHaveLength(200);
  });

  test("leaves no ghost in an index that was saved before", async () => {
    await fill("d", 150, 60);
    await lectern.search(customer.key, "d", "text");
    const { id, generation } = lectern.appliance.store.dataset(customer.customerId, "d")!;
    const folders = (): string[] =>
      readdirSync(join(lectern.directory, "indexes"), { recursive: true })
        .map(String)
        .filter((name) => name.split("/").includes(String(indexId(id, generation))));
    await until(() => existsSync(join(lectern.directory, "indexes")) && folders().length > 1, 30_000);
    await lectern.restart();
    await remove("/v1/datasets/d/files");
    const uploaded = await lectern.upload(customer.key, "d", { "new.txt": "A new text about ships." });
    await lectern.restart();
    const found = (await lectern.search(customer.key, "d", "text")).body.data;
    expect(found.map(({ metadata }: { metadata: { fileId: string } }) => metadata.fileId)).toEqual(uploaded);
    expect(folders().length).toBeLessThanOrEqual(1);
    await cleared();
  });
});

test("deleting all files of a customer with several datasets answers with all, newest first, and spares others'", async () => {
  const other = lectern.customer();
  const kept = await lectern.upload(other.key, "d", { "kept.txt": "A text that stays." });
  const files = [...(await fill("d", 150)), ...(await fill("e", 150)), ...(await fill("d", 1))];
  const { body } = await remove("/v1/files");
  expect(idsIn(body)).toEqual(files.map(({ fileId }) => fileId).reverse());
  expect([await listed("d"), await listed("e")]).toEqual([[], []]);
  await cleared();
  expect(remains()).toMatchObject({ files: 1, onDisk: 2 });
  expect(
    (await lectern.call("GET", "/v1/files?datasetId=d", { key: other.key })).body.files.map(
      ({ fileId }: { fileId: string }) => fileId,
    ),
  ).toEqual(kept);
});

test("a customer with thousands of files who is removed leaves nothing", async () => {
  await fill("d", 2000);
  const { access, store } = lectern.appliance;
  access.removeCustomer(customer.customerId);
  await finishCustomerRemovals(lectern.appliance);
  expect([store.dataset(customer.customerId, "d"), access.removedCustomers()]).toEqual([null, []]);
  expect(remains().files).toBeGreaterThan(0);
  await cleared();
  expect(remains()).toEqual(NOTHING);
});

test("a few files, and one however long, are off the disk when it is answered", async () => {
  await fill("d", 99);
  const [long] = await fill("e", 1, 2000);
  await remove(`/v1/files/${long!.fileId}`);
  expect(existsSync(join(lectern.directory, long!.storagePath))).toBe(false);
  expect(await listed("e")).toEqual([]);
  await remove("/v1/datasets/d/files");
  expect(remains().onDisk).toBe(0);
  await cleared();
  expect(remains()).toEqual(NOTHING);
});
