/** What a repair does about `lectern.db` and the stored files. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  FILE_ID,
  hashFileAt,
  readDeletions,
  readStoredRecord,
  stateOfBytes,
  surveyFiles,
  surveySetAside,
  type UploadRecord,
} from "../../../files/index.ts";
import { openReading } from "../../../store/database.ts";
import { refuseNewer } from "../../../store/migrate.ts";
import { documentMigrations } from "../../../store/migrations.ts";
import { attempt, readableRows } from "../../../store/readable-rows.ts";
import { rebuildDocuments, type ReadableFile, type RebuiltDocuments } from "../../../store/rebuild.ts";
import { LecternError } from "../../../foundation/errors.ts";
import type { Move } from "../../../data-directory/moves.ts";
import { checkDocuments } from "../databases.ts";
import { count, ended, type Loss, type Part } from "./part.ts";
import type { Workspace } from "./workspace.ts";

const DATABASE = "lectern.db";

export interface DocumentsPart extends Part {
  /** Records that cannot be read, out of the way of those that are written again. */
  readonly recordMoves: readonly Move[];
  /** Files of which the record beside the bytes is to be written from their rows, before they are indexed again. */
  readonly toRecord: readonly ReadableFile[];
  /** Files that are stored as they are, and have no record that can be read. */
  readonly recordless: readonly string[];
  /** Ids that are to be noted as deleted. */
  readonly deleted: readonly string[];
  /** Whether anything is to be indexed again. */
  readonly indexesAgain: boolean;
  /** Whose the documents are. */
  readonly owners: ReadonlySet<string>;
}

export async function planDocuments(workspace: Workspace, deep: boolean): Promise<DocumentsPart> {
  return new DocumentsPlan(workspace, deep).make();
}

class DocumentsPlan {
  private readonly steps: string[] = [];
  private readonly losses: Loss[] = [];
  private readonly aside = new Set<string>();
  private readonly toRecord: ReadableFile[] = [];
  private readonly owners = new Set<string>();
  private readonly states = new Map<string, Awaited<ReturnType<typeof stateOfBytes>>>();

  constructor(
    private readonly workspace: Workspace,
    private readonly deep: boolean,
  ) {}

  async make(): Promise<DocumentsPart> {
    const { workspace } = this;
    const source = workspace.readable(DATABASE);
    if (source !== null) refuseNewerDatabase(source);
    const fault = this.fault(source);
    const present = fault === null && source !== null ? readFiles(source) : null;
    const wrong = present === null ? [] : await this.wrongFiles(present.files);
    const isRebuilt = fault !== null || wrong.length > 0;
    const noted = await readDeletions(workspace.dataDirectory);
    const built = isRebuilt ? await this.rebuild(source, fault, wrong) : null;
    // What was deleted is not lost, though an older database may speak of it.
    for (const file of built?.leftOut ?? []) if (!noted.has(file.fileId)) await this.judgeLeftOut(file);
    for (const customerId of ownersIn(isRebuilt ? workspace.newPath(DATABASE) : source)) this.owners.add(customerId);
    const kept = built?.kept ?? new Set(present?.ids);
    const deleted = new Set([...noted, ...(built?.deleted ?? present?.discarded ?? [])]);
    const again = await this.unknownFiles(kept, deleted, new Map(built?.leftOut.map((file) => [file.fileId, file])));
    const recordless = await this.recordlessFiles(present?.files ?? [...kept].map((fileId) => ({ fileId })));
    return {
      steps: this.steps,
      losses: this.losses,
      moves: [
        ...(isRebuilt ? workspace.replace(DATABASE) : []),
        ...[...this.aside].flatMap((name) => [workspace.aside(name), workspace.aside(`${name}.json`)]),
      ],
      recordMoves: [...recordless, ...this.toRecord.map(({ fileId }) => fileId)].map((fileId) =>
        workspace.aside(`${placeOf(fileId)}.json`),
      ),
      toRecord: this.toRecord,
      recordless,
      deleted: built?.deleted ?? [],
      indexesAgain: again > 0,
      owners: this.owners,
    };
  }

