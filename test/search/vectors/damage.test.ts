/** Whatever becomes of the files of an index: searches answer as before, nothing hangs, and the index is saved anew. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "../../../src/store/index.ts";
import { verifySavedIndexes, type IndexDamage } from "../../../src/search/index.ts";
import { openVectors, type OpenVectors } from "../open.ts";
import { readCheckpoint, writeCheckpoint } from "../../../src/search/vectors/checkpoint.ts";
import { unitVectors } from "./vectors.ts";

const DIMENSIONS = 64;
const ROWS = 1200;
const MODEL = "test@1#0";
const PARAMETERS = { connectivity: 32, expansionAdd: 200 };
const vectors = unitVectors(ROWS, DIMENSIONS, 31, 12);
const queries = unitVectors(6, DIMENSIONS, 31, 12);

let dataDirectory: string;
let store: Store;
let indexes: OpenVectors | null = null;
let datasetId: number;
let folder: string;
/** A copy of the dataset's whole index. */
let whole: string;
let answers: unknown;
let damages: IndexDamage[];
let failures: string[];

async function open(): Promise<OpenVectors> {
  damages = [];
  failures = [];
  return (indexes = await openVectors({
    // More candidates than rows: a search through the graph is exact, too.
    dataDirectory,
    dimensions: DIMENSIONS,
    modelId: MODEL,
    openDatasets: 8,
    exactLimit: 10_000,
    graphLimit: 1000,
    searchExpansion: 2 * ROWS,
    onBuildFailure: (reason) => failures.push(reason),
    onDamage: (damage) => damages.push(damage),
  }));
}

async function searchAll(): Promise<unknown> {
  return Promise.all(queries.map((vector) => indexes!.search({ datasetId, vector, count: 8 })));
}

/** Until every row is saved and in the graph. */
async function untilSaved(): Promise<void> {
  for (const start = Date.now(); Date.now() - start < 30_000; await Bun.sleep(5)) {
    const { graphRows, savedRows, building } = await indexes!.statistics();
    if (graphRows === ROWS && savedRows === ROWS && building === 0) return;
  }
  throw new Error("the index was not saved in time");
}

async function close(): Promise<void> {
  await indexes?.close();
  indexes = null;
}

beforeAll(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), "lectern-damage-"));
  store = await openStore({ dataDirectory });
  ({ datasetId } = await store.addFiles({
    customerId: "customer",
    datasetName: "a",
    modelId: MODEL,
    chargeId: null,
    files: [
      {
        fileId: "file",
        originalName: "a.txt",
        storagePath: "files/1",
        mimeType: null,
        size: 1,
        sha256: "0".repeat(64),
        loaderId: "text",
        extension: "txt",
        extraMeta: null,
        chunkSize: 300,
        chunkOverlap: 20,
        chunks: vectors.map((_, index) => `chunk ${index}`),
        vectors,
        terms: vectors.map(() => new Uint32Array()),
      },
    ],
  }));
  folder = join(dataDirectory, "indexes", String(datasetId));
  await open();
  answers = await searchAll();
  await untilSaved();
  expect(await searchAll()).toEqual(answers as never);
  await close();
  whole = join(dataDirectory, "whole");
  cpSync(folder, whole, { recursive: true });
});

afterAll(async () => {
  await store?.close();
  rmSync(dataDirectory, { recursive: true, force: true });
});

afterEach(close);

