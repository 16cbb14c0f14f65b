/** What `doctor` says of saved indexes. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkIndexes } from "../../src/cli/doctor/indexes.ts";
import { CHECKPOINT_FORMAT, checksum } from "../../src/search/vectors/checkpoint-file.ts";
import { writeCheckpoint } from "../../src/search/vectors/checkpoint.ts";
import { sketchBytesOf } from "../../src/search/vectors/sketch.ts";

const MEMORY = 2 ** 30;
let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), "lectern-doctor-"))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const saved = (datasetId: number): string => {
  const folder = join(directory, "indexes", String(datasetId));
  mkdirSync(folder, { recursive: true });
  return folder;
};
const identity = { modelId: "test@1#0", dimensions: 64, parameters: { connectivity: 32, expansionAdd: 200 } };
const empty = {
  sketches: { file: "sketches-a-00000000.bits", hashes: [] },
  graph: null,
  chunkIds: new Float64Array(),
};

test("none, and whole ones, are good", async () => {
  expect(await checkIndexes(directory, MEMORY)).toEqual([
    { subject: "indexes", state: "good", sentence: "none is saved; small datasets need none.", mend: null },
  ]);
  saved(3);
  for (const datasetId of [1, 2]) {
    writeCheckpoint(saved(datasetId), identity, empty);
    writeFileSync(join(saved(datasetId), empty.sketches.file), "");
  }
  expect(await checkIndexes(directory, MEMORY)).toMatchObject([
    { state: "good", sentence: "2 saved indexes are whole." },
  ]);
});

test("a damaged one is a warning that says what becomes of it by itself", async () => {
  writeFileSync(join(saved(7), "checkpoint"), `${CHECKPOINT_FORMAT} 0123456789abcdef\nsomething else`);
  expect(await checkIndexes(directory, MEMORY)).toMatchObject([
    {
      state: "warning",
      sentence: "the saved index 7 cannot be used: the checkpoint is damaged: its checksum does not match",
      mend: expect.stringContaining("by itself"),
    },
  ] as never);
});

test("indexes in no folder are a warning", async () => {
  writeFileSync(join(directory, "indexes"), "");
  expect(await checkIndexes(directory, MEMORY)).toMatchObject([
    { state: "warning", sentence: expect.stringContaining("ENOTDIR") },
  ] as never);
});

test("one that is larger than the memory for indexes is a warning that names the option", async () => {
  const sketches = new Int8Array(sketchBytesOf(64) * 8);
  const hashesOf = (bytes: Int8Array) => [checksum(bytes)];
  writeFileSync(join(saved(5), empty.sketches.file), sketches);
  writeCheckpoint(saved(5), identity, {
    ...empty,
    sketches: { ...empty.sketches, hashes: hashesOf(sketches) },
    chunkIds: Float64Array.from({ length: 8 }, (_, at) => at + 1),
  });
  expect(await checkIndexes(directory, 4096)).toMatchObject([{ state: "good" }]);
  expect(await checkIndexes(directory, 512)).toMatchObject([
    {
      state: "warning",
      sentence: expect.stringContaining("index 5 take"),
      mend: expect.stringContaining("--index-memory"),
    },
  ] as never);
});
