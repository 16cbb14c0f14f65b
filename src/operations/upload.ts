/** Upload: received files → stored, searchable documents, all or none, for 1 credit each. */
import type { Chunking, ExpectedLanguages, Passage, SubtitleFile } from "../documents/index.ts";
import { fail, LecternError, type ErrorCode } from "../foundation/errors.ts";
import { readSpooledChunks, REPLACED_FILES, type ChunkNote, type NewFile, type StoredFile } from "../store/index.ts";
import type { ChunkShare } from "./chunk-room.ts";
import { newFileId, type NewStoredFile, type OwnersNames, type StagedFile } from "../files/index.ts";
import { inParallel, together } from "./in-parallel.ts";
import { addToIndexes } from "./dataset-indexes.ts";
import { embedPassages } from "./embed-passages.ts";
import type { Engines } from "./engines.ts";
import type { ModelEngines } from "./models-in-use.ts";
import { PassageQueue, type SpoolPlace } from "./passage-queue.ts";
import { isOurFailure } from "./payment.ts";
import { PRICE_OF_FILE } from "./prices.ts";
import { fromStaging, inPlace, type Placing } from "./placing.ts";
import { discardOvertaken } from "./remove-upload-jobs.ts";
import { removeStored, tellIndexes } from "./remove.ts";
import { withSubtitles } from "./subtitles-beside.ts";

/** Files of one upload that are read and embedded side by side. */
const FILES_AT_ONCE = 4;
/** What makes an upload unreadable, or refuses to read it: its charge is given back. */
const UNREADABLE: ReadonlySet<string> = new Set<ErrorCode>([
  "EMPTY_FILE",
  "UNSUPPORTED_FILE_TYPE",
  "UNREADABLE_FILE",
  "NO_TEXT",
  "NO_OCR_LANGUAGE",
  "NO_SPEECH_MODEL",
  "UPLOADS_PAUSED",
]);

export interface UploadRequest {
  readonly customerId: string;
  readonly datasetId: string;
  readonly chunking: Chunking;
  readonly expected: ExpectedLanguages;
  readonly extraMeta: Record<string, unknown> | null;
  readonly files: readonly (StagedFile & OwnersNames)[];
}

/** A file of an answered upload. */
export interface UploadedFile extends StoredFile {
  /** Where nothing was done, because it is stored already as it was sent. */
  readonly unchanged?: true;
}

/** A file that was stored before and is indexed again: under its own id, as of its own time. */
export interface FormerFile extends StagedFile, OwnersNames {
  readonly fileId: string;
  /** Milliseconds since 1970. */
  readonly created: number;
}

/** A file that was accepted before: its bytes lie where they are to stay, and what is laid by while it is read beside `spoolPath`. */
export interface PlacedFile extends FormerFile {
  readonly storagePath: string;
  /** That came with it, should it be a recording. */
  readonly subtitles: SubtitleFile | null;
  readonly spoolPath: string;
}

/** Throws INSUFFICIENT_CREDITS when the customer cannot pay so many files now: before any of their bytes is kept. */
export function checkAffordable({ access }: Pick<Engines, "access">, customerId: string, files: number): void {
  access.checkBalance(customerId, PRICE_OF_FILE * files);
}

/**
 * Charges, reads, chunks, embeds, stores and indexes the files, but those that are stored already under their external id as they are
 * sent: these are answered as they are, and cost nothing. A file takes the place of the one of its external id in one moment, when all of
 * the upload is indexed: whoever searches finds either the one or the other.
 * When it resolves, every file survives a power loss and the next
 * search finds it; when it rejects, none is kept and the charge is given back unless the client is to blame for more than a
 * file that cannot be read: whoever goes away pays. Either way the staged files may be gone by then: who tries again stages anew.
 *
 * Aborting the signal stops the upload until the store has committed it; from then on it completes. A reason of ours (5xx) gives
 * the charge back.
 *
 * Throws INSUFFICIENT_STORAGE, INSUFFICIENT_CREDITS, what `DocumentExtractor.extract` and `ChunkShare.take` throw, BUSY, and MODEL_MISSING when the model of the dataset's vectors is not here.
 */
export async function upload(engines: Engines, request: UploadRequest, signal: AbortSignal): Promise<UploadedFile[]> {
  const files = withSubtitles(request.files);
  return exceptUnchanged(engines, { ...request, files }, (changed) => uploadNew(engines, changed, signal));
}

