/**
 * Makes `lectern.db` anew from one that is damaged: every file of which all rows can be read and agree is taken over as it is, under its
 * own numbers. What is made of other rows (attributes, counts) is made again; what a start begins again by itself (other generations, and
 * what waits to be cleared up) is left out.
 */
import type { Database } from "bun:sqlite";
import { closeSync, fsyncSync, openSync } from "node:fs";
import type { PassagePlace } from "../foundation/place.ts";
import { prepareAttributeWrites } from "./attribute-writes.ts";
import type { FileDescription } from "./attributes.ts";
import { checkpointAndClose, DOCUMENTS_PAGE_BYTES, openReading } from "./database.ts";
import { GENERATIONS, indexedChunk } from "./generations.ts";
import { openMigrated } from "./migrate.ts";
import { documentMigrations } from "./migrations.ts";
import { attempt, columnsOf, fits, readableRows, type Column, type Row } from "./readable-rows.ts";
import type { StoredFile } from "./types.ts";

/** Chunks of a file that are read and written together. */
const CHUNKS_AT_ONCE = 500;
/** Rows of `discardedDatasets` that stand for no dataset. */
const LARGEST_SPECIAL = 0;

/** A file as its row says it; `datasetName` null where its dataset cannot be told. */
export type ReadableFile = Omit<StoredFile, "datasetName"> & { readonly datasetName: string | null };

export interface RebuiltDocuments {
  /** Files that are there as they were, and those that are still to be read, by id. */
  readonly kept: ReadonlySet<string>;
  /** Files of which the row can be read and that were left out, because something of them cannot, or they were not to be kept. */
  readonly leftOut: readonly ReadableFile[];
  /** Files that were being deleted, by id. */
  readonly deleted: readonly string[];
}

/**
 * Makes a new database at `target`, on disk when this resolves, of what can be read at `source`, which is left as it is (null: nothing can
 * be). `isToBeKept` is asked of each file, also of those that are still to be read.
 */
export async function rebuildDocuments(
  source: string | null,
  target: string,
  isToBeKept: (file: ReadableFile) => Promise<boolean>,
): Promise<RebuiltDocuments> {
  const database = openMigrated(
    target,
    { synchronous: "FULL", pageSize: DOCUMENTS_PAGE_BYTES, checkpoints: true },
    documentMigrations,
  );
  const damaged = source === null ? null : attempt(() => openReading(source));
  try {
    // Nobody trusts the file before it is whole.
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("PRAGMA synchronous = OFF");
    return damaged === null
      ? { kept: new Set(), leftOut: [], deleted: [] }
      : await new Rebuilding(damaged, database).run(isToBeKept);
  } finally {
    if (damaged !== null) attempt(() => damaged.close());
    database.run("PRAGMA journal_mode = WAL");
    checkpointAndClose(database);
    flushFile(target);
  }
}

class Rebuilding {
  private readonly attributesFor;
  /** Of each table that is taken over: its columns that the damaged database has as well. */
  private readonly columns = new Map<string, Column[]>();

  constructor(
    private readonly damaged: Database,
    private readonly database: Database,
  ) {
    this.attributesFor = prepareAttributeWrites(database);
    damaged.run("PRAGMA cell_size_check = ON");
    // Lets SQLite read a file that was cut short, or of which one table's definition is damaged.
    damaged.run("PRAGMA writable_schema = ON");
    for (const table of ["datasets", "files", "uploadJobs", "chunks", "vectors", "chunkTokens", "chunkTerms"]) {
      const present = new Set(columnsOf(damaged, table).map(({ name }) => name));
      this.columns.set(
        table,
        columnsOf(database, table).filter(({ name }) => present.has(name)),
      );
    }
  }

  async run(isToBeKept: (file: ReadableFile) => Promise<boolean>): Promise<RebuiltDocuments> {
    const kept = new Set<string>();
    const leftOut: ReadableFile[] = [];
    const deleted: string[] = [];
    this.database.run("BEGIN");
    const datasets = this.datasets();
    const discarded = new Set([...readableRows(this.damaged, "discardedDatasets")].map(({ id }) => Number(id)));
    for (const row of this.rows("files")) {
      const dataset = datasets.get(row.datasetId as number) ?? null;
      const file = { ...noLanguages, ...row, datasetName: dataset?.name ?? null } as unknown as ReadableFile;
      if (dataset === null && (file.datasetId <= LARGEST_SPECIAL || discarded.has(file.datasetId)))
        deleted.push(file.fileId);
      else if (dataset?.customerId === row.customerId && (await isToBeKept(file)) && this.copyFile(row, dataset!))
        kept.add(file.fileId);
      else leftOut.push(file);
    }
    for (const row of this.rows("uploadJobs")) {
      const job = { ...row, datasetName: row.datasetName } as unknown as ReadableFile;
      if (row.errorCode !== null || (await isToBeKept(job))) {
        if (this.insert("uploadJobs", row)) kept.add(job.fileId);
      } else leftOut.push(job);
    }
    this.count();
    this.keepNumbers();
    this.database.run("COMMIT");
    return { kept, leftOut, deleted };
  }

  private datasets(): Map<number, DatasetRow> {
    const datasets = new Map<number, DatasetRow>();
    for (const row of this.rows("datasets")) {
      const dataset = { generation: 0, ...row } as unknown as DatasetRow;
      const isSound = dataset.generation >= 0 && dataset.generation < GENERATIONS && dataset.name !== "";
      if (isSound && this.insert("datasets", { ...row, fileCount: 0, chunkCount: 0 }))
        datasets.set(dataset.id, dataset);
    }
    return datasets;
  }

