/** Backups that are made in the console: made, listed and verified beside searches, and never anywhere else than where the server was told. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lectern as command } from "../../cli/lectern.ts";
import { startLectern, until, type TestServer } from "../../harness.ts";
import { signInOperator, type SignedIn } from "./console.ts";

const PATIENCE = 60_000;
let folder: string;
let backups: string;
let lectern: TestServer;
let operator: SignedIn;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lectern-backups-"));
  backups = join(folder, "backups");
  lectern = await startLectern({ "backup-dir": backups });
  await lectern.upload(lectern.customer().key, "d", { "note.txt": "A note that is worth keeping." });
  operator = await signInOperator(lectern);
});
afterAll(async () => {
  await lectern.stop();
  rmSync(folder, { recursive: true });
});

const state = async () => (await operator.call("GET", "/console/backups")).body;
const make = () => operator.call("POST", "/console/backups", { json: {} });
const verify = (name: string) => operator.call("POST", `/console/backups/${encodeURIComponent(name)}/verify`);
const made = () => until(async () => (await state()).running === null, PATIENCE);

test("where the folder is missing it is said, and nothing is made", async () => {
  for (const reply of [await operator.call("GET", "/console/backups"), await make()]) {
    expect([reply.status, reply.body.error]).toEqual([409, "REFUSED"]);
    expect(reply.body.message).toContain(`${backups} is no folder`);
  }
  mkdirSync(backups);
  await Bun.sleep(2_100);
  expect(await state()).toEqual({ directory: backups, backups: [], running: null, failure: null });
});

test("one is made at a time, is listed, is whole, and is noted", async () => {
  const begun = await make();
  expect(begun.status).toBe(202);
  expect((await make()).body).toMatchObject({ error: "REFUSED", message: expect.stringContaining("already") });
  expect((await state()).running.name).toBe(begun.body.name);
  await made();
  expect((await state()).backups).toEqual([
    { name: begun.body.name, kind: "folder", created: expect.any(String), bytes: expect.any(Number) },
  ]);
  expect((await verify(begun.body.name)).body).toEqual({ sound: true, message: expect.stringContaining("is whole") });
  const noted = readFileSync(join(lectern.directory, "audit.log"), "utf8");
  for (const action of ["console.backup", "backup.create"]) expect(noted).toContain(`"action":"${action}"`);
});

test("the next one takes from the last what has not changed", async () => {
  await Bun.sleep(1_100);
  await make();
  await made();
  const names = readdirSync(backups);
  expect(names).toHaveLength(2);
  expect(lectern.logLines.join("")).toContain(`since=${names.sort()[0]}`);
});

test("a damaged one is told, and so is a name that is none", async () => {
  const [name] = readdirSync(backups).sort();
  const parts = join(backups, name!, "parts");
  const [part] = readdirSync(parts, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  writeFileSync(join(part!.parentPath, part!.name), "other bytes");
  expect((await verify(name!)).body).toMatchObject({ sound: false, message: expect.stringContaining("altered") });
  for (const other of ["nothing", "..", "../..", `${name}/parts`, lectern.directory, ""])
    expect((await verify(other)).status).toBe(404);
});

test("what was made is restored by the command line", async () => {
  await Bun.sleep(1_100);
  const whole = (await make()).body.name as string;
  await made();
  const restored = join(folder, "restored");
  expect(await command(["restore", join(backups, whole), "--data-dir", restored])).toMatchObject({ code: 0 });
  expect(existsSync(join(restored, "lectern.db"))).toBe(true);
});

test("one that fails says why, and one that a stopping server ends leaves nothing", async () => {
  await Bun.sleep(1_100);
  const inTheWay = Array.from({ length: 300 }, (_, second) =>
    join(
      backups,
      new Date(Date.now() + second * 1000)
        .toISOString()
        .replace(/\.\d+Z$/, "Z")
        .replaceAll(":", "-"),
    ),
  );
  for (const path of inTheWay) writeFileSync(path, "");
  await make();
  await made();
  expect((await state()).failure).toMatchObject({ message: expect.stringContaining("is there already") });
  for (const path of inTheWay) rmSync(path);
  const before = readdirSync(backups);
  await make();
  await lectern.stopServer();
  await until(() => Promise.resolve(readdirSync(backups).every((name) => before.includes(name))), PATIENCE);
});
