/** The main thread's side of the writer: starts the thread, sends it requests, and turns its answers into promises. */
import { startOwnWorker } from "../native/index.ts";
import { fail } from "../errors.ts";
import { packIds } from "../id-lists.ts";
import type { Vector } from "./half-precision.ts";
import type { NewFile } from "./index.ts";
import type {
  ChunkPiece,
  FileRecord,
  FromWriter,
  SentError,
  ToWriter,
  WriteRequest,
  WriteResult,
  WriterSettings,
} from "./writer-protocol.ts";

/** Chunks in one message: at most 1.5 MB of vectors at 1536 dimensions, copied in well under a millisecond. */
const PIECE_CHUNKS = 256;

export interface Writer {
  /** Resolves when the write is on disk. `files` are those of an addFiles request, in its order. */
  write(request: WriteRequest, files?: readonly NewFile[]): Promise<WriteResult>;
  /** Finishes what is waiting, then ends the thread. */
  close(): Promise<void>;
}

/** Starts the thread; it opens and migrates the database before this resolves. */
export async function startWriter(settings: WriterSettings): Promise<Writer> {
  const worker = startOwnWorker("src/store/writer.ts");
  const unanswered = new Map<number, { resolve(result: WriteResult): void; reject(error: Error): void }>();
  let lastId = 0;
  let ended: Error | null = null;

  worker.onmessage = ({ data: message }: MessageEvent<FromWriter>) => {
    const request = unanswered.get(message.id);
    unanswered.delete(message.id);
    if ("error" in message) request?.reject(toError(message.error));
    else request?.resolve(message.result);
  };
  worker.onerror = (event) => end(new Error(`The store's writer failed: ${event.message}`));

  function end(reason: Error): void {
    ended ??= reason;
    for (const { reject } of unanswered.values()) reject(reason);
    unanswered.clear();
  }

  function send(message: ToWriter, transfer: ArrayBuffer[] = []): void {
    worker.postMessage(message, transfer);
  }

  function ask(message: ToWriter): Promise<WriteResult> {
    if (ended) return Promise.reject(ended);
    return new Promise((resolve, reject) => {
      unanswered.set(message.id, { resolve, reject });
      send(message);
    });
  }

  async function write(request: WriteRequest, files: readonly NewFile[] = []): Promise<WriteResult> {
    const id = ++lastId;
    let sent = 0;
    for (const piece of piecesOf(files)) {
      if (sent++ > 0) await yieldToOthers();
      send(
        { kind: "piece", id, piece },
        [piece.vectors, piece.terms.ids, piece.terms.ends].map(({ buffer }) => buffer as ArrayBuffer),
      );
    }
    return ask({ kind: "write", id, request });
  }

  async function close(): Promise<void> {
    if (ended) return;
    await ask({ kind: "close", id: ++lastId });
    end(new Error("The store is closed."));
    worker.terminate();
  }

  try {
    await ask({ kind: "open", id: ++lastId, settings });
  } catch (error) {
    worker.terminate();
    throw error;
  }
  return { write, close };
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
    transcriptionText: file.transcriptionText?.toWellFormed() ?? null,
    transcriptionSrt: file.transcriptionSrt ? JSON.stringify(file.transcriptionSrt) : null,
  };
}

function* piecesOf(files: readonly NewFile[]): Generator<ChunkPiece> {
  for (const [fileIndex, file] of files.entries()) {
    for (let start = 0; start < file.chunks.length; start += PIECE_CHUNKS) {
      const texts = file.chunks.slice(start, start + PIECE_CHUNKS).map((text) => text.toWellFormed());
      const terms = packIds(file.terms.slice(start, start + PIECE_CHUNKS));
      yield { fileIndex, texts, vectors: stack(file.vectors.slice(start, start + PIECE_CHUNKS)), terms };
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

function toError({ code, name, message, values }: SentError): Error {
  if (code) return fail(code, values);
  if (name === "RangeError") return new RangeError(message);
  return Object.assign(new Error(message), { name });
}