/** Damages a whole index, opens it, and looks for what must hold whatever the damage was. */
async function survives(inflict: () => void, verifyingSees = true): Promise<IndexDamage[]> {
  rmSync(folder, { recursive: true, force: true });
  cpSync(whole, folder, { recursive: true });
  inflict();
  const found = (await verifySavedIndexes(dataDirectory)).damaged;
  await open();
  expect(await searchAll()).toEqual(answers as never);
  await untilSaved();
  if (verifyingSees) expect(damages.map(({ datasetId }) => datasetId)).toEqual(found.map(({ datasetId }) => datasetId));
  expect(await searchAll()).toEqual(answers as never);
  expect(failures).toEqual([]);
  const seen = damages;
  await close();
  // What was written in its place is whole, and the only thing there.
  await open();
  expect(await searchAll()).toEqual(answers as never);
  expect(await indexes!.statistics()).toMatchObject({ savedRows: ROWS });
  await untilSaved();
  expect(damages).toEqual([]);
  expect(await verifySavedIndexes(dataDirectory)).toMatchObject({ whole: 1, damaged: [] });
  expect(readdirSync(folder).length).toBe(3);
  await close();
  return seen;
}

const kinds = ["checkpoint", ".bits", ".usearch"] as const;
const pathOf = (kind: string): string => join(folder, readdirSync(folder).find((name) => name.endsWith(kind))!);

/** Replaces a file by something that is none. */
function replaceBy(path: string, make: (path: string) => void): void {
  rmSync(path, { recursive: true, force: true });
  make(path);
}

const makeFolder = (path: string): void => {
  mkdirSync(path);
  writeFileSync(join(path, "something"), "in it");
};
const makePipe = (path: string): void => void Bun.spawnSync(["mkfifo", path]);

describe("every file of an index", () => {
  const replacements: [name: string, inflict: (path: string) => void][] = [
    ["is a folder", (path) => replaceBy(path, makeFolder)],
    ["is a pipe that nobody writes", (path) => replaceBy(path, makePipe)],
    ["is a link to nowhere", (path) => replaceBy(path, (at) => symlinkSync("/nowhere/at/all", at))],
    ["is a link to a device that never ends", (path) => replaceBy(path, (at) => symlinkSync("/dev/zero", at))],
    ["is empty", (path) => truncateSync(path, 0)],
  ];
  for (const kind of kinds) {
    for (const [name, inflict] of replacements) {
      test(`${kind} ${name}`, async () => {
        expect(await survives(() => inflict(pathOf(kind)))).toEqual([
          { datasetId, reason: expect.any(String) },
        ] as never);
      }, 60_000);
    }
  }

  test("a folder or a pipe where the next checkpoint is written beside the last changes nothing", async () => {
    expect(await survives(() => makePipe(join(folder, "checkpoint.partial")))).toEqual([]);
    expect(
      await survives(() =>
        replaceBy(pathOf("checkpoint"), (path) => {
          makeFolder(path);
          makeFolder(`${path}.partial`);
        }),
      ),
    ).toHaveLength(1);
  }, 60_000);
});

describe("any damage", () => {
  /** Repeatable: the same damages in every run. */
  let state = 20_261;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const damagesOf: [name: string, damage: (bytes: Buffer) => Buffer][] = [
    ["one bit", (bytes) => flipped(bytes, below(bytes.length), 1 << below(8))],
    ["one bit near the beginning", (bytes) => flipped(bytes, below(Math.min(600, bytes.length)), 1 << below(8))],
    ["cut short", (bytes) => bytes.subarray(0, below(bytes.length))],
    [
      "something inserted",
      (bytes) => {
        const at = below(bytes.length);
        return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(1 + below(64), below(256)), bytes.subarray(at)]);
      },
    ],
    [
      "zeros over a page",
      (bytes) => {
        const at = below(bytes.length);
        return Buffer.concat([
          bytes.subarray(0, at),
          Buffer.alloc(Math.min(4096, bytes.length - at)),
          bytes.subarray(at + 4096),
        ]);
      },
    ],
  ];
  const flipped = (bytes: Buffer, at: number, mask: number): Buffer => {
    bytes[at]! ^= mask;
    return bytes;
  };

  for (const kind of kinds) {
    for (const [name, damage] of damagesOf) {
      test(`${name} in ${kind} is found out, and no answer changes`, async () => {
        for (let round = 0; round < 2; round++) {
          await survives(() => {
            const path = pathOf(kind);
            writeFileSync(path, damage(readFileSync(path)));
          });
        }
      }, 120_000);
    }
  }
});

