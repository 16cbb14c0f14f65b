/** Bytes on disk: put into place whole, taken away, and swept after a crash. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newFileId, openFileStorage, type FileStorage } from "../../src/operations/file-storage.ts";

let directory: string;
let storage: FileStorage;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lectern-storage-"));
  storage = await openFileStorage(directory);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function publishOne(content: string, fileId = newFileId()): Promise<{ fileId: string; storagePath: string }> {
  const staging = await storage.openStaging();
  const path = join(staging, "0");
  await writeFile(path, content);
  const [storagePath] = await storage.publish([{ path, fileId }]);
  return { fileId, storagePath: storagePath! };
}

test("a published file lies under its id, and its staged copy is gone", async () => {
  const { fileId, storagePath } = await publishOne("content");
  expect(storagePath).toMatch(new RegExp(`^files/[0-9a-f]{2}/${fileId}$`));
  expect(await readFile(storage.resolve(storagePath), "utf8")).toBe("content");
  await storage.unlink([storagePath]);
  expect(existsSync(storage.resolve(storagePath))).toBe(false);
  await storage.unlink([storagePath]);
});

test("folders are this user's alone", () => {
  for (const folder of ["files", "files/00", "files/ff", "staging"]) expect(statSync(join(directory, folder)).mode & 0o777).toBe(0o700);
});

test("a local file is copied, not taken", async () => {
  const source = join(directory, "my notes.txt");
  await writeFile(source, "notes");
  const staged = await storage.stage(await storage.openStaging(), source);
  expect(staged).toMatchObject({ originalName: "my notes.txt", size: 5, declaredMimeType: null });
  expect(await readFile(source, "utf8")).toBe("notes");
});

test("sweeping removes what nobody knows, but neither what is known nor what is newer than the start", async () => {
  const known = await publishOne("known");
  const orphan = await publishOne("orphan");
  await Bun.sleep(2);
  const startedAt = Date.now();
  const newer = await publishOne("newer");
  await writeFile(join(directory, "files/00/not-an-id"), "left by somebody else");
  expect(await storage.sweepUnknown((fileId) => fileId === known.fileId, startedAt)).toBe(1);
  expect([known, orphan, newer].map(({ storagePath }) => existsSync(storage.resolve(storagePath)))).toEqual([true, false, true]);
  expect(existsSync(join(directory, "files/00/not-an-id"))).toBe(true);
});

test("the staging folder is emptied at start", async () => {
  const staging = await storage.openStaging();
  await writeFile(join(staging, "0"), "half a file");
  await storage.sweepStaging();
  expect(existsSync(staging)).toBe(false);
});

test("opening twice finds what is there", async () => {
  const { storagePath } = await publishOne("content");
  const again = await openFileStorage(directory);
  expect(await readFile(again.resolve(storagePath), "utf8")).toBe("content");
});
