/** Bytes on disk: put into place whole, confirmed, taken away, set aside and put back. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  newFileId,
  openFileStorage,
  readDeletions,
  type FileStorage,
  type UploadRecord,
} from "../../src/files/index.ts";
import { failureOf } from "../harness.ts";

const HASH_OF_CONTENT = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73";
let directory: string;
let storage: FileStorage;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lectern-storage-"));
  storage = await openFileStorage(directory);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const recordOf = (fileId: string): UploadRecord => ({
  fileId,
  customerId: "acme",
  datasetId: "letters",
  originalName: "a.txt",
  mimeType: "text/plain",
  size: 7,
  sha256: HASH_OF_CONTENT,
  extraMeta: { year: 2026 },
  chunkSize: 300,
  chunkOverlap: 20,
  created: 1,
});

async function publishOne(confirmed = true): Promise<{ fileId: string; path: string }> {
  const staging = await storage.openStaging();
  const path = join(staging, "0");
  await writeFile(path, "content");
  const fileId = newFileId();
  const [storagePath] = await storage.publish([{ path, record: recordOf(fileId) }]);
  if (confirmed) await storage.confirm([fileId]);
  return { fileId, path: storage.resolve(storagePath!) };
}

test("a published file lies under its id once it is confirmed, its record beside it, and its staged copy is gone", async () => {
  const { fileId, path } = await publishOne(false);
  expect(path).toMatch(new RegExp(`/files/${fileId.slice(-2)}/${fileId}$`));
  expect(existsSync(path)).toBe(false);
  await storage.confirm([fileId]);
  expect(await readFile(path, "utf8")).toBe("content");
  expect(JSON.parse(await readFile(`${path}.json`, "utf8"))).toEqual(recordOf(fileId));
  await storage.unlink([fileId]);
  expect([path, `${path}.json`].map(existsSync)).toEqual([false, false]);
  await storage.unlink([fileId]);
});

test("what cannot be removed is told when everything else is", async () => {
  const files = await Promise.all(Array.from({ length: 100 }, () => publishOne()));
  const shelf = dirname(files[0]!.path);
  const stuck = new Set(files.filter(({ path }) => dirname(path) === shelf));
  await rename(shelf, `${shelf}.aside`);
  await writeFile(shelf, "No folder.");
  try {
    const fileIds = files.map(({ fileId }) => fileId);
    expect(await failureOf(storage.unlink(fileIds))).toMatchObject({ code: "ENOTDIR" });
    expect(files.filter((file) => !stuck.has(file) && existsSync(file.path))).toEqual([]);
  } finally {
    await rm(shelf);
    await rename(`${shelf}.aside`, shelf);
  }
  await storage.unlink([...stuck].map(({ fileId }) => fileId));
});

test("a survey tells stored files, unconfirmed ones and records apart, and knows nothing of what is no file's", async () => {
  const [stored, unconfirmed] = [await publishOne(), await publishOne(false)];
  await writeFile(join(directory, "files/00/not-an-id"), "left by somebody else");
  expect(await storage.survey()).toEqual({
    stored: new Set([stored.fileId]),
    unconfirmed: new Set([unconfirmed.fileId]),
    recorded: new Set([stored.fileId, unconfirmed.fileId]),
  });
});

test("what is set aside keeps its record, and can be put back or discarded", async () => {
  const [stored, unconfirmed] = [await publishOne(), await publishOne(false)];
  await storage.setAside([stored.fileId, unconfirmed.fileId]);
  expect((await storage.survey()).stored.size).toBe(0);
  expect(statSync(join(directory, "lost+found")).mode & 0o777).toBe(0o700);
  expect((await storage.listSetAside()).map(({ fileId, record }) => [fileId, record?.originalName])).toEqual(
    [stored, unconfirmed].map(({ fileId }) => [fileId, "a.txt"]),
  );
  await storage.putBack([stored.fileId]);
  expect(await readFile(stored.path, "utf8")).toBe("content");
  await storage.discardSetAside([unconfirmed.fileId]);
  expect(await storage.countSetAside()).toBe(0);
});

test.each([
  ["no record", null],
  ["a record cut short", '{"fileId": "'],
  ["another file's record", JSON.stringify(recordOf("01900000-0000-7000-8000-000000000007"))],
  ["a record without a hash", "{}"],
  ["no object", "null"],
] as [string, string | null][])("%s is none", async (_name, text) => {
  const { fileId } = await publishOne();
  await storage.setAside([fileId]);
  const path = join(directory, "lost+found", `${fileId}.json`);
  await (text === null ? rm(path) : writeFile(path, text));
  expect(await storage.listSetAside()).toMatchObject([{ fileId, record: null }]);
});

test("deletions are listed, also behind a line that a crash cut short", async () => {
  const [first, second] = [newFileId(), newFileId()];
  await storage.noteDeletions([first]);
  await writeFile(join(directory, "files/deletions"), "\n2026-01-01T00:00:00.000Z 0190", { flag: "a" });
  await storage.noteDeletions([second]);
  expect(await storage.deletions()).toEqual(new Set([first, second]));
  expect(await readDeletions(directory)).toEqual(new Set([first, second]));
});

test("a long list of deletions keeps its newer half", async () => {
  const ids = Array.from({ length: 130_001 }, newFileId);
  await storage.noteDeletions(ids);
  await storage.deletions();
  const left = await readDeletions(directory);
  expect([left.size, left.has(ids.at(-1)!), left.has(ids[0]!)]).toEqual([65_001, true, false]);
});

test("folders are this user's alone", () => {
  for (const folder of ["files", "files/00", "files/ff", "staging"])
    expect(statSync(join(directory, folder)).mode & 0o777).toBe(0o700);
});

test("a local file is copied, not taken", async () => {
  const source = join(directory, "my notes.txt");
  await writeFile(source, "content");
  const staged = await storage.stage(await storage.openStaging(), source);
  expect(staged).toMatchObject({
    originalName: "my notes.txt",
    size: 7,
    sha256: HASH_OF_CONTENT,
    declaredMimeType: null,
  });
  expect(await readFile(source, "utf8")).toBe("content");
});

test("the staging folder is emptied at start", async () => {
  const staging = await storage.openStaging();
  await writeFile(join(staging, "0"), "half a file");
  await storage.sweepStaging();
  expect(existsSync(staging)).toBe(false);
});

test("opening twice finds what is there", async () => {
  const { path } = await publishOne();
  await openFileStorage(directory);
  expect(await readFile(path, "utf8")).toBe("content");
});