describe("a head that cannot be true, though its checksum is right,", () => {
  const identity = { modelId: MODEL, dimensions: DIMENSIONS, parameters: PARAMETERS };
  /** Only USearch itself can tell. */
  const OPENED_ONLY = "has a graph of fewer rows than its file";
  type Written = NonNullable<ReturnType<typeof readCheckpoint>>;
  const withSketches = (checkpoint: Written, lie: object) => ({
    ...checkpoint,
    sketches: { ...checkpoint.sketches, ...lie },
  });
  const lies: [name: string, lie: (checkpoint: Written) => unknown][] = [
    ["names no sketches", ({ sketches: _, ...checkpoint }) => checkpoint],
    ["names a file outside its folder", (checkpoint) => withSketches(checkpoint, { file: "../whole/checkpoint" })],
    ["names a file of sketches that is none of ours", (checkpoint) => withSketches(checkpoint, { file: "checkpoint" })],
    ["has a checksum too few", (checkpoint) => withSketches(checkpoint, { hashes: [] })],
    ["has checksums that are none", (checkpoint) => withSketches(checkpoint, { hashes: [7] })],
    [OPENED_ONLY, (checkpoint) => ({ ...checkpoint, graph: { ...checkpoint.graph, rows: 600 } })],
    [
      "has a graph of more rows than there are",
      (checkpoint) => ({ ...checkpoint, graph: { ...checkpoint.graph, rows: ROWS + 1 } }),
    ],
    [
      "has a graph in a file outside its folder",
      (checkpoint) => ({ ...checkpoint, graph: { ...checkpoint.graph, file: "/dev/zero" } }),
    ],
    ["has a graph without checksums", (checkpoint) => ({ ...checkpoint, graph: { ...checkpoint.graph, hashes: [] } })],
    ["has a graph that is none", (checkpoint) => ({ ...checkpoint, graph: [] })],
    [
      "holds chunks that cannot be",
      (checkpoint) => ({ ...checkpoint, chunkIds: checkpoint.chunkIds.map((id, row) => (row === 5 ? NaN : id)) }),
    ],
  ];
  for (const [name, lie] of lies) {
    test(`${name}: no answer changes`, async () => {
      const seen = await survives(
        () => writeCheckpoint(folder, identity, lie(readCheckpoint(folder, identity)!) as Written),
        name !== OPENED_ONLY,
      );
      expect(seen).toEqual([{ datasetId, reason: expect.any(String) }] as never);
    }, 60_000);
  }
});

describe("an index folder that cannot be used", () => {
  const indexFolder = (): string => join(dataDirectory, "indexes");
  const places: [name: string, inflict: () => void][] = [
    ["the dataset's folder is a file", () => replaceBy(folder, (path) => writeFileSync(path, ""))],
    ["the folder of all indexes is a file", () => replaceBy(indexFolder(), (path) => writeFileSync(path, ""))],
    ["the folder of all indexes is a pipe", () => replaceBy(indexFolder(), makePipe)],
  ];
  for (const [name, inflict] of places) {
    test(`${name}: searches answer as before`, async () => {
      rmSync(indexFolder(), { recursive: true, force: true });
      mkdirSync(indexFolder());
      inflict();
      await open();
      expect(await searchAll()).toEqual(answers as never);
      for (let round = 0; round < 3; round++) await indexes!.add({ datasetId, range: { first: 1, last: 1 } });
      while ((await indexes!.statistics()).building > 0) await Bun.sleep(5);
      expect(await searchAll()).toEqual(answers as never);
      // Tried again later, not with every upload, and told once.
      expect(failures.length).toBeLessThanOrEqual(1);
      await close();
      rmSync(indexFolder(), { recursive: true, force: true });
    }, 60_000);
  }
});