/** Does the work for the files that are not stored already as they are sent, if there are any, and answers for all of them in order. */
export async function exceptUnchanged<Done>(
  engines: Pick<Engines, "store">,
  request: UploadRequest,
  work: (changed: UploadRequest) => Promise<Done[]>,
): Promise<(Done | UploadedFile)[]> {
  const unchanged = request.files.map((file) => unchangedFile(engines, request, file));
  const files = request.files.filter((_, at) => unchanged[at] === null);
  const done = files.length === 0 ? [] : await work({ ...request, files });
  return unchanged.map((file) => (file === null ? done.shift()! : { ...file, unchanged: true }));
}

/** The file as it is stored, where the upload would store the same once more. */
export function unchangedFile(
  { store }: Pick<Engines, "store">,
  { customerId, datasetId, chunking, expected, extraMeta }: Omit<UploadRequest, "files">,
  { externalId, relativePath, sha256, originalName }: StagedFile & OwnersNames,
): StoredFile | null {
  const dataset = externalId === null ? null : store.dataset(customerId, datasetId);
  const file = dataset === null ? null : store.fileByExternalId(dataset.id, externalId!);
  if (file === null) return null;
  const { chunkSize, chunkOverlap } = chunking;
  const { language } = expected;
  const ocrLanguages = expected.ocrLanguages.length === 0 ? null : JSON.stringify(expected.ocrLanguages);
  const sent = { relativePath, sha256, originalName, chunkSize, chunkOverlap, language, ocrLanguages };
  const isSame = (Object.keys(sent) as (keyof typeof sent)[]).every((key) => file[key] === sent[key]);
  const metadata = file.extraMeta === null ? null : (JSON.parse(file.extraMeta) as Record<string, unknown>);
  return isSame && Bun.deepEquals(metadata, extraMeta, true) ? file : null;
}

async function uploadNew(engines: Engines, request: UploadRequest, signal: AbortSignal): Promise<StoredFile[]> {
  const { access } = engines;
  const { customerId } = request;
  const chargeId = crypto.randomUUID();
  await engines.diskRoom.checkReserve();
  const thousandths = PRICE_OF_FILE * request.files.length;
  access.charge(customerId, thousandths, "upload", { pendingId: chargeId });
  try {
    const stored = await index(
      engines,
      request,
      { chargeId, placing: fromStaging(engines, mayReplace(request)) },
      signal,
    );
    access.settle(chargeId);
    await discardOvertaken(engines, stored).catch((error: unknown) =>
      // The upload is done; what came before it is not shown, whenever it is read.
      engines.log.error("Files that wait to be read and were overtaken could not be deleted", { cause: error }),
    );
    return stored;
  } catch (error) {
    if (isGivenBack(error)) access.refund(customerId, thousandths, "upload", chargeId);
    else access.settle(chargeId);
    throw error;
  }
}

/** Indexes files whose upload was answered and paid before, all or none, without a charge. Throws as `upload` does. */
export async function indexAgain(
  engines: Engines,
  request: UploadRequest & { readonly files: readonly FormerFile[] },
  signal: AbortSignal,
): Promise<StoredFile[]> {
  await engines.diskRoom.checkReserve();
  return index(engines, request, { chargeId: null, placing: fromStaging(engines, mayReplace(request)) }, signal);
}

/**
 * Indexes a file that was accepted and paid before, and shows it; its bytes stay where they are, also when this rejects, and then nothing
 * else of it stays. `onIndexed` is called when all is done but the showing. Throws as `upload` does.
 */
export async function indexPlaced(
  engines: Engines,
  request: UploadRequest & { readonly files: readonly [PlacedFile] },
  { chargeId, ...told }: { chargeId: string; onProgress(fraction: number): void; onIndexed(): void },
  signal: AbortSignal,
): Promise<void> {
  await engines.diskRoom.checkReserve();
  const placing = inPlace(engines, request.files[0].storagePath);
  await index(engines, request, { chargeId, placing, ...told }, signal);
}

/** How an upload is indexed. */
interface Indexing {
  readonly chargeId: string | null;
  readonly placing: Placing;
  onProgress?(fraction: number): void;
  onIndexed?(): void;
}

async function index(
  engines: Engines,
  request: UploadRequest,
  indexing: Indexing,
  signal: AbortSignal,
): Promise<StoredFile[]> {
  const share = engines.chunkRoom.share(request.customerId);
  try {
    const modelId = liveModel(engines, request);
    const files = await engines.models.during(modelId, (model) =>
      read(engines, model, request, { share, onProgress: indexing.onProgress }, signal),
    );
    return await store(engines, request, indexing, { modelId, files }, signal);
  } finally {
    share.release();
  }
}

interface ReadFile
  extends Omit<NewFile, "storagePath" | "created" | "size">,
    Pick<PlacedFile, "path" | "size" | "created" | "spoolPath"> {}

