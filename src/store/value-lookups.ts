/**
 * Looks values of one field up in the indexes of the database: which rows have one of them, a page at a time and in turns with other work.
 *
 * Rows are read with bun:sqlite itself: tens of thousands of them in one lookup, where every layer shows.
 */
import type { Database, Statement } from "bun:sqlite";
import { Turns } from "../foundation/turns.ts";
import { attributeText, isPlaceKey, placeAttribute } from "./attributes.ts";
import type { ChunkRange, Dataset, FilterValue } from "./types.ts";

const ROWS_AT_ONCE = 1024;

/** How far a dataset's files reach, or how much of them is known: the newest file's row and its last chunk. */
export interface Reach {
  readonly fileRow: number;
  readonly chunkId: number;
}

/** Columns: what pages go by, ascending; first chunk id, last chunk id. */
type Row = [at: number, first: number, last: number];

/** Parameters: the value's own, then from where on (exclusive), through where, how many rows. */
type Rows = Statement<unknown, (string | number)[]>;

/** What one value asks the database; null: nothing has it. */
interface Lookup {
  readonly rows: Rows;
  readonly parametersOf: (value: FilterValue) => (string | number)[] | null;
  readonly by: keyof Reach;
}

interface Reading {
  /** Only what lies behind it. */
  readonly after: Reach;
  readonly through: Reach;
  readonly turns: Turns;
  readonly found: ChunkRange[];
}

export function prepareValueLookups(database: Database) {
  const pages = (by: string) => `${by} > ? AND ${by} <= ? ORDER BY ${by} LIMIT ?`;
  // Each by its own index: SQLite would rather go through a whole dataset than sort one value's few rows.
  const fileRows = (index: string, condition: string): Rows =>
    database.prepare(
      `SELECT id, firstChunkId, firstChunkId + chunkCount - 1 FROM files INDEXED BY ${index} WHERE ${condition} AND ${pages("id")}`,
    );
  const newest = database.prepare<Reach, [number]>(
    "SELECT id AS fileRow, firstChunkId + chunkCount - 1 AS chunkId FROM files WHERE datasetId = ? ORDER BY id DESC LIMIT 1",
  );
  const ofDataset = fileRows("files_dataset", "datasetId = ?");
  const byFileId = fileRows("files_fileId", "datasetId = ? AND fileId = ?");
  const byName = fileRows("files_dataset_name", "datasetId = ? AND originalName = ?");
  const byAttribute: Rows = database.prepare(
    `SELECT fileRow, firstChunkId, lastChunkId FROM fileAttributes WHERE datasetId = ? AND key = ? AND value = ? AND ${pages("fileRow")}`,
  );
  const byPlace: Rows = database.prepare(
    `SELECT chunkId, chunkId, chunkId FROM chunkAttributes WHERE attribute = ? AND ${pages("chunkId")}`,
  );

  /** Of all that these find. */
  function lookupsFor({ id }: Pick<Dataset, "id">, key: string): Lookup[] {
    const by = "fileRow";
    const ofText = (rows: Rows): Lookup => ({
      rows,
      parametersOf: (value) => (typeof value === "string" ? [id, value.toWellFormed()] : null),
      by,
    });
    if (key === "fileId") return [ofText(byFileId)];
    if (key === "originalName") return [ofText(byName)];
    const keyText = attributeText(key);
    const ofFiles: Lookup = { rows: byAttribute, parametersOf: (value) => [id, keyText, attributeText(value)], by };
    // A file's own metadata may speak of what its format does not know.
    if (!isPlaceKey(key)) return [ofFiles];
    const parametersOf = (value: FilterValue) => [placeAttribute(id, { key, value })];
    return [ofFiles, { rows: byPlace, parametersOf, by: "chunkId" }];
  }

  async function read(
    { rows, by }: Pick<Lookup, "rows" | "by">,
    parameters: (string | number)[],
    { after, through, turns, found }: Reading,
  ): Promise<void> {
    for (let from = after[by]; ; ) {
      const page = rows.values(...parameters, from, through[by], ROWS_AT_ONCE) as Row[];
      for (const [, first, last] of page) found.push({ first, last });
      if (turns.isOver) await turns.pause();
      if (page.length < ROWS_AT_ONCE) return;
      from = page.at(-1)![0];
    }
  }

  return {
    /** Where a dataset's files end; null where it has none. */
    reach: (datasetId: number): Reach | null => newest.get(datasetId),

    /** The chunks of the dataset's files behind `after`, a range for each file, ascending. */
    async files(datasetId: number, after: Reach, through: Reach): Promise<ChunkRange[]> {
      const reading = { after, through, turns: new Turns(), found: [] };
      await read({ rows: ofDataset, by: "fileRow" }, [datasetId], reading);
      return reading.found;
    },

    /** The chunks that have one of the values under the key, in any order. Of places, chunks of other datasets may be among them. */
    async having(
      dataset: Pick<Dataset, "id">,
      key: string,
      values: readonly FilterValue[],
      after: Reach,
      through: Reach,
    ): Promise<ChunkRange[]> {
      const reading = { after, through, turns: new Turns(), found: [] };
      for (const lookup of lookupsFor(dataset, key))
        for (const value of values) {
          const parameters = lookup.parametersOf(value);
          if (parameters !== null) await read(lookup, parameters, reading);
        }
      return reading.found;
    },
  };
}