  /** What is wrong with the database by itself, as a sentence; null: nothing. */
  private fault(source: string | null): string | null {
    const findings = checkDocuments(this.workspace.dataDirectory, source ?? this.workspace.at(DATABASE));
    return findings.find(({ state }) => state === "bad")?.sentence ?? null;
  }

  private async rebuild(
    source: string | null,
    fault: string | null,
    wrong: readonly ReadableFile[],
  ): Promise<RebuiltDocuments> {
    const { workspace } = this;
    workspace.checkRoom(DATABASE);
    const built = await rebuildDocuments(source, workspace.newPath(DATABASE), async (file) => {
      const state = await this.stateOf(file);
      return state === "whole" || state === "set aside";
    });
    const reason =
      fault ??
      `Of the files in ${workspace.at(DATABASE)}, ${wrong.length} ${wrong.length === 1 ? "is" : "are"} not there as uploaded`;
    this.steps.push(`${ended(reason)} The database is made anew: ${count(built.kept.size, "file")} in it as before.`);
    return built;
  }

  /** A file whose row can be read and that is not taken over: lost where its bytes are, else indexed again. */
  private async judgeLeftOut(file: ReadableFile): Promise<void> {
    const state = await this.stateOf(file);
    if (state === "gone") this.lose(file, "Its bytes are gone.");
    if (state === "damaged") this.lose(file, "Its bytes are not those that were uploaded.");
  }

  private lose(
    {
      fileId,
      originalName,
      customerId,
      datasetName,
    }: Pick<ReadableFile, "fileId" | "originalName" | "customerId" | "datasetName">,
    why: string,
  ): void {
    this.aside.add(placeOf(fileId));
    const where = datasetName === null ? "" : `, in the dataset "${datasetName}"`;
    this.losses.push({
      kind: "file",
      id: fileId,
      name: originalName,
      sentence: `"${originalName}" of "${customerId}"${where}. ${why}`,
    });
  }

  /** Files of a sound database whose bytes are not what it says. */
  private async wrongFiles(files: readonly ReadableFile[]): Promise<ReadableFile[]> {
    const deleted = await readDeletions(this.workspace.dataDirectory);
    const wrong: ReadableFile[] = [];
    for (const file of files) {
      const state = await this.stateOf(file);
      if (state !== "whole" && state !== "set aside" && !deleted.has(file.fileId)) wrong.push(file);
    }
    return wrong;
  }

  private async stateOf(file: ReadableFile): Promise<Awaited<ReturnType<typeof stateOfBytes>>> {
    const known = this.states.get(file.fileId);
    if (known !== undefined) return known;
    const state = await stateOfBytes(this.workspace.dataDirectory, file, this.deep);
    this.states.set(file.fileId, state);
    return state;
  }

  /** What lies on disk and is in no database: indexed again by its record, or by its row where that can be read; else set aside. Returns how many are. */
  private async unknownFiles(
    kept: ReadonlySet<string>,
    deleted: ReadonlySet<string>,
    rows: ReadonlyMap<string, ReadableFile>,
  ): Promise<number> {
    const { dataDirectory } = this.workspace;
    const { stored } = await surveyFiles(dataDirectory);
    const inFiles = [...stored].map((fileId) => ({ fileId, folder: join("files", fileId.slice(-2)) }));
    const found = (await surveySetAside(dataDirectory)).map((fileId) => ({ fileId, folder: "lost+found" }));
    let again = 0;
    for (const { fileId, folder } of [...inFiles, ...found]) {
      if (kept.has(fileId) || deleted.has(fileId) || this.aside.has(placeOf(fileId))) continue;
      const row = rows.get(fileId);
      const record = await readStoredRecord(dataDirectory, fileId, folder);
      const hashed = await hashFileAt(join(dataDirectory, folder, fileId)).catch(() => null);
      if (record !== null && hashed?.sha256 === record.sha256) {
        again++;
        this.owners.add(record.customerId);
      } else if (
        row !== undefined &&
        row.datasetName !== null &&
        record === null &&
        folder !== "lost+found" &&
        hashed !== null
      ) {
        again++;
        this.toRecord.push({ ...row, ...hashed });
        this.owners.add(row.customerId);
      } else {
        this.loseUnknown(fileId, folder, record);
      }
    }
    if (again > 0)
      this.steps.push(
        `${count(again, "stored file")} that no database knows: indexed again, under the same ids and free of charge.`,
      );
    return again;
  }