/** Files whose vectors and terms one model made. */
interface EmbeddedFiles<File> {
  readonly modelId: string;
  readonly files: readonly File[];
}

/** The model that made the dataset's present vectors; for an empty one, the chosen model. */
function liveModel({ store, models }: Engines, { customerId, datasetId }: UploadRequest): string {
  const dataset = store.dataset(customerId, datasetId);
  return dataset === null || dataset.fileCount === 0 ? models.chosen.embedder.modelId : dataset.modelId;
}

/** Chunks may be laid by there as long as the disk has its reserve. */
function spoolFor({ diskRoom }: Engines, path: string): SpoolPlace {
  return { path, checkRoom: () => diskRoom.checkReserve() };
}

function read(
  engines: Engines,
  { extractor, embedder }: ModelEngines,
  request: UploadRequest,
  { share, onProgress }: { readonly share: ChunkShare; readonly onProgress: Indexing["onProgress"] },
  signal: AbortSignal,
): Promise<ReadFile[]> {
  return inParallel(request.files, FILES_AT_ONCE, signal, async (file, ownSignal) => {
    const { spoolPath = file.path }: Partial<PlacedFile> = file;
    const queue = new PassageQueue(spoolFor(engines, `${spoolPath}.passages`));
    const take = (passages: readonly Passage[]) => {
      share.take(passages.length, file.originalName);
      return queue.push(passages);
    };
    const { customerId, chunking, expected } = request;
    const extraction = { ...file, customerId, chunking, expected };
    const [document, embedded] = await together(
      ownSignal,
      (signal) => endingWith(queue, extractor.extract(extraction, take, signal, onProgress)),
      (signal) => embedPassages(embedder, queue, spoolFor(engines, `${spoolPath}.chunks`), signal),
    );
    const { subtitles } = document;
    return {
      path: file.path,
      spoolPath,
      ...identityOf(file),
      originalName: file.originalName,
      externalId: file.externalId,
      relativePath: file.relativePath,
      mimeType: document.mimeType,
      size: file.size,
      sha256: file.sha256,
      loaderId: document.loaderId,
      extension: document.extension,
      extraMeta: request.extraMeta,
      ...chunking,
      ...expected,
      properties: document.properties,
      transcriptionText: subtitles?.map(({ text }) => text).join("\n"),
      transcriptionSrt: subtitles,
      ...embedded,
    };
  });
}

/** The queue ends as the reading does. */
async function endingWith<Document>(queue: PassageQueue, reading: Promise<Document>): Promise<Document> {
  try {
    const document = await reading;
    queue.end();
    return document;
  } catch (error) {
    queue.fail(error);
    throw error;
  }
}

/** The passages of a file that were embedded before, in pieces. */
function* passagesOf({ chunks, notes = [], spooled }: NewFile): Generator<readonly Passage[]> {
  if (spooled) for (const piece of readSpooledChunks(spooled)) yield toPassages(piece.texts, piece.notes);
  yield toPassages(chunks, notes);
}

function toPassages(texts: readonly string[], notes: readonly ChunkNote[]): Passage[] {
  return texts.map((text, at) => ({ place: {}, contextLength: 0, ...notes[at], text }));
}

function identityOf(file: StagedFile | FormerFile): { fileId: string; created: number } {
  return "fileId" in file
    ? { fileId: file.fileId, created: file.created }
    : { fileId: newFileId(), created: Date.now() };
}

/** Puts the bytes into place, commits, and indexes. Whatever fails, nothing of the upload stays. */
async function store(
  engines: Engines,
  request: UploadRequest,
  { chargeId, placing, onIndexed }: Indexing,
  { modelId, files }: EmbeddedFiles<ReadFile>,
  signal: AbortSignal,
): Promise<StoredFile[]> {
  signal.throwIfAborted();
  const fileIds = files.map(({ fileId }) => fileId);
  let committed: Committed;
  try {
    const storagePaths = await placing.place(
      files.map((file) => ({ fileId: file.fileId, published: toPublish(request, file) })),
    );
    signal.throwIfAborted();
    const newFiles = files.map((file, index) => ({ ...file, storagePath: storagePaths[index]! }));
    const owner = { ...request, chargeId, isPending: placing.holdsBack };
    committed = await commit(engines, owner, { modelId, files: newFiles }, signal);
  } catch (error) {
    await placing.abandon(fileIds);
    throw error;
  }
  try {
    await placing.confirm(fileIds);
    await addCommitted(engines, committed);
    // Whoever deleted one of them meanwhile told the index before it had them: it would keep ghosts.
    await removeStored(
      engines,
      committed.stored.filter(({ fileId }) => engines.store.fileById(fileId) === null),
    );
    // Removed while the files were read: whoever deletes the customer's documents has already looked.
    if (engines.access.customer(request.customerId) === null) throw fail("INVALID_CREDENTIAL");
    onIndexed?.();
    await takePlaces(engines, committed.stored);
  } catch (error) {
    const stored = committed.stored.map(({ fileId }) => engines.store.fileById(fileId)).filter((file) => file !== null);
    // What showed them may have been lost before it answered: what they have replaced is gone by then, and they stay.
    if (placing.holdsBack && stored.some(({ isPending }) => !isPending)) {
      engines.clearing.takeUp([REPLACED_FILES]);
      return stored;
    }
    await placing.takeBack(committed.stored);
    throw error;
  }
  return committed.stored;
}

