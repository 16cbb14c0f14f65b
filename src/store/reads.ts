/** Every lookup in `lectern.db` but filters and vectors: synchronous, prepared once, for the thread that answers requests. */
import type { Database } from "bun:sqlite";
import { and, desc, eq, getTableColumns, gt, isNull, lt, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { PassagePlace } from "../foundation/place.ts";
import { chunkOfIndexed, CHUNKS } from "./generations.ts";
import type {
  ChunkPosition,
  Dataset,
  FilePage,
  FileSelection,
  FileTotals,
  PlacedText,
  Reembedding,
  StoredChunk,
  StoredFile,
  UnorderedChunk,
} from "./types.ts";
import { chunks, datasets, discardedDatasets, files, reembeddings } from "./schema.ts";

const WHOLE: FilePage = { before: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER };

const { created: _created, ...datasetColumns } = getTableColumns(datasets);
const { chargeId: _chargeId, ...fileColumns } = getTableColumns(files);

export type Reads = ReturnType<typeof prepareReads>;

/** Prepares the statements once for a connection. */
export function prepareReads(database: Database) {
  const db = drizzle(database);
  const { placeholder } = sql;
  const selectFile = () =>
    db
      .select({ ...fileColumns, datasetName: datasets.name })
      .from(files)
      .innerJoin(datasets, eq(files.datasetId, datasets.id));

  const datasetByName = db
    .select(datasetColumns)
    .from(datasets)
    .where(and(eq(datasets.customerId, placeholder("customerId")), eq(datasets.name, placeholder("name"))))
    .prepare();
  const withFiles = db
    .select(datasetColumns)
    .from(datasets)
    .where(and(eq(datasets.customerId, placeholder("customerId")), gt(datasets.fileCount, 0)))
    .limit(placeholder("limit"))
    .prepare();
  const namesBehind = db
    .select(datasetColumns)
    .from(datasets)
    .where(
      and(
        eq(datasets.customerId, placeholder("customerId")),
        gt(datasets.name, placeholder("after")),
        gt(datasets.fileCount, 0),
      ),
    )
    .orderBy(datasets.name)
    .limit(placeholder("limit"))
    .prepare();
  const allDatasets = db.select(datasetColumns).from(datasets).orderBy(datasets.id).prepare();
  const fileByRow = selectFile()
    .where(eq(files.id, placeholder("row")))
    .prepare();
  const byExternalId = selectFile()
    .where(
      and(
        eq(files.datasetId, placeholder("datasetId")),
        eq(files.externalId, placeholder("externalId")),
        // As the index says it, so that it is used.
        sql`"externalId" IS NOT NULL AND "isPending" = 0`,
      ),
    )
    .prepare();
  const pending = selectFile().where(sql`"isPending" = 1`).prepare();
  const fileById = selectFile()
    .where(eq(files.fileId, placeholder("fileId")))
    .prepare();
  const filesByDataset = selectFile()
    .where(
      and(
        eq(files.datasetId, placeholder("datasetId")),
        lt(files.id, placeholder("before")),
        eq(files.isPending, false),
      ),
    )
    .orderBy(desc(files.id))
    .limit(placeholder("limit"))
    .prepare();
  const filesByName = selectFile()
    .where(
      and(
        eq(files.datasetId, placeholder("datasetId")),
        eq(files.originalName, placeholder("originalName")),
        lt(files.id, placeholder("before")),
        eq(files.isPending, false),
      ),
    )
    .orderBy(desc(files.id))
    .limit(placeholder("limit"))
    .prepare();
  const totalsBehind = database.prepare<FileTotals, [number, number, number]>(
    `SELECT count(*) AS files, coalesce(sum(chunkCount), 0) AS chunks, coalesce(sum(size), 0) AS bytes,
       min(created) AS oldest, max(created) AS newest, max(id) AS throughRow
     FROM (SELECT id, chunkCount, size, created FROM files WHERE datasetId = ?1 AND id > ?2 AND isPending = 0 ORDER BY id LIMIT ?3)`,
  );
  const filesByDiscarded = db
    .select({ ...fileColumns, datasetName: discardedDatasets.name })
    .from(files)
    .innerJoin(discardedDatasets, eq(files.datasetId, discardedDatasets.id))
    .where(and(eq(files.datasetId, placeholder("discardedId")), lt(files.id, placeholder("before"))))
    .orderBy(desc(files.id))
    .limit(placeholder("limit"))
    .prepare();
  const allDiscarded = db
    .select({ id: discardedDatasets.id, isNoted: discardedDatasets.isNoted })
    .from(discardedDatasets)
    .orderBy(discardedDatasets.id)
    .prepare();
  const fileIdsOfDiscarded = database.prepare<unknown, []>(
    `SELECT fileId FROM discardedDatasets CROSS JOIN files ON files.datasetId = discardedDatasets.id
     UNION ALL SELECT fileId FROM uploadJobs WHERE errorCode IS NOT NULL`,
  );
  const byCharge = selectFile()
    // Said twice, so that SQLite may use the index of the files that have a charge.
    .where(and(eq(files.chargeId, placeholder("chargeId")), sql`${files.chargeId} IS NOT NULL`))
    .prepare();
  const chunkById = db
    .select()
    .from(chunks)
    .where(eq(chunks.id, placeholder("id")))
    .prepare();
  const allFileIds = database.prepare<unknown, []>(
    "SELECT fileId FROM files UNION ALL SELECT fileId FROM uploadJobs WHERE errorCode IS NULL",
  );
  const withoutHash = selectFile()
    .where(and(isNull(files.sha256), lt(files.id, placeholder("before"))))
    .orderBy(desc(files.id))
    .limit(placeholder("limit"))
    .prepare();
  const totals = db
    .select({
      datasets: sql<number>`count(*)`,
      files: sql<number>`coalesce(sum(${datasets.fileCount}), 0)`,
      chunks: sql<number>`coalesce(sum(${datasets.chunkCount}), 0)`,
    })
    .from(datasets)
    .prepare();

  const allReembeddings = db.select().from(reembeddings).orderBy(reembeddings.datasetId).prepare();
  const generationsOf = database.prepare<{ generation: number }, [number]>(
    "SELECT generation FROM datasets WHERE id = ?1 UNION SELECT generation FROM reembeddings WHERE datasetId = ?1",
  );
  const countThrough = database.prepare<{ chunks: number | null }, [number, number]>(
    "SELECT sum(min(firstChunkId + chunkCount - 1, ?2) - firstChunkId + 1) AS chunks FROM files WHERE datasetId = ?1 AND firstChunkId <= ?2",
  );
  const textsBehind = database.prepare<PlacedText, [number, number, number, number]>(
    `SELECT files.id AS fileRow, chunks.id AS chunkId, chunks.text, chunks.contextLength, before.text AS before FROM files
     CROSS JOIN chunks ON chunks.id BETWEEN max(files.firstChunkId, ?3 + 1) AND files.firstChunkId + files.chunkCount - 1
     LEFT JOIN chunks AS before ON before.id = chunks.id - 1 AND before.id >= files.firstChunkId
     WHERE files.datasetId = (SELECT id FROM datasets WHERE id = ?1) AND files.id >= ?2 ORDER BY files.id, chunks.id LIMIT ?4`,
  );

  // By its own rows, of which there are none before long.
  const unordered = database.prepare<UnorderedChunk, [number, number]>(
    `SELECT chunkTerms.chunkId, files.datasetId, chunkTerms.chunkId / ${CHUNKS} AS generation, chunks.text, chunks.contextLength, before.text AS before,
       CASE WHEN datasets.generation = chunkTerms.chunkId / ${CHUNKS} THEN datasets.modelId ELSE reembeddings.modelId END AS modelId
     FROM chunkTerms
     CROSS JOIN chunks ON chunks.id = chunkTerms.chunkId % ${CHUNKS}
     CROSS JOIN files ON files.id = chunks.fileRow
     CROSS JOIN datasets ON datasets.id = files.datasetId
     LEFT JOIN chunks AS before ON before.id = chunks.id - 1 AND before.id >= files.firstChunkId
     LEFT JOIN reembeddings ON reembeddings.datasetId = files.datasetId AND reembeddings.generation = chunkTerms.chunkId / ${CHUNKS}
     WHERE chunkTerms.chunkId > ?1 ORDER BY chunkTerms.chunkId LIMIT ?2`,
  );

  function storedFile(row: number): StoredFile | null {
    return fileByRow.get({ row }) ?? null;
  }

  function discardedFileIds(): Set<string> {
    return new Set((fileIdsOfDiscarded.values() as [string][]).map(([fileId]) => fileId));
  }

  return {
    storedFile,

    dataset(customerId: string, name: string): Dataset | null {
      return datasetByName.get({ customerId: customerId.toWellFormed(), name: name.toWellFormed() }) ?? null;
    },

    datasetsWithFiles(customerId: string, limit: number): Dataset[] {
      return withFiles.all({ customerId: customerId.toWellFormed(), limit });
    },

    datasetsAfter(customerId: string, after: string, limit: number): Dataset[] {
      return namesBehind.all({ customerId: customerId.toWellFormed(), after, limit });
    },

    fileTotals(datasetId: number, after: number, limit: number): FileTotals {
      return totalsBehind.get(datasetId, after, limit)!;
    },

    datasets(): Dataset[] {
      return allDatasets.all();
    },

    reembeddings(): Reembedding[] {
      return allReembeddings.all();
    },

    generations(datasetId: number): number[] {
      return generationsOf.all(datasetId).map(({ generation }) => generation);
    },

    chunksThrough(datasetId: number, chunkId: number): number {
      return countThrough.get(datasetId, chunkId)?.chunks ?? 0;
    },

    textsAfter(datasetId: number, { fileRow, chunkId }: ChunkPosition, limit: number): PlacedText[] {
      return textsBehind.all(datasetId, fileRow, chunkId, limit);
    },

    unorderedChunks(after: number, limit: number): UnorderedChunk[] {
      return unordered.all(after, limit);
    },

    file(customerId: string, fileId: string): StoredFile | null {
      const found = fileById.get({ fileId });
      return found && !found.isPending && found.customerId === customerId.toWellFormed() ? found : null;
    },

    fileByExternalId(datasetId: number, externalId: string): StoredFile | null {
      return byExternalId.get({ datasetId, externalId: externalId.toWellFormed() }) ?? null;
    },

    pendingFiles(): StoredFile[] {
      return pending.all();
    },

    atOneMoment<Found>(read: () => Found): Found {
      return database.transaction(read)();
    },

    fileById(fileId: string): StoredFile | null {
      return fileById.get({ fileId }) ?? null;
    },

    filesOfDataset(datasetId: number, page: FilePage = WHOLE, selection: FileSelection = {}): StoredFile[] {
      const { originalName = null, externalId = null } = selection;
      if (externalId !== null) {
        const file = byExternalId.get({ datasetId, externalId: externalId.toWellFormed() });
        const isMeant =
          file !== undefined && file.id < page.before && (originalName ?? file.originalName) === file.originalName;
        return isMeant && page.limit > 0 ? [file] : [];
      }
      return originalName === null
        ? filesByDataset.all({ datasetId, ...toIntegers(page) })
        : filesByName.all({ datasetId, originalName: originalName.toWellFormed(), ...toIntegers(page) });
    },

    discardedDatasets(): { id: number; isNoted: boolean }[] {
      return allDiscarded.all();
    },

    discardedFiles(discardedId: number, page: FilePage = WHOLE): StoredFile[] {
      return filesByDiscarded.all({ discardedId, ...toIntegers(page) });
    },

    discardedFileIds,

    filesOfCharge(chargeId: string): StoredFile[] {
      return byCharge.all({ chargeId });
    },

    chunks(ids: readonly number[]): Map<number, StoredChunk> {
      const found = new Map<number, StoredChunk>();
      const filesSeen = new Map<number, StoredFile | null>();
      for (const id of ids) {
        const chunkId = chunkOfIndexed(id);
        const chunk = chunkById.get({ id: chunkId });
        if (!chunk) continue;
        let file = filesSeen.get(chunk.fileRow);
        if (file === undefined) filesSeen.set(chunk.fileRow, (file = storedFile(chunk.fileRow)));
        // A delete may have been committed between the two lookups.
        if (!file || file.isPending) continue;
        const { text, contextLength } = chunk;
        const place = chunk.place === null ? {} : (JSON.parse(chunk.place) as PassagePlace);
        found.set(id, { chunkId, chunkIndex: chunkId - file.firstChunkId, text, contextLength, place, file });
      }
      return found;
    },

    fileIds(): Set<string> {
      const ids = new Set((allFileIds.values() as [string][]).map(([fileId]) => fileId));
      for (const discarded of discardedFileIds()) ids.delete(discarded);
      return ids;
    },

    filesWithoutHash(page: FilePage): StoredFile[] {
      return withoutHash.all({ ...toIntegers(page) });
    },

    statistics(): { datasets: number; files: number; chunks: number } {
      return totals.get() ?? { datasets: 0, files: 0, chunks: 0 };
    },
  };
}

function toIntegers({ before, limit }: FilePage): FilePage {
  return { before: Math.min(before, Number.MAX_SAFE_INTEGER), limit: Math.min(limit, Number.MAX_SAFE_INTEGER) };
}
