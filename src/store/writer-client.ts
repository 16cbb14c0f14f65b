/** The main thread's side of the writer: keeps the thread running and hands it writes, large ones in pieces. */
import { packIds } from "../foundation/id-lists.ts";
import { openThread, Restarting, transfer, type TroubleReport } from "../remote/index.ts";
import { jsonUnlessEmpty } from "./attributes.ts";
import type { Vector } from "./half-precision.ts";
import type { NewFile } from "./types.ts";
import type { ChunkPiece, FileRecord, WriteRequest, WriteResult, WriterSettings } from "./write-requests.ts";
import type { WriterThread } from "./writer.ts";

/** Chunks in one message: at most 1.5 MB of vectors at 1536 dimensions, copied in well under a millisecond. */
const PIECE_CHUNKS = 256;

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
        if (sent++ > 0) await yieldToOthers();
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
    properties: jsonUnlessEmpty(file.properties),
    transcriptionText: file.transcriptionText?.toWellFormed() ?? null,
    transcriptionSrt: file.transcriptionSrt ? JSON.stringify(file.transcriptionSrt) : null,
  };
}

function* piecesOf(files: readonly NewFile[]): Generator<ChunkPiece> {
  for (const [fileIndex, file] of files.entries()) {
    for (let start = 0; start < file.chunks.length; start += PIECE_CHUNKS) {
      const texts = file.chunks.slice(start, start + PIECE_CHUNKS).map((text) => text.toWellFormed());
      const terms = packIds(file.terms.slice(start, start + PIECE_CHUNKS));
      const notes = (file.notes ?? [])
        .slice(start, start + PIECE_CHUNKS)
        .map(({ place, contextLength }) => ({ place, contextLength }));
      const vectors = stack(file.vectors.slice(start, start + PIECE_CHUNKS));
      yield { fileIndex, texts, notes, vectors, terms };
    }
  }
}

/** Copies vectors of equal length into one row-major matrix, in half precision where the first is. */
export function stack(vectors: readonly Vector[]): Vector {
  const dimensions = vectors[0]?.length ?? 0;
  const size = vectors.length * dimensions;
  const matrix = vectors[0] instanceof Float16Array ? new Float16Array(size) : new Float32Array(size);
  vectors.forEach((vector, row) => matrix.set(vector, row * dimensions));
  return matrix;
}

function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
