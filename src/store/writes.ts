/** Every change to `lectern.db`. Each function runs inside a transaction that its caller opens and commits. */
import type { Database } from "bun:sqlite";
import { and, between, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { fail } from "../errors.ts";
import { unpackIds } from "../id-lists.ts";
import { attributesOf } from "./attributes.ts";
import { prepareChunkEmbeddings } from "./chunk-embeddings.ts";
import { prepareGenerationWrites } from "./generation-writes.ts";
import { indexedChunk } from "./generations.ts";
import { chunks, datasets, fileAttributes, files } from "./schema.ts";
import type {
  AddFilesRequest,
  ChunkPiece,
  FileRecord,
  NoteHashRequest,
  OrderTermsRequest,
  WriteRequest,
  WriteResult,
} from "./write-requests.ts";

export type ApplyWrite = (request: WriteRequest, pieces: readonly ChunkPiece[]) => WriteResult;

/** Prepares the statements once for a connection. */
export function prepareWrites(database: Database, now: () => number = Date.now): ApplyWrite {
  const db = drizzle(database);
  const { placeholder } = sql;

  const insertChunk = db
    .insert(chunks)
    .values({ id: placeholder("id"), fileRow: placeholder("fileRow"), text: placeholder("text") })
    .prepare();
  const embeddings = prepareChunkEmbeddings(db);
  const generations = prepareGenerationWrites(database, embeddings);
  const insertAttribute = db
    .insert(fileAttributes)
    .values({
      datasetId: placeholder("datasetId"),
      key: placeholder("key"),
      value: placeholder("value"),
      fileRow: placeholder("fileRow"),
      firstChunkId: placeholder("firstChunkId"),
      lastChunkId: placeholder("lastChunkId"),
    })
    .prepare();
  const lastChunkEver = database.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'chunks'");
  const changeCounts = db
    .update(datasets)
    .set({
      fileCount: sql`${datasets.fileCount} + ${placeholder("files")}`,
      chunkCount: sql`${datasets.chunkCount} + ${placeholder("chunks")}`,
    })
    .where(eq(datasets.id, placeholder("datasetId")))
    .prepare();
  const findFile = db
    .select({
      datasetId: files.datasetId,
      firstChunkId: files.firstChunkId,
      chunkCount: files.chunkCount,
      extraMeta: files.extraMeta,
    })
    .from(files)
    .where(eq(files.id, placeholder("fileRow")))
    .prepare();
  // Rows that SQLite moves to other pages while their neighbours are deleted may leave a copy behind: then it is one of zeros.
  const blankChunks = db
    .update(chunks)
    .set({ text: sql`zeroblob(octet_length(${chunks.text}))` })
    .where(between(chunks.id, placeholder("first"), placeholder("last")))
    .prepare();
  const deleteChunks = db
    .delete(chunks)
    .where(between(chunks.id, placeholder("first"), placeholder("last")))
    .prepare();
  const deleteAttribute = db
    .delete(fileAttributes)
    .where(
      and(
        eq(fileAttributes.datasetId, placeholder("datasetId")),
        eq(fileAttributes.key, placeholder("key")),
        eq(fileAttributes.value, placeholder("value")),
        eq(fileAttributes.fileRow, placeholder("fileRow")),
      ),
    )
    .prepare();
  const deleteFileRow = db
    .delete(files)
    .where(eq(files.id, placeholder("fileRow")))
    .prepare();

  function addFiles(request: AddFilesRequest, pieces: readonly ChunkPiece[]): WriteResult {
    const created = now();
    const { datasetId, generation } = claimDataset(request, created);
    const fileRows = request.files.map((file, index) =>
      addFile(
        file,
        pieces.filter((piece) => piece.fileIndex === index),
        { datasetId, customerId: request.customerId, chargeId: request.chargeId, created },
        generation,
      ),
    );
    return { datasetIds: [datasetId], fileRows, generation };
  }

  /** The dataset's row and live generation, made when it is new, taken over by the model when it is empty. */
  function claimDataset(
    { customerId, datasetName, modelId }: AddFilesRequest,
    created: number,
  ): { datasetId: number; generation: number } {
    const known = db
      .select()
      .from(datasets)
      .where(and(eq(datasets.customerId, customerId), eq(datasets.name, datasetName)))
      .get();
    if (!known)
      return {
        datasetId: db.insert(datasets).values({ customerId, name: datasetName, modelId, created }).returning().get().id,
        generation: 0,
      };
    if (known.modelId === modelId) return { datasetId: known.id, generation: known.generation };
    if (known.fileCount > 0) {
      throw fail("OPERATION_FAILED", {
        reason: `The dataset "${datasetName}" was embedded by ${known.modelId}; files embedded by ${modelId} cannot be added to it.`,
      });
    }
    return { datasetId: known.id, generation: generations.takeOver(known.id, modelId) };
  }

  function addFile(
    file: FileRecord,
    pieces: readonly ChunkPiece[],
    owner: { datasetId: number; customerId: string; chargeId: string | null; created: number },
    generation: number,
  ): number {
    // The write lock is held, so the ids after the highest ever given stay free until the commit: they are consecutive.
    const firstChunkId = (lastChunkEver.get()?.seq ?? 0) + 1;
    const chunkCount = pieces.reduce((sum, piece) => sum + piece.texts.length, 0);
    const { id: fileRow } = db
      .insert(files)
      .values({ ...owner, ...file, firstChunkId, chunkCount })
      .returning({ id: files.id })
      .get();
    let id = firstChunkId;
    for (const { texts, vectors: matrix, terms } of pieces) {
      const dimensions = matrix.length / texts.length;
      const termsOf = unpackIds(terms);
      texts.forEach((text, row) => {
        insertChunk.run({ id, fileRow, text });
        embeddings.insert(
          indexedChunk(id, generation),
          matrix.subarray(row * dimensions, (row + 1) * dimensions),
          termsOf[row]!,
        );
        id++;
      });
    }
    for (const attribute of attributesOf(file.extraMeta)) {
      insertAttribute.run({ ...attribute, datasetId: owner.datasetId, fileRow, firstChunkId, lastChunkId: id - 1 });
    }
    changeCounts.run({ datasetId: owner.datasetId, files: 1, chunks: chunkCount });
    return fileRow;
  }

  /** The dataset it was in, or null when there was no such file. */
  function deleteFile(fileRow: number): number | null {
    const file = findFile.get({ fileRow });
    if (!file) return null;
    const { datasetId, firstChunkId, chunkCount } = file;
    const range = { first: firstChunkId, last: firstChunkId + chunkCount - 1 };
    for (const generation of generations.generationsOf(datasetId))
      embeddings.remove(indexedChunk(range.first, generation), indexedChunk(range.last, generation));
    blankChunks.run(range);
    deleteChunks.run(range);
    for (const attribute of attributesOf(file.extraMeta)) deleteAttribute.run({ ...attribute, datasetId, fileRow });
    deleteFileRow.run({ fileRow });
    changeCounts.run({ datasetId, files: -1, chunks: -chunkCount });
    return datasetId;
  }

  function deleteFiles(fileRows: readonly number[]): WriteResult {
    const touched = new Set(fileRows.map(deleteFile).filter((datasetId) => datasetId !== null));
    return { datasetIds: [...touched], fileRows: [] };
  }

  function noteHash({ fileRow, sha256 }: NoteHashRequest): WriteResult {
    db.update(files).set({ sha256 }).where(eq(files.id, fileRow)).run();
    return { datasetIds: [], fileRows: [] };
  }

  function orderTerms({ chunkIds, terms }: OrderTermsRequest): WriteResult {
    const termsOf = unpackIds(terms);
    chunkIds.forEach((chunkId, index) => embeddings.order(chunkId, termsOf[index]!));
    return { datasetIds: [], fileRows: [] };
  }

  function forgetCustomer(customerId: string): WriteResult {
    if (db.select({ id: files.id }).from(files).where(eq(files.customerId, customerId)).limit(1).get())
      return { datasetIds: [], fileRows: [], more: true };
    for (const { id } of db.select({ id: datasets.id }).from(datasets).where(eq(datasets.customerId, customerId)).all())
      generations.forget(id);
    const theirs = db.delete(datasets).where(eq(datasets.customerId, customerId)).returning({ id: datasets.id }).all();
    return { datasetIds: theirs.map(({ id }) => id), fileRows: [] };
  }

  return (request, pieces) => {
    switch (request.kind) {
      case "addFiles":
        return addFiles(request, pieces);
      case "deleteFiles":
        return deleteFiles(request.fileRows);
      case "forgetCustomer":
        return forgetCustomer(request.customerId);
      case "noteHash":
        return noteHash(request);
      case "beginReembedding":
        generations.begin(request);
        return { datasetIds: [request.datasetId], fileRows: [] };
      case "addEmbeddings":
        generations.add(request);
        return { datasetIds: [request.datasetId], fileRows: [] };
      case "orderTerms":
        return orderTerms(request);
      case "switchGeneration":
        return { datasetIds: generations.makeLive(request) ? [request.datasetId] : [], fileRows: [] };
      case "removeDiscarded":
        return { datasetIds: [], fileRows: [], more: generations.removeDiscarded(request) };
    }
  };
}
