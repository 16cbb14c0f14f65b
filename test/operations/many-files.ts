/** Datasets of thousands of files, stored without reading or embedding any: their bytes on disk, their rows in the database. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Database } from "bun:sqlite";
import { newFileId } from "../../src/files/index.ts";
import type { StoredFile } from "../../src/store/index.ts";
import type { TestServer } from "../harness.ts";

const DIMENSIONS = 1536;
const FILES_PER_REQUEST = 500;

/** Stores files of so many chunks each, with random vectors. */
export async function storeMany(
  lectern: TestServer,
  { customerId, datasetName, files, chunksPerFile = 1 }: ManyFiles,
): Promise<StoredFile[]> {
  const stored: StoredFile[] = [];
  for (let start = 0; start < files; start += FILES_PER_REQUEST) {
    const batch = Array.from({ length: Math.min(FILES_PER_REQUEST, files - start) }, () => newFile(chunksPerFile));
    for (const { storagePath } of batch) {
      const path = join(lectern.directory, storagePath);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "A text.");
      writeFileSync(`${path}.json`, "{}");
    }
    const { modelId } = lectern.appliance.models.chosen.embedder;
    const added = await lectern.appliance.store.addFiles({
      customerId,
      datasetName,
      modelId,
      chargeId: null,
      files: batch,
    });
    stored.push(...added.files);
  }
  return stored;
}

export interface ManyFiles {
  readonly customerId: string;
  readonly datasetName: string;
  readonly files: number;
  readonly chunksPerFile?: number;
}

/** What the database and the folder of stored bytes hold, counted. */
export interface Remains {
  readonly files: number;
  readonly chunks: number;
  readonly vectors: number;
  readonly tokens: number;
  readonly attributes: number;
  readonly discarded: number;
  readonly onDisk: number;
}

export function remainsOf(dataDirectory: string): Remains {
  using database = new Database(join(dataDirectory, "lectern.db"), { readonly: true });
  const counts = database
    .query<Omit<Remains, "onDisk">, []>(
      `SELECT (SELECT count(*) FROM files) AS files, (SELECT count(*) FROM chunks) AS chunks, (SELECT count(*) FROM vectors) AS vectors,
         (SELECT count(*) FROM chunkTokens) AS tokens, (SELECT count(*) FROM fileAttributes) AS attributes,
         (SELECT count(*) FROM discardedDatasets) AS discarded`,
    )
    .get()!;
  const names = readdirSync(join(dataDirectory, "files"), { recursive: true }).map(String);
  return { ...counts, onDisk: names.filter((name) => /[0-9a-f-]{36}/.test(name)).length };
}

function newFile(chunks: number) {
  const fileId = newFileId();
  return {
    fileId,
    originalName: "some.txt",
    storagePath: join("files", fileId.slice(-2), fileId),
    mimeType: "text/plain",
    size: 7,
    sha256: "0".repeat(64),
    loaderId: "text",
    extension: "txt",
    extraMeta: { year: 2026 },
    chunkSize: 300,
    chunkOverlap: 20,
    chunks: Array.from({ length: chunks }, () => "A text."),
    vectors: Array.from({ length: chunks }, randomVector),
    terms: Array.from({ length: chunks }, () => Uint32Array.of(7, 1007)),
  };
}

function randomVector(): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => Math.random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
