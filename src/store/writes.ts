/** Every change to `lectern.db`. Each function runs inside a transaction that its caller opens and commits. */
import type { Database } from "bun:sqlite";
import { and, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { fail } from "../foundation/errors.ts";
import { unpackIds } from "../foundation/id-lists.ts";
import { prepareAttributeWrites } from "./attribute-writes.ts";
import { jsonUnlessEmpty } from "./attributes.ts";
import { prepareChunkEmbeddings } from "./chunk-embeddings.ts";
import { prepareChangeCounts } from "./dataset-counts.ts";
import { prepareDeletionWrites } from "./deletion-writes.ts";
import { prepareGenerationWrites } from "./generation-writes.ts";
import { indexedChunk } from "./generations.ts";
import { chunks, datasets, files } from "./schema.ts";
import { readSpool } from "./spool.ts";
import { prepareUploadJobWrites } from "./upload-job-writes.ts";
import type {
  AddFilesRequest,
  ChunkPiece,
  FileRecord,
  NoteHashRequest,
  OrderTermsRequest,
  WriteRequest,
  WriteResult,
  SpooledPiece,
} from "./write-requests.ts";

export type ApplyWrite = (request: WriteRequest, pieces: readonly ChunkPiece[]) => WriteResult;

/** Prepares the statements once for a connection. */
export function prepareWrites(database: Database, now: () => number = Date.now): ApplyWrite {
  const db = drizzle(database);
  const { placeholder } = sql;

  const insertChunk = db
    .insert(chunks)
    .values({
      id: placeholder("id"),
      fileRow: placeholder("fileRow"),
      text: placeholder("text"),
      contextLength: placeholder("contextLength"),
      place: placeholder("place"),
    })
    .prepare();
  const attributesFor = prepareAttributeWrites(database);
  const embeddings = prepareChunkEmbeddings(db);
  const generations = prepareGenerationWrites(database, embeddings);
  const changeCounts = prepareChangeCounts(db);
  const deletions = prepareDeletionWrites(database, embeddings, generations, changeCounts);
  const jobs = prepareUploadJobWrites(database);
  const lastChunkEver = database.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'chunks'");

  function addFiles(request: AddFilesRequest, pieces: readonly ChunkPiece[]): WriteResult {
    const created = now();
    const { customerId, chargeId, isPending } = request;
    const { datasetId, generation } = claimDataset(request, created);
    const fileRows = request.files.map((file, index) =>
      addFile(
        file,
        pieces.filter((piece) => piece.fileIndex === index),
        { datasetId, customerId, chargeId, isPending, created },
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
    owner: { datasetId: number; customerId: string; chargeId: string | null; isPending: boolean; created: number },
    generation: number,
  ): number {
    // The write lock is held, so the ids after the highest ever given stay free until the commit: they are consecutive.
    const firstChunkId = (lastChunkEver.get()?.seq ?? 0) + 1;
    const { spooled, placeKeys, ...columns } = file;
    const chunkCount = pieces.reduce((sum, piece) => sum + piece.texts.length, spooled?.count ?? 0);
    const { id: fileRow } = db
      .insert(files)
      .values({ ...owner, ...columns, firstChunkId, chunkCount })
      .returning({ id: files.id })
      .get();
    const attributes = attributesFor(file, owner.datasetId, placeKeys);
    let id = firstChunkId;
    for (const { texts, notes, vectors: matrix, terms } of inOrder(spooled, pieces)) {
      const dimensions = matrix.length / texts.length;
      const termsOf = unpackIds(terms);
      texts.forEach((text, row) => {
        const { place = {}, contextLength = 0 } = notes[row] ?? {};
        insertChunk.run({ id, fileRow, text, contextLength, place: jsonUnlessEmpty(place) });
        attributes.addOfChunk(id, place);
        embeddings.insert(
          indexedChunk(id, generation),
          matrix.subarray(row * dimensions, (row + 1) * dimensions),
          termsOf[row]!,
        );
        id++;
      });
    }
    attributes.addOfFile(fileRow, firstChunkId, id - 1);
    if (id !== firstChunkId + chunkCount) throw new RangeError("The chunks that were laid by are not all there.");
    changeCounts(owner.datasetId, 1, chunkCount);
    return fileRow;
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

  return (request, pieces) => {
    switch (request.kind) {
      case "addFiles":
        return addFiles(request, pieces);
      case "deleteFiles":
        return deletions.deleteFiles(request.fileRows);
      case "addUploadJobs":
        return jobs.add(request);
      case "noteUploadAttempts":
        return jobs.noteAttempts(request.jobId, request.attempts);
      case "failUploadJob":
        return jobs.fail(request);
      case "removeUploadJobs":
        return jobs.remove(request.jobIds);
      case "withdrawFiles":
        jobs.renameFiles(request.fileRows);
        return deletions.deleteFiles(request.fileRows);
      case "showFiles": {
        const shown = deletions.showFiles(request.fileRows);
        jobs.removeShown(request.fileRows);
        return shown;
      }
      case "discardDatasets":
        return deletions.discardDatasets(request);
      case "noteDiscarded":
        return deletions.noteDiscarded(request.datasetIds);
      case "clearFiles":
        return deletions.clearFiles(request);
      case "forgetCustomer":
        if (jobs.hasAny(request.customerId)) return { datasetIds: [], fileRows: [], more: true };
        return deletions.forgetCustomer(request.customerId);
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

function* inOrder(spooled: FileRecord["spooled"], pieces: readonly ChunkPiece[]): Generator<SpooledPiece> {
  if (spooled !== null) yield* readSpool(spooled.path);
  yield* pieces;
}
