/**
 * The writer thread: the only writer of `lectern.db` in its process. Every commit is on disk (fsync) before it is
 * answered. It also moves write-ahead logs into their databases, this one's and those it is told of.
 */
import type { Database } from "bun:sqlite";
import { dirname } from "node:path";
import { serveOpened, type Opened } from "../remote/serve.ts";
import { startCheckpoints } from "./checkpoints.ts";
import { compactIfSmall } from "./compact.ts";
import { checkpointAndClose, DOCUMENTS_PAGE_BYTES } from "./database.ts";
import { startErasure, type Erasure } from "./erasure.ts";
import { commitTogether, type WaitingWrite } from "./group-commit.ts";
import { openMigrated } from "./migrate.ts";
import { documentMigrations } from "./migrations.ts";
import { prepareWrites, type ApplyWrite } from "./writes.ts";
import type { ChunkPiece, WriteRequest, WriteResult, WriterSettings } from "./write-requests.ts";

/** Which writes delete what somebody wrote, or much else. */
const deletes: Record<WriteRequest["kind"], boolean> = {
  addFiles: false,
  addUploadJobs: false,
  noteUploadAttempts: false,
  failUploadJob: false,
  removeUploadJobs: true,
  withdrawFiles: true,
  deleteFiles: true,
  showFiles: true,
  discardDatasets: false,
  noteDiscarded: false,
  clearFiles: true,
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

class Writer {
  private readonly database: Database;
  private readonly apply: ApplyWrite;
  private readonly checkpoints: { stop(): void };
  private readonly erasure: Erasure;
  private readonly pieces = new Map<number, ChunkPiece[]>();
  private waiting: WaitingWrite[] = [];
  private scheduled = false;

  constructor({ path, alsoCheckpoint, checkpointMilliseconds }: WriterSettings) {
    this.database = openMigrated(
      path,
      { synchronous: "FULL", pageSize: DOCUMENTS_PAGE_BYTES, checkpoints: true },
      documentMigrations,
    );
    compactIfSmall(this.database);
    this.apply = prepareWrites(this.database);
    this.erasure = startErasure(this.database);
    // What the last process deleted may still be in the log, and its pages in the file.
    this.erasure.due();
    this.checkpoints = startCheckpoints(alsoCheckpoint, checkpointMilliseconds);
  }

  /** Chunks of the write with this number, which is still to come. */
  addPiece(write: number, piece: ChunkPiece): void {
    const received = this.pieces.get(write);
    if (received) received.push(piece);
    else this.pieces.set(write, [piece]);
  }

  /** Resolves when it is on disk. */
  write(number: number, request: WriteRequest): Promise<WriteResult> {
    const { promise, resolve, reject } = Promise.withResolvers<WriteResult>();
    this.waiting.push({ request, pieces: this.pieces.get(number) ?? [], succeed: resolve, fail: reject });
    this.pieces.delete(number);
    this.schedule();
    return promise;
  }

  /** Commits what waits, then closes the database. */
  close(): void {
    while (this.waiting.length > 0) this.commitGroup();
    this.erasure.stop();
    this.checkpoints.stop();
    checkpointAndClose(this.database);
  }

  /** After all messages that are there already: whatever arrived during the last fsync shares the next. */
  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.commitGroup();
      if (this.waiting.length > 0) this.schedule();
    });
  }

  private commitGroup(): void {
    const group = this.waiting.slice(0, MAX_GROUP);
    this.waiting = this.waiting.slice(MAX_GROUP);
    if (group.length > 0) commitTogether(this.database, this.apply, group, dirname(this.database.filename));
    if (group.some(({ request }) => deletes[request.kind])) this.erasure.due();
  }
}

const open = (settings: WriterSettings): Writer => new Writer(settings);

export type WriterThread = Opened<typeof open>;

serveOpened(open);
