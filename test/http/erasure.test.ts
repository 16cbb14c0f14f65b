/** What is deleted is gone from the disk a moment later: from every file of the data directory, beside a running server and after a restart. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startLectern, until, uploadForm, type TestServer } from "../harness.ts";

let lectern: TestServer;
beforeAll(async () => {
  lectern = await startLectern();
});
afterAll(() => lectern.stop());

/** Paths of the data directory's files whose bytes hold the text. */
function filesHolding(text: string): string[] {
  const entries = readdirSync(lectern.directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => bytesOf(path).includes(text));
}

/** None of a file that was deleted since it was listed. */
function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}

const deletions: [
  what: string,
  remove: (file: { fileId: string; key: string; customerId: string }) => Promise<unknown>,
][] = [
  ["a file", ({ fileId, key }) => lectern.call("DELETE", `/v1/files/${fileId}`, { key })],
  ["a dataset's files", ({ key }) => lectern.call("DELETE", "/v1/datasets/letters/files", { key })],
  ["a customer's files", ({ key }) => lectern.call("DELETE", "/v1/files", { key })],
  ["a customer", async ({ customerId }) => lectern.appliance.access.removeCustomer(customerId)],
];

const cases = [false, true].flatMap((isAccepted) =>
  deletions.map(([what, remove]) => [what, isAccepted ? "in the background" : "at once", remove, isAccepted] as const),
);

test.each(cases)("deleting %s that was read %s leaves nothing of it", async (_what, _when, remove, isAccepted) => {
  const { key, customerId } = lectern.customer();
  const other = lectern.customer();
  const word = (): string => `marked${crypto.randomUUID().replaceAll("-", "")}`;
  const [text, name, meta, kept] = [word(), word(), word(), word()] as const;
  await lectern.upload(other.key, "letters", { "kept.txt": `The ${kept} stays where it is. `.repeat(40) });
  const form = uploadForm(
    { datasetId: "letters", extraMeta: JSON.stringify({ project: meta }), async: String(isAccepted) },
    { [`${name}.txt`]: `The ${text} lies at the harbour. `.repeat(400) },
  );
  const [file] = (await lectern.call("POST", "/v1/files/upload", { key, body: form })).body.files;
  await lectern.upload(other.key, "letters", { "later.txt": `The ${kept} still stays where it is. `.repeat(40) });
  for (const marker of [text, name, meta]) expect(filesHolding(marker)).not.toEqual([]);

  await remove({ fileId: file.fileId, key, customerId });
  await until(() => [text, name, meta].flatMap(filesHolding).length === 0, 30_000);
  await lectern.restart();
  expect([text, name, meta].flatMap(filesHolding)).toEqual([]);
  expect(filesHolding(kept)).not.toEqual([]);
  expect((await lectern.search(other.key, "letters", kept)).body.data.length).toBeGreaterThan(0);
});
