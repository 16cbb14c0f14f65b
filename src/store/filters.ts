/**
 * Turns metadata filters into ranges of chunk ids. Each filter of a dataset is resolved once and remembered; since files
 * never change and their rows only ascend, a remembered answer needs nothing but the rows that came after it.
 *
 * Rows are read with bun:sqlite itself: tens of thousands of them in one lookup, where every layer shows.
 */
import type { Database, Statement } from "bun:sqlite";
import { attributeText, isPlaceKey, placeAttribute } from "./attributes.ts";
import { indexedChunk } from "./generations.ts";
import type { ChunkRange, Dataset, MetadataFilter } from "./types.ts";
import { appendRange, intersectRanges, joinRanges } from "./ranges.ts";

type DatasetName = Pick<Dataset, "id" | "generation" | "customerId" | "name">;

/** Columns: file row, or the chunk's id where chunks are looked up; first chunk id, last chunk id; ascending. */
type RangeRow = [row: number, first: number, last: number];

interface Resolved {
  datasetId: number;
  ranges: readonly ChunkRange[];
  /** The newest row that was looked at. */
  throughRow: number;
}

/** What one filter asks the database; the newest row already seen is added as the last parameter. */
interface Question {
  statement: Statement<unknown, (string | number)[]>;
  parameters: (string | number)[];
}

export interface Filters {
  matching(dataset: DatasetName, filters: readonly MetadataFilter[]): readonly ChunkRange[];
  /** Drops what is remembered of a dataset: after a delete, so that ranges of deleted files do not pile up. */
  forget(datasetId: number): void;
}

const NOTHING: readonly ChunkRange[] = [];
/** Counted for an answer besides its ranges, so that a million empty answers are not free. */
const ENTRY_COST = 16;

/** `maxCachedRanges` bounds what is remembered over all datasets; what was not used longest goes first. */
export function prepareFilters(database: Database, maxCachedRanges: number): Filters {
  // In the order of use: a Map iterates in the order of insertion, and every use inserts anew.
  const remembered = new Map<string, Resolved>();
  let cost = 0;

  const fileRange = (condition: string) =>
    database.prepare<unknown, (string | number)[]>(
      `SELECT id, firstChunkId, firstChunkId + chunkCount - 1 FROM files WHERE ${condition} AND id > ? ORDER BY id`,
    );
  const wholeDataset = fileRange("datasetId = ?");
  const byFileId = fileRange("datasetId = ? AND fileId = ?");
  const byName = fileRange("datasetId = ? AND originalName = ?");
  const byChunkIndex = database.prepare<unknown, (string | number)[]>(
    "SELECT id, firstChunkId + ?2, firstChunkId + ?2 FROM files WHERE datasetId = ?1 AND chunkCount > ?2 AND id > ?3 ORDER BY id",
  );
  const byAttribute = database.prepare<unknown, (string | number)[]>(
    "SELECT fileRow, firstChunkId, lastChunkId FROM fileAttributes WHERE datasetId = ? AND key = ? AND value = ? AND fileRow > ? ORDER BY fileRow",
  );

  const byPlace = database.prepare<unknown, (string | number)[]>(
    "SELECT chunkId, chunkId, chunkId FROM chunkAttributes WHERE attribute = ? AND chunkId > ? ORDER BY chunkId",
  );

  /** Of all that these find; none: nothing can match. The fields that belong to the service come before the file's own. */
  function questionsFor(dataset: DatasetName, filter: MetadataFilter): Question[] {
    const { key, value } = filter;
    const question = questionFor(dataset, filter);
    if (question === null) return [];
    // A file's own metadata may speak of what its format does not know.
    if (!isPlaceKey(key)) return [question];
    return [question, { statement: byPlace, parameters: [placeAttribute(dataset.id, { key, value })] }];
  }

  function questionFor(dataset: DatasetName, { key, value }: MetadataFilter): Question | null {
    switch (key) {
      case "customerId":
        return isText(value, dataset.customerId) ? { statement: wholeDataset, parameters: [dataset.id] } : null;
      case "datasetId":
        return isText(value, dataset.name) ? { statement: wholeDataset, parameters: [dataset.id] } : null;
      case "fileId":
        return typeof value === "string" ? { statement: byFileId, parameters: [dataset.id, value] } : null;
      case "originalName":
        return typeof value === "string" ? { statement: byName, parameters: [dataset.id, value.toWellFormed()] } : null;
      case "chunkIndex":
        return typeof value === "number" && Number.isSafeInteger(value) && value >= 0
          ? { statement: byChunkIndex, parameters: [dataset.id, value] }
          : null;
      default:
        return { statement: byAttribute, parameters: [dataset.id, attributeText(key), attributeText(value)] };
    }
  }

  function resolve(dataset: DatasetName, name: string, question: Question): readonly ChunkRange[] {
    const known = remembered.get(name);
    const rows = question.statement.values(...question.parameters, known?.throughRow ?? 0) as RangeRow[];
    const newest = rows.at(-1);
    if (known && !newest) {
      remembered.delete(name);
      remembered.set(name, known);
      return known.ranges;
    }
    // Copied, since the older list may be in the hands of a search.
    const ranges = known ? known.ranges.slice() : [];
    for (const [, first, last] of rows)
      appendRange(ranges, indexedChunk(first, dataset.generation), indexedChunk(last, dataset.generation));
    remember(name, { datasetId: dataset.id, ranges, throughRow: newest?.[0] ?? 0 });
    return ranges;
  }

  function remember(name: string, resolved: Resolved): void {
    drop(name);
    remembered.set(name, resolved);
    cost += resolved.ranges.length + ENTRY_COST;
    for (const oldest of remembered.keys()) {
      if (cost <= maxCachedRanges) break;
      drop(oldest);
    }
  }

  function drop(name: string): void {
    const resolved = remembered.get(name);
    if (!resolved) return;
    remembered.delete(name);
    cost -= resolved.ranges.length + ENTRY_COST;
  }

  return {
    matching(dataset, filters) {
      let ranges: readonly ChunkRange[] | undefined;
      const all: readonly (MetadataFilter | null)[] = filters.length > 0 ? filters : [null];
      for (const filter of all) {
        const questions = filter
          ? questionsFor(dataset, filter)
          : [{ statement: wholeDataset, parameters: [dataset.id] }];
        const indexed = `${dataset.id}.${dataset.generation}`;
        const name = filter ? `${indexed} ${attributeText(filter.key)}=${attributeText(filter.value)}` : indexed;
        const found = questions.map((question, at) => resolve(dataset, at === 0 ? name : `${name} #${at}`, question));
        const holding = found.filter(({ length }) => length > 0);
        const resolved = holding.length > 1 ? joinRanges(holding.flat()) : (holding[0] ?? NOTHING);
        ranges = ranges ? intersectRanges(ranges, resolved) : resolved;
        if (ranges.length === 0) return NOTHING;
      }
      return ranges ?? NOTHING;
    },

    forget(datasetId) {
      for (const [name, resolved] of remembered) if (resolved.datasetId === datasetId) drop(name);
    },
  };
}

function isText(value: MetadataFilter["value"], expected: string): boolean {
  return typeof value === "string" && value.toWellFormed() === expected;
}
