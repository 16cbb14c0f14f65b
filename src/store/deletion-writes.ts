/**
 * Deletions. What a short transaction can remove goes at once. Whatever is more is discarded first: files whose dataset is not in
 * `datasets` are found by nobody, and their rows are removed in steps, so that other writes hardly wait. Each function runs inside a
 * transaction that its caller opens and commits: a crash between two of them loses nothing, and the next start goes on.
 */
import type { Database } from "bun:sqlite";
import { attributesOf, attributeText, type FileDescription } from "./attributes.ts";
import type { ChunkEmbeddings } from "./chunk-embeddings.ts";
import type { ChangeCounts } from "./dataset-counts.ts";
import type { GenerationWrites } from "./generation-writes.ts";
import { CHUNKS, generationOfIndexed, indexedChunk } from "./generations.ts";
import type { ReplacedFile } from "./types.ts";
import type { ClearFilesRequest, DiscardDatasetsRequest, WriteResult } from "./write-requests.ts";

/** Chunks that `deleteFiles` removes at once: a few milliseconds, for which other writes wait. */
const CHUNKS_AT_ONCE = 256;
/** What removing a file takes besides its chunks, in chunks. */
const FILE_COST = 2;
/** The row of `discardedDatasets` for files that were deleted one by one. */
const ONE_BY_ONE = 0;
/** The row of `discardedDatasets` for files that were replaced. They are noted as deleted afterwards: before, a crash would lose both. */
export const REPLACED_FILES = -1;

interface FileRow extends FileDescription {
  datasetId: number;
  firstChunkId: number;
  chunkCount: number;
}

interface DatasetRow {
  id: number;
  name: string;
  modelId: string;
  created: number;
}

export type DeletionWrites = ReturnType<typeof prepareDeletionWrites>;

