/** A database that is lost, older than its documents, or without its log: no document is deleted, none comes back, and all can be indexed again. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Database } from "bun:sqlite";
import { openAppliance } from "../../src/appliance/index.ts";
import { loadConfig } from "../../src/options/config.ts";
import { createLog } from "../../src/foundation/log.ts";
import { adoptSetAside } from "../../src/operations/adopt.ts";
import { failureOf, startLectern, type TestCustomer, type TestServer } from "../harness.ts";

let lectern: TestServer;
let customer: TestCustomer;
const quiet = createLog({ level: "silent", format: "text", write: () => {} });

beforeEach(async () => {
  lectern = await startLectern();
  customer = lectern.customer();
});
afterEach(() => lectern.stop());

const at = (name: string): string => join(lectern.directory, name);
const configOf = () => loadConfig({ flags: { "data-dir": lectern.directory }, environment: {} });
const storedFiles = (): number =>
  readdirSync(at("files"), { recursive: true }).filter((name) => /[0-9a-f-]{36}$/.test(String(name))).length;
const setAside = (): string[] => (existsSync(at("lost+found")) ? readdirSync(at("lost+found")) : []);
const names = async (datasetId: string): Promise<string[]> =>
  (await lectern.call("GET", `/v1/files?datasetId=${datasetId}`, { key: customer.key })).body.files
    .map(({ originalName }: { originalName: string }) => originalName)
    .sort();

/** Stops the server, does something to its folder, and tells what a start says. */
async function afterDamage(damage: () => void): Promise<string> {
  await lectern.stopServer();
  damage();
  return (await failureOf(openAppliance(configOf(), quiet))).message;
}

/** Opens the folder as `doctor --adopt` does, and as `serve --accept-loss`. */
async function adopt(): Promise<(string | null)[]> {
  const appliance = await openAppliance(configOf(), quiet, { acceptLoss: true });
  try {
    return (await adoptSetAside(appliance, new AbortController().signal)).map(({ problem }) => problem);
  } finally {
    await appliance.close();
  }
}

function removeDatabase(): void {
  for (const name of ["lectern.db", "lectern.db-wal", "lectern.db-shm"]) rmSync(at(name), { force: true });
}

/** Copies the database of a stopped server. With its log: a closed one that this process has not let go of yet may have left rows there. */
function copyDatabase(): void {
  for (const suffix of ["", "-wal"])
    if (existsSync(at(`lectern.db${suffix}`))) copyFileSync(at(`lectern.db${suffix}`), at(`backup${suffix}`));
}

function putCopyBack(): void {
  removeDatabase();
  for (const suffix of ["", "-wal"])
    if (existsSync(at(`backup${suffix}`))) copyFileSync(at(`backup${suffix}`), at(`lectern.db${suffix}`));
}

describe("without lectern.db", () => {
  test("a start is refused with the ways out, as often as it is tried, and nothing is moved", async () => {
    await lectern.upload(customer.key, "d", { "a.txt": "The first document.", "b.txt": "The second document." });
    const message = await afterDamage(removeDatabase);
    for (const fragment of [
      "lectern.db is older than the documents beside it",
      "2 stored files are unknown",
      "--accept-loss",
      "doctor --adopt",
    ])
      expect(message).toContain(fragment);
    expect((await failureOf(openAppliance(configOf(), quiet))).message).toBe(message);
    expect([storedFiles(), setAside()]).toEqual([2, []]);
  });

  test("all is indexed again, under the same ids, names, times and metadata, and free", async () => {
    const metadata = { year: 2026, tags: ["x"] };
    const [fileId] = await lectern.upload(
      customer.key,
      "letters / 2026",
      { "Übung.txt": "Bicycles need oil." },
      { extraMeta: JSON.stringify(metadata), chunkSize: "50" },
    );
    await lectern.upload(customer.key, "d", { "b.txt": "Trains need rails." });
    const before = (await lectern.call("GET", `/v1/files/${fileId}`, { key: customer.key })).body.files[0];
    await lectern.stopServer();
    removeDatabase();
    expect(await adopt()).toEqual([null, null]);
    expect([storedFiles(), setAside()]).toEqual([2, []]);

    await lectern.restart();
    expect((await lectern.call("GET", `/v1/files/${fileId}`, { key: customer.key })).body.files[0]).toEqual({
      ...before,
      permanentUrl: expect.stringContaining("signature="),
    });
    expect(
      (
        await lectern.search(customer.key, "letters / 2026", "oil", {
          filters: [{ key: "year", match: { value: 2026 } }],
        })
      ).body.data[0].metadata.fileId,
    ).toBe(fileId);
    expect(await names("d")).toEqual(["b.txt"]);
    expect(
      lectern.appliance.access.usage(customer.customerId).find(({ operation }) => operation === "upload")?.count,
    ).toBe(2);
  });

  test("what cannot be indexed again stays set aside, and says why", async () => {
    const [damaged] = await lectern.upload(customer.key, "d", { "a.txt": "The first document." });
    const [nameless] = await lectern.upload(customer.key, "d", { "b.txt": "The second document." });
    const stranger = lectern.customer();
    await lectern.upload(stranger.key, "d", { "c.txt": "A stranger's document." });
    await lectern.stopServer();
    removeDatabase();
    writeFileSync(at(`files/${damaged!.slice(-2)}/${damaged}`), "Tho first document.");
    rmSync(at(`files/${nameless!.slice(-2)}/${nameless}.json`));
    const access = new Database(at("access.db"));
    access.run("DELETE FROM customers WHERE id = ?", [stranger.customerId]);
    access.close();
    expect(await adopt()).toEqual([
      expect.stringContaining("not those that were uploaded"),
      expect.stringContaining("no record"),
      expect.stringContaining("customer create"),
    ]);
    expect(setAside()).toHaveLength(5);
    await lectern.restart();
    expect(lectern.logLines.join("")).toContain("set aside in lost+found");
    expect((await lectern.call("GET", "/metrics")).text).toContain("lectern_files_set_aside 3\n");
  });
});