/** Shows files that were held back, and takes those away whose place they take. */
async function takePlaces(engines: Engines, stored: readonly StoredFile[]): Promise<void> {
  const heldBack = stored.filter(({ isPending }) => isPending);
  if (heldBack.length === 0) return;
  // A search that ranked before the indexes had the new chunks finds nothing of them: it must find the former ones.
  await engines.runningSearches.haveEnded();
  const replaced = await engines.store.showFiles(heldBack.map(({ id }) => id));
  if (replaced.length === 0) return;
  engines.clearing.takeUp([REPLACED_FILES]);
  await tellIndexes(engines, replaced).catch((error: unknown) =>
    // Nobody is shown them any more, and an index that is made anew does not have them.
    engines.log.error("The indexes could not let go of files that were replaced", { cause: error }),
  );
}

/** Whether files of an upload may take the place of others: all of it is shown in one moment then. */
const mayReplace = ({ files }: UploadRequest): boolean => files.some(({ externalId }) => externalId !== null);

function toPublish({ customerId, datasetId }: UploadRequest, file: ReadFile): NewStoredFile {
  const { path, fileId, originalName, mimeType, size, sha256, extraMeta, chunkSize, chunkOverlap, created } = file;
  const { externalId = null, relativePath = null, language = null, ocrLanguages = [] } = file;
  return {
    path,
    record: {
      fileId,
      customerId,
      datasetId,
      originalName,
      mimeType,
      size,
      sha256,
      extraMeta,
      chunkSize,
      chunkOverlap,
      created,
      externalId,
      relativePath,
      language,
      ocrLanguages,
    },
  };
}

/** A model that is gone by now has left the dataset to one that read these files from the store. */
async function addCommitted({ models }: Engines, { modelId, generation, stored }: Committed): Promise<void> {
  if (!models.has(modelId)) return;
  await models.during(modelId, async (model) => {
    for (const { datasetId, firstChunkId, chunkCount } of stored)
      await addToIndexes(
        model,
        { datasetId, generation },
        { first: firstChunkId, last: firstChunkId + chunkCount - 1 },
      );
  });
}

interface Committed {
  readonly modelId: string;
  readonly generation: number;
  readonly stored: StoredFile[];
}

/** Commits; when the dataset was embedded anew while the files were read, their chunks are first embedded by its present model. */
async function commit(
  engines: Engines,
  request: UploadRequest & { readonly chargeId: string | null; readonly isPending: boolean },
  { modelId, files }: EmbeddedFiles<ReadFile & Pick<NewFile, "storagePath">>,
  signal: AbortSignal,
): Promise<Committed> {
  const { customerId, datasetId: datasetName, chargeId, isPending } = request;
  for (;;) {
    try {
      const { generation, files: stored } = await engines.store.addFiles({
        customerId,
        datasetName,
        modelId,
        chargeId,
        isPending,
        files: files.map(({ path: _path, spoolPath: _spoolPath, ...file }) => file),
      });
      if (modelId !== engines.models.chosen.embedder.modelId) engines.models.onForeignDataset();
      return { modelId, generation, stored };
    } catch (error) {
      const present = liveModel(engines, request);
      if (present === modelId) throw error;
      modelId = present;
    }
    const again = ({ embedder }: ModelEngines) =>
      inParallel(files, FILES_AT_ONCE, signal, async (file, ownSignal) => {
        const spoolPath = `${file.spoolPath}.${crypto.randomUUID()}.chunks`;
        return {
          ...file,
          ...(await embedPassages(embedder, passagesOf(file), spoolFor(engines, spoolPath), ownSignal)),
        };
      });
    files = await engines.models.during(modelId, again);
  }
}

function isGivenBack(error: unknown): boolean {
  return isOurFailure(error) || (error instanceof LecternError && isUnreadable(error.code));
}

/** Whether an error says that a file cannot be read. */
export const isUnreadable = (code: string): boolean => UNREADABLE.has(code);
