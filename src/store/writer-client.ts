/** The main thread's side of the writer: keeps the thread running and hands it writes, large ones in pieces. */
import { packIds } from "../foundation/id-lists.ts";
import { letOthersIn } from "../foundation/let-others-in.ts";
import { openThread, Restarting, transfer, type TroubleReport } from "../remote/index.ts";
import { jsonUnlessEmpty } from "./attributes.ts";
import type { Vector } from "./stored-vector.ts";
import type { EmbeddedChunks, NewFile, SpooledChunks } from "./types.ts";
import { readSpool, spool } from "./spool.ts";
import type {
  ChunkPiece,
  FileRecord,
  SpooledPiece,
  WriteRequest,
  WriteResult,
  WriterSettings,
} from "./write-requests.ts";
import type { WriterThread } from "./writer.ts";

/** Chunks in one message, or piece of a spool: some 200 KB of vectors at 1536 dimensions, copied or written out in a millisecond or less. */
const PIECE_CHUNKS = 64;

/** Milliseconds that the last write and the closing of the database may take together. */
const CLOSE_MILLISECONDS = 60_000;

export class WriterClient {
  private lastWrite = 0;

  private constructor(private readonly thread: Restarting<WriterThread>) {}

  /** Starts the thread; it opens and migrates the database before this resolves. `onTrouble` is told when it ended by itself. */
  static async open(settings: WriterSettings, onTrouble: TroubleReport): Promise<WriterClient> {
    const start = () => openThread<WriterThread>("src/store/writer.ts", (calls) => calls.open(settings));
    return new WriterClient(await Restarting.open({ part: "The store's writer", start, onTrouble }));
  }

  /** Throws RESTARTING while nothing can be written. */
  check(): void {
    this.thread.check();
  }

  /**
   * Resolves when the write is on disk. `files` are those of an addFiles request, in its order. Throws what the write throws; INTERNAL
   * when the thread ends meanwhile: then the write is on disk or it never will be; RESTARTING when there is no thread.
   */
  write(request: WriteRequest, files: readonly NewFile[] = []): Promise<WriteResult> {
    return this.thread.use(async ({ calls }) => {
      const number = ++this.lastWrite;
      let sent = 0;
      for (const piece of piecesOf(files)) {
        if (sent++ > 0) await letOthersIn();
        // It fails only when the thread ends, and then the write does too.
        calls
          .addPiece(number, transfer(piece, [piece.vectors, piece.terms.ids, piece.terms.ends]))
          .catch(() => undefined);
      }
      return calls.write(number, request);
    });
  }

  /** Finishes what is waiting, then ends the thread. */
  close(): Promise<void> {
    return this.thread.close((writer) => writer.close(), CLOSE_MILLISECONDS);
  }
}

/**
 * A file as the database takes it. Lone surrogates become U+FFFD here, once, so that what is stored, compared and
 * returned is the same everywhere; JSON keeps them, escaped.
 */
export function toFileRecord(file: NewFile): FileRecord {
  return {
    fileId: file.fileId,
    originalName: file.originalName.toWellFormed(),
    storagePath: file.storagePath,
    mimeType: file.mimeType?.toWellFormed() ?? null,
    size: file.size,
    sha256: file.sha256,
    ...(file.created !== undefined && { created: file.created }),
    loaderId: file.loaderId,
    extension: file.extension.toWellFormed(),
    chunkSize: file.chunkSize,
    chunkOverlap: file.chunkOverlap,
    extraMeta: file.extraMeta && JSON.stringify(file.extraMeta),
    externalId: file.externalId?.toWellFormed() ?? null,
    relativePath: file.relativePath?.toWellFormed() ?? null,
    language: file.language ?? null,
    ocrLanguages: file.ocrLanguages?.length ? JSON.stringify(file.ocrLanguages) : null,
    properties: jsonUnlessEmpty(file.properties),
    transcriptionText: file.transcriptionText?.toWellFormed() ?? null,
    transcriptionSrt: file.transcriptionSrt ? JSON.stringify(file.transcriptionSrt) : null,
    spooled: file.spooled ? { path: file.spooled.path, count: file.spooled.count } : null,
    placeKeys: [...new Set([...(file.spooled?.placeKeys ?? []), ...placeKeysOf(file)])],
  };
}

function* piecesOf(files: readonly NewFile[]): Generator<ChunkPiece> {
  for (const [fileIndex, file] of files.entries())
    for (const piece of piecesOfChunks(file)) yield { ...piece, fileIndex };
}

function* piecesOfChunks({ chunks, notes = [], vectors, terms }: EmbeddedChunks): Generator<SpooledPiece> {
  for (let start = 0; start < chunks.length; start += PIECE_CHUNKS) {
    const end = start + PIECE_CHUNKS;
    yield {
      texts: chunks.slice(start, end).map((text) => text.toWellFormed()),
      notes: notes.slice(start, end).map(({ place, contextLength }) => ({ place, contextLength })),
      vectors: stack(vectors.slice(start, end)),
      terms: packIds(terms.slice(start, end)),
    };
  }
}

/**
 * Lays chunks by in a file that belongs to the caller: it may go once they are stored. `before` is what lies in it already; null: it is
 * made. Throws INSUFFICIENT_STORAGE, and RangeError as `addFiles` does.
 */
export async function spoolChunks(
  path: string,
  before: SpooledChunks | null,
  embedded: EmbeddedChunks,
): Promise<SpooledChunks> {
  checkChunks(embedded);
  await spool(path, piecesOfChunks(embedded), before === null);
  return {
    path,
    count: (before?.count ?? 0) + embedded.chunks.length,
    placeKeys: [...new Set([...(before?.placeKeys ?? []), ...placeKeysOf(embedded)])],
  };
}

/** Texts and notes of what `spoolChunks` has laid by, in pieces. Throws RangeError where the file is not as it left it. */
export function* readSpooledChunks({ path }: SpooledChunks): Generator<Pick<SpooledPiece, "texts" | "notes">> {
  yield* readSpool<SpooledPiece>(path);
}

function placeKeysOf({ notes = [] }: EmbeddedChunks): Set<string> {
  return new Set(notes.flatMap(({ place }) => Object.keys(place)));
}

/** Throws RangeError where the lists do not run in parallel. */
export function checkChunks({ chunks, vectors, terms }: EmbeddedChunks): void {
  if (chunks.length !== vectors.length)
    throw new RangeError(`${chunks.length} chunks came with ${vectors.length} vectors.`);
  if (chunks.length !== terms.length)
    throw new RangeError(`${chunks.length} chunks came with ${terms.length} lists of terms.`);
  const dimensions = vectors[0]?.length;
  if (vectors.some((vector) => vector.length !== dimensions))
    throw new RangeError("The vectors of a file differ in length.");
}

/** Copies vectors of equal length into one row-major matrix, in half precision where the first is. */
export function stack(vectors: readonly Vector[]): Vector {
  const dimensions = vectors[0]?.length ?? 0;
  const size = vectors.length * dimensions;
  const matrix = vectors[0] instanceof Float16Array ? new Float16Array(size) : new Float32Array(size);
  vectors.forEach((vector, row) => matrix.set(vector, row * dimensions));
  return matrix;
}