/** Prepares the statements once for a connection. */
export function prepareDeletionWrites(
  database: Database,
  embeddings: ChunkEmbeddings,
  generations: GenerationWrites,
  changeCounts: ChangeCounts,
) {
  const fileIn = (datasetIds: string) =>
    database.query<FileRow, [number]>(
      `SELECT datasetId, firstChunkId, chunkCount, extraMeta, properties, relativePath FROM files WHERE id = ? AND datasetId IN (${datasetIds})`,
    );
  const liveFile = fileIn("SELECT id FROM datasets");
  const notedFile = fileIn("SELECT id FROM discardedDatasets WHERE isNoted");
  // Rows that SQLite moves to other pages while their neighbours are deleted may leave a copy behind: then it is one of zeros.
  const blankChunks = database.query(
    `UPDATE chunks SET text = zeroblob(octet_length(text)), place = iif(place IS NULL, NULL, zeroblob(octet_length(place)))
     WHERE id BETWEEN ?1 AND ?2`,
  );
  const deleteChunks = database.query("DELETE FROM chunks WHERE id BETWEEN ?1 AND ?2");
  const deleteChunkAttributes = database.query("DELETE FROM chunkAttributes WHERE chunkId BETWEEN ?1 AND ?2");
  const deleteAttribute = database.query(
    "DELETE FROM fileAttributes WHERE datasetId = ? AND key = ? AND value = ? AND fileRow = ?",
  );
  const deleteFileRow = database.query("DELETE FROM files WHERE id = ?");
  const setApart = database.query(
    `UPDATE files SET datasetId = ?2, extraMeta = NULL, properties = NULL, externalId = NULL, relativePath = NULL WHERE id = ?1`,
  );
  const shorten = database.query("UPDATE files SET chunkCount = ?2 WHERE id = ?1");
  const nextVector = database.query<{ chunkId: number }, [number]>(
    "SELECT chunkId FROM vectors WHERE chunkId >= ? ORDER BY chunkId LIMIT 1",
  );

  const datasetOfName = database.query<DatasetRow, [string, string]>(
    "SELECT id, name, modelId, created FROM datasets WHERE customerId = ? AND name = ? AND fileCount > 0",
  );
  const datasetsBehind = database.query<DatasetRow, [string, string, number]>(
    "SELECT id, name, modelId, created FROM datasets WHERE customerId = ? AND name > ? AND fileCount > 0 ORDER BY name LIMIT ?",
  );
  const insertDataset = database.query("INSERT INTO datasets (customerId, name, modelId, created) VALUES (?, ?, ?, ?)");
  const insertDiscarded = database.query(
    "INSERT OR IGNORE INTO discardedDatasets (id, name, isNoted) VALUES (?, ?, ?)",
  );
  const insertReplaced = database.query(
    `INSERT INTO discardedDatasets (id, name, isNoted) VALUES (${REPLACED_FILES}, '', 0) ON CONFLICT (id) DO UPDATE SET isNoted = 0`,
  );
  const formerFiles = database.query<{ id: number }, [number]>(
    `SELECT former.id FROM files JOIN files AS former ON former.datasetId = files.datasetId AND former.externalId = files.externalId
     WHERE files.id = ? AND files.isPending AND former.externalId IS NOT NULL AND former.isPending = 0
       AND files.datasetId IN (SELECT id FROM datasets)`,
  );
  const show = database.query("UPDATE files SET isPending = 0 WHERE id = ?");
  const noteDiscarded = database.query("UPDATE discardedDatasets SET isNoted = 1 WHERE id = ?");
  const forgetDiscarded = database.query(
    "DELETE FROM discardedDatasets WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM files WHERE datasetId = ?1)",
  );
  const anyFile = database.query<{ one: number }, [string]>(
    "SELECT 1 AS one FROM datasets WHERE customerId = ? AND fileCount > 0 LIMIT 1",
  );
  const datasetIdsOf = database.query<{ id: number }, [string]>("SELECT id FROM datasets WHERE customerId = ?");
  const deleteDataset = database.query("DELETE FROM datasets WHERE id = ?");

  /** Every generation, of whatever dataset, of which vectors are stored: few, and so quicker than knowing them of each file. */
  function generationsInUse(): number[] {
    const used: number[] = [];
    for (let row = nextVector.get(0); row; row = nextVector.get((used.at(-1)! + 1) * CHUNKS))
      used.push(generationOfIndexed(row.chunkId));
    return used;
  }

  function removeChunks(first: number, count: number, used: readonly number[]): void {
    const last = first + count - 1;
    for (const generation of used) embeddings.remove(indexedChunk(first, generation), indexedChunk(last, generation));
    deleteChunkAttributes.run(first, last);
    blankChunks.run(first, last);
    deleteChunks.run(first, last);
  }

  function removeAttributes(fileRow: number, file: FileRow): void {
    for (const { key, value } of attributesOf(file))
      deleteAttribute.run(file.datasetId, attributeText(key), attributeText(value), fileRow);
  }

  return {
    /** Deletes files; those that it discards are left to `clearFiles`, and it says that there are some. Ignores what is deleted already. */
    deleteFiles(fileRows: readonly number[]): WriteResult {
      const used = generationsInUse();
      const touched = new Set<number>();
      let left = CHUNKS_AT_ONCE;
      let more = false;
      for (const fileRow of fileRows) {
        const file = liveFile.get(fileRow);
        if (!file) continue;
        const { datasetId, firstChunkId, chunkCount } = file;
        removeAttributes(fileRow, file);
        if (chunkCount <= left) {
          removeChunks(firstChunkId, chunkCount, used);
          deleteFileRow.run(fileRow);
          left -= chunkCount;
        } else {
          insertDiscarded.run(ONE_BY_ONE, "", 1);
          setApart.run(fileRow, ONE_BY_ONE);
          more = true;
        }
        changeCounts(datasetId, -1, -chunkCount);
        touched.add(datasetId);
      }
      return { datasetIds: [...touched], fileRows: [], more };
    },

    /** Shows files that were held back, and discards those whose place they take. Ignores what is deleted or shown already. */
    showFiles(fileRows: readonly number[]): WriteResult {
      const touched = new Set<number>();
      const replaced: ReplacedFile[] = [];
      for (const fileRow of fileRows) {
        for (const { id } of formerFiles.all(fileRow)) {
          const file = liveFile.get(id)!;
          const { datasetId, firstChunkId, chunkCount } = file;
          removeAttributes(id, file);
          insertReplaced.run();
          setApart.run(id, REPLACED_FILES);
          changeCounts(datasetId, -1, -chunkCount);
          replaced.push({ datasetId, firstChunkId, chunkCount });
          touched.add(datasetId);
        }
        show.run(fileRow);
      }
      return { datasetIds: [...touched], fileRows: [], replaced };
    },

    /** Takes the files of whole datasets away from all eyes, however many they are: a new, empty row takes each dataset's place. */
    discardDatasets({ customerId, datasets }: DiscardDatasetsRequest): WriteResult {
      const rows =
        "name" in datasets
          ? datasetOfName.all(customerId, datasets.name)
          : datasetsBehind.all(customerId, datasets.after, datasets.limit);
      const discarded = rows.map(({ id, name, modelId, created }) => {
        const ofDataset = generations.generationsOf(id);
        generations.forget(id);
        deleteDataset.run(id);
        insertDataset.run(customerId, name, modelId, created);
        insertDiscarded.run(id, name, 0);
        return { id, name, generations: ofDataset };
      });
      return { datasetIds: discarded.map(({ id }) => id), fileRows: [], discarded };
    },

    noteDiscarded(datasetIds: readonly number[]): WriteResult {
      for (const datasetId of datasetIds) noteDiscarded.run(datasetId);
      return { datasetIds: [], fileRows: [] };
    },

    /** Removes chunks of discarded files, and each file with its last one. All others stay as they are, and those that are not noted as deleted yet. */
    clearFiles({ fileRows, limit }: ClearFilesRequest): WriteResult {
      const used = generationsInUse();
      const emptied = new Set<number>();
      let left = limit;
      let more = false;
      for (const fileRow of fileRows) {
        const file = notedFile.get(fileRow);
        if (!file) continue;
        if (left <= 0) {
          more = true;
          break;
        }
        const count = Math.min(left, file.chunkCount);
        removeChunks(file.firstChunkId + file.chunkCount - count, count, used);
        if (count < file.chunkCount) {
          shorten.run(fileRow, file.chunkCount - count);
          more = true;
        } else {
          removeAttributes(fileRow, file);
          deleteFileRow.run(fileRow);
          emptied.add(file.datasetId);
        }
        left -= count + FILE_COST;
      }
      for (const datasetId of emptied) forgetDiscarded.run(datasetId);
      return { datasetIds: [], fileRows: [], more };
    },

    /** Deletes the datasets of a customer who has no files any more. */
    forgetCustomer(customerId: string): WriteResult {
      if (anyFile.get(customerId)) return { datasetIds: [], fileRows: [], more: true };
      const theirs = datasetIdsOf.all(customerId).map(({ id }) => id);
      for (const id of theirs) {
        generations.forget(id);
        deleteDataset.run(id);
      }
      return { datasetIds: theirs, fileRows: [] };
    },
  };
}
