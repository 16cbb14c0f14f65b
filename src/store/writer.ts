/**
 * The writer thread: the only writer of `lectern.db` in its process. Every commit is on disk (fsync) before it is
 * answered. It also moves write-ahead logs into their databases, this one's and those it is told of.
 */
import type { Database } from "bun:sqlite";
import { dirname } from "node:path";
import { LecternError } from "../errors.ts";
import { startCheckpoints } from "./checkpoints.ts";
import { compactIfSmall } from "./compact.ts";
import { checkpointAndClose, DOCUMENTS_PAGE_BYTES } from "./database.ts";
import { startErasure, type Erasure } from "./erasure.ts";
import { commitTogether, type WaitingWrite } from "./group-commit.ts";
import { openMigrated } from "./migrate.ts";
import { documentMigrations } from "./migrations.ts";
import { prepareWrites, type ApplyWrite } from "./writes.ts";
import type {
  ChunkPiece,
  FromWriter,
  SentError,
  ToWriter,
  WriteRequest,
  WriteResult,
  WriterSettings,
} from "./writer-protocol.ts";

declare const self: Worker;

const NOTHING_WRITTEN: WriteResult = { datasetIds: [], fileRows: [] };
/** Which writes delete what somebody wrote, or much else. */
const deletes: Record<WriteRequest["kind"], boolean> = {
  addFiles: false,
  deleteFiles: true,
  forgetCustomer: true,
  beginReembedding: false,
  addEmbeddings: false,
  orderTerms: true,
  switchGeneration: false,
  removeDiscarded: true,
  noteHash: false,
};
/** A longer transaction would let the first of its writes wait for little gain. */
const MAX_GROUP = 64;

let database: Database | undefined;
let apply: ApplyWrite | undefined;
let checkpoints: { stop(): void } | undefined;
let erasure: Erasure | undefined;
const pieces = new Map<number, ChunkPiece[]>();
let waiting: WaitingWrite[] = [];
let scheduled = false;

self.onmessage = ({ data: message }: MessageEvent<ToWriter>) => {
  try {
    receive(message);
  } catch (error) {
    answer({ id: message.id, error: toSentError(error) });
  }
};

function receive(message: ToWriter): void {
  switch (message.kind) {
    case "open":
      open(message.settings);
      return answer({ id: message.id, result: NOTHING_WRITTEN });
    case "piece": {
      const received = pieces.get(message.id);
      if (received) received.push(message.piece);
      else pieces.set(message.id, [message.piece]);
      return;
    }
    case "write": {
      const { id, request } = message;
      waiting.push({
        request,
        pieces: pieces.get(id) ?? [],
        succeed: (result) => answer({ id, result }),
        fail: (error) => answer({ id, error: toSentError(error) }),
      });
      pieces.delete(id);
      return schedule();
    }
    case "close":
      drain();
      close();
      return answer({ id: message.id, result: NOTHING_WRITTEN });
  }
}

function open(settings: WriterSettings): void {
  database = openMigrated(
    settings.path,
    { synchronous: "FULL", pageSize: DOCUMENTS_PAGE_BYTES, checkpoints: true },
    documentMigrations,
  );
  compactIfSmall(database);
  apply = prepareWrites(database);
  erasure = startErasure(database);
  // What the last process deleted may still be in the log, and its pages in the file.
  erasure.due();
  checkpoints = startCheckpoints(settings.alsoCheckpoint, settings.checkpointMilliseconds);
}

/** After all messages that are there already: whatever arrived during the last fsync shares the next. */
function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    commitGroup();
    if (waiting.length > 0) schedule();
  });
}

function commitGroup(): void {
  const group = waiting.slice(0, MAX_GROUP);
  waiting = waiting.slice(MAX_GROUP);
  if (group.length > 0 && database && apply) commitTogether(database, apply, group, dirname(database.filename));
  if (group.some(({ request }) => deletes[request.kind])) erasure?.due();
}

function drain(): void {
  while (waiting.length > 0) commitGroup();
}

function close(): void {
  erasure?.stop();
  checkpoints?.stop();
  if (database) checkpointAndClose(database);
}

function answer(message: FromWriter): void {
  self.postMessage(message);
}

function toSentError(error: unknown): SentError {
  if (error instanceof LecternError)
    return { code: error.code, name: error.name, message: error.message, values: error.values };
  if (error instanceof Error) return { code: null, name: error.name, message: error.message, values: {} };
  return { code: null, name: "Error", message: String(error), values: {} };
}