  /** Rows of a table in which every column holds what it may. */
  private *rows(table: string): Generator<Row> {
    const columns = this.columns.get(table)!;
    if (columns.length === 0) return;
    for (const row of readableRows(this.damaged, table)) if (fits(row, columns) && isParsable(row)) yield row;
  }

  /** A file with its chunks, or nothing of it. */
  private copyFile(row: Row, { id: datasetId, generation = 0 }: DatasetRow): boolean {
    this.database.run("SAVEPOINT file");
    const isCopied = attempt(() => {
      const [first, count, fileRow] = [row.firstChunkId as number, row.chunkCount as number, row.id as number];
      if (!this.insert("files", row)) throw new RangeError("The file's row does not fit beside the others.");
      const attributes = this.attributesFor(
        { properties: null, relativePath: null, ...row } as unknown as FileDescription,
        datasetId,
        this.placeKeys(first, count),
      );
      for (let done = 0; done < count; done += CHUNKS_AT_ONCE) {
        const last = first + Math.min(count, done + CHUNKS_AT_ONCE) - 1;
        this.copyChunks(first + done, last, fileRow, (chunkId, place) => attributes.addOfChunk(chunkId, place));
        this.copyEmbeddings(indexedChunk(first + done, generation), indexedChunk(last, generation));
      }
      attributes.addOfFile(fileRow, first, first + count - 1);
      return true;
    });
    if (isCopied === null) this.database.run("ROLLBACK TO file");
    this.database.run("RELEASE file");
    return isCopied !== null;
  }

  /** Keys that places of the file's chunks have. Throws where one cannot be read. */
  private placeKeys(first: number, count: number): string[] {
    if (!this.columns.get("chunks")!.some(({ name }) => name === "place")) return [];
    const places = this.damaged
      .query<{ place: string }, [number, number]>(
        "SELECT DISTINCT place FROM chunks WHERE id BETWEEN ? AND ? AND place IS NOT NULL",
      )
      .all(first, first + count - 1);
    return [...new Set(places.flatMap(({ place }) => Object.keys(JSON.parse(place) as object)))];
  }

  private copyChunks(
    first: number,
    last: number,
    fileRow: number,
    onPlace: (chunkId: number, place: PassagePlace) => void,
  ): void {
    for (const row of this.range("chunks", "id", first, last)) {
      if (row.fileRow !== fileRow) throw new RangeError("A chunk belongs to another file.");
      onPlace(row.id as number, typeof row.place === "string" ? (JSON.parse(row.place) as PassagePlace) : {});
    }
  }

  private copyEmbeddings(first: number, last: number): void {
    const vectors = this.range("vectors", "chunkId", first, last);
    const bytes = new Set(vectors.map(({ vector }) => (vector as Uint8Array).length));
    if (bytes.size > 1) throw new RangeError("The vectors differ in length.");
    const tokens = this.range("chunkTokens", "chunkId", first, last, false);
    const terms = this.range("chunkTerms", "chunkId", first, last, false);
    if (new Set([...tokens, ...terms].map(({ chunkId }) => chunkId)).size !== vectors.length)
      throw new RangeError("Words are missing.");
  }

  /** Copies rows and returns them. Throws where one is missing or does not fit; some may be missing where not `all` are wanted. */
  private range(table: string, key: string, first: number, last: number, all = true): Row[] {
    const columns = this.columns.get(table)!;
    if (columns.length === 0 && !all) return [];
    const rows = this.damaged
      .query<Row, [number, number]>(`SELECT * FROM ${table} WHERE ${key} BETWEEN ? AND ? ORDER BY ${key}`)
      .all(first, last);
    if (all && rows.length !== last - first + 1) throw new RangeError("Rows are missing.");
    for (const row of rows)
      if (!fits(row, columns) || !this.insert(table, row)) throw new RangeError("A row does not fit.");
    return rows;
  }

  private insert(table: string, row: Row): boolean {
    const names = this.columns.get(table)!.map(({ name }) => name);
    const statement = this.database.query(
      `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => "?").join()})`,
    );
    return attempt(() => statement.run(...names.map((name) => row[name]!))) !== null;
  }

  private count(): void {
    this.database.run(
      `UPDATE datasets SET fileCount = (SELECT count(*) FROM files WHERE datasetId = datasets.id),
         chunkCount = (SELECT coalesce(sum(chunkCount), 0) FROM files WHERE datasetId = datasets.id)`,
    );
  }

  /** Numbers that were given once are not given again, as far as that can be read. */
  private keepNumbers(): void {
    const raise = this.database.query("UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1");
    const begin = this.database.query(
      "INSERT INTO sqlite_sequence (name, seq) SELECT ?1, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)",
    );
    for (const { name, seq } of readableRows(this.damaged, "sqlite_sequence")) {
      if (typeof name !== "string" || !this.columns.has(name) || !Number.isSafeInteger(seq)) continue;
      begin.run(name);
      raise.run(name, seq as number);
    }
  }
}

interface DatasetRow {
  readonly id: number;
  readonly customerId: string;
  readonly name: string;
  readonly generation: number;
}

/** Columns that earlier versions did not have. */
const noLanguages = { sha256: null, externalId: null, relativePath: null, language: null, ocrLanguages: null };
const JSON_COLUMNS = ["extraMeta", "properties", "transcriptionSrt", "ocrLanguages"];

const isParsable = (row: Row): boolean =>
  JSON_COLUMNS.every(
    (name) => typeof row[name] !== "string" || attempt(() => JSON.parse(row[name] as string)) !== null,
  );

function flushFile(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