  private loseUnknown(fileId: string, folder: string, record: UploadRecord | null): void {
    this.aside.add(join(folder, fileId));
    this.losses.push({
      kind: "file",
      id: fileId,
      name: record?.originalName ?? null,
      sentence:
        record === null
          ? "Neither a database nor a record beside its bytes says whose it is; the bytes are kept."
          : `"${record.originalName}" of "${record.customerId}", in the dataset "${record.datasetId}". Its bytes are not those that were uploaded.`,
    });
  }

  private async recordlessFiles(files: readonly Pick<ReadableFile, "fileId">[]): Promise<string[]> {
    const { dataDirectory } = this.workspace;
    const recordless: string[] = [];
    for (const { fileId } of files) {
      const isStored = existsSync(join(dataDirectory, placeOf(fileId)));
      if (isStored && (await readStoredRecord(dataDirectory, fileId)) === null) recordless.push(fileId);
    }
    if (recordless.length > 0)
      this.steps.push(
        `${count(recordless.length, "stored file")} without a readable record beside: the record is written again.`,
      );
    return recordless;
  }
}

/** Throws OPERATION_FAILED where a newer Lectern wrote it. One that cannot be read says nothing of that. */
function refuseNewerDatabase(path: string): void {
  try {
    using database = openReading(path);
    refuseNewer(database, documentMigrations);
  } catch (error) {
    if (error instanceof LecternError) throw error;
  }
}

/** Files of a database in which nothing is wrong by itself. */
function readFiles(path: string): { files: ReadableFile[]; ids: string[]; discarded: string[] } {
  using database = openReading(path);
  const datasets = new Map([...readableRows(database, "datasets")].map(({ id, name }) => [id, name]));
  const [files, discarded]: [ReadableFile[], string[]] = [[], []];
  for (const row of readableRows(database, "files")) {
    const file = { sha256: null, ...row, datasetName: datasets.get(row.datasetId!) ?? null } as unknown as ReadableFile;
    if (datasets.has(row.datasetId!)) files.push(file);
    else discarded.push(file.fileId);
  }
  const jobs = [...readableRows(database, "uploadJobs")] as unknown as (ReadableFile & { errorCode: string | null })[];
  const unread = jobs.filter(({ errorCode }) => errorCode === null);
  const failed = jobs.filter(({ errorCode }) => errorCode !== null).map(({ fileId }) => fileId);
  return {
    files: [...files, ...unread],
    ids: [...files, ...unread].map(({ fileId }) => fileId),
    discarded: [...discarded, ...failed],
  };
}

/** Whose files there are, or are to be. */
function ownersIn(path: string | null): string[] {
  if (path === null) return [];
  using database = openReading(path);
  const ownersOf = (query: string) => database.query<{ customerId: string }, []>(query).all();
  return [
    ...ownersOf("SELECT DISTINCT customerId FROM datasets WHERE fileCount > 0"),
    // An earlier version has none.
    ...(attempt(() => ownersOf("SELECT DISTINCT customerId FROM uploadJobs")) ?? []),
  ].map(({ customerId }) => customerId);
}

const placeOf = (fileId: string): string =>
  FILE_ID.test(fileId) ? join("files", fileId.slice(-2), fileId) : join("files", "no-id");