test("an older database: what came later is kept, what was deleted later stays deleted", async () => {
  const [gone] = await lectern.upload(customer.key, "d", { "old.txt": "An old document that goes." });
  await lectern.upload(customer.key, "d", { "stays.txt": "An old document that stays." });
  await lectern.stopServer();
  copyDatabase();
  await lectern.restart();
  await lectern.call("DELETE", `/v1/files/${gone}`, { key: customer.key });
  await lectern.upload(customer.key, "d", { "new.txt": "A document that came later." });

  expect(await afterDamage(putCopyBack)).toContain("1 stored file is unknown");
  expect(await adopt()).toEqual([null]);
  await lectern.restart();
  expect(await names("d")).toEqual(["new.txt", "stays.txt"]);
  expect(
    (await lectern.search(customer.key, "d", "document")).body.data
      .map(({ metadata }: any) => metadata.originalName)
      .sort(),
  ).toEqual(["new.txt", "stays.txt"]);
  expect(storedFiles()).toBe(2);
});

test("the right database put back finds the files that were set aside without it", async () => {
  await lectern.upload(customer.key, "d", { "a.txt": "The first document." });
  await lectern.stopServer();
  copyDatabase();
  removeDatabase();
  await (await openAppliance(configOf(), quiet, { acceptLoss: true })).close();
  expect([storedFiles(), setAside().length]).toEqual([0, 2]);
  putCopyBack();
  await lectern.restart();
  expect([await names("d"), storedFiles(), setAside()]).toEqual([["a.txt"], 1, []]);
});

describe("beside documents", () => {
  test.each(["access.db", "secret"])(
    "a start and commands are refused without %s; nothing new is made",
    async (name) => {
      await lectern.upload(customer.key, "d", { "a.txt": "A document." });
      const message = await afterDamage(() => rmSync(at(name)));
      for (const fragment of [at(name), "beside documents", "backup", "--accept-loss"])
        expect(message).toContain(fragment);
      expect(existsSync(at(name))).toBe(false);
      await (await openAppliance(configOf(), quiet, { acceptLoss: true })).close();
      expect(existsSync(at(name))).toBe(true);
    },
  );

  test("an interrupted refusal forgets nothing of a restart of the machine: what it may have answered stays", async () => {
    const [fileId] = await lectern.upload(customer.key, "d", { "a.txt": "A document." });
    const unconfirmed = at(`files/07/01900000-0000-7000-8000-000000000007.new`);
    await afterDamage(() => {
      writeFileSync(at("boot"), "another boot");
      writeFileSync(unconfirmed, "of an upload that may have been answered");
      removeDatabase();
    });
    expect(existsSync(unconfirmed)).toBe(true);
    await (await openAppliance(configOf(), quiet, { acceptLoss: true })).close();
    expect(setAside().sort()).toEqual(
      ["01900000-0000-7000-8000-000000000007", fileId, `${fileId}.json`].sort() as string[],
    );
  });
});

test("files of an older version get their hash and record when the server runs", async () => {
  const [fileId] = await lectern.upload(customer.key, "d", { "a.txt": "A document." });
  const record = at(`files/${fileId!.slice(-2)}/${fileId}.json`);
  const before = JSON.parse(await Bun.file(record).text());
  await lectern.stopServer();
  rmSync(record);
  const database = new Database(at("lectern.db"));
  database.run("UPDATE files SET sha256 = NULL");
  database.close();
  await lectern.restart();
  while (lectern.appliance.store.fileById(fileId!)!.sha256 === null) await Bun.sleep(10);
  expect(JSON.parse(await Bun.file(record).text())).toEqual(before);
});
