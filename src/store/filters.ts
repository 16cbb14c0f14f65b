/**
 * Turns metadata filters into ranges of chunk ids, before a search. What each filter of a dataset finds is remembered; since files never
 * change and their rows only ascend, a remembered answer needs nothing but the rows that came after it.
 */
import type { Database } from "bun:sqlite";
import { attributeText } from "./attributes.ts";
import { indexedChunk } from "./generations.ts";
import { KeyValues, prepareKeyReads } from "./key-values.ts";
import { positionsOf, type Positions } from "./positions.ts";
import { appendRange, intersectRanges, joinRanges, withoutRanges } from "./ranges.ts";
import { Remembered } from "./remembered.ts";
import type { ChunkRange, Dataset, FilterValue, MetadataFilter, ValueRange } from "./types.ts";
import { prepareValueLookups, type Reach } from "./value-lookups.ts";
import { rangeTest, toComparable } from "./value-range.ts";

type DatasetName = Pick<Dataset, "id" | "generation" | "customerId" | "name">;

interface Resolved {
  readonly ranges: readonly ChunkRange[];
  /** What was looked at. */
  readonly through: Reach;
}

export interface Filters {
  matching(dataset: DatasetName, filters: readonly MetadataFilter[]): Promise<readonly ChunkRange[]>;
  /** Drops what is remembered of a dataset: after a delete, so that ranges of deleted files do not pile up. */
  forget(datasetId: number): void;
}

const NOTHING: readonly ChunkRange[] = [];
const START: Reach = { fileRow: 0, chunkId: 0 };

/** `maxCachedRanges` bounds what is remembered over all datasets. */
export function prepareFilters(database: Database, maxCachedRanges: number): Filters {
  const remembered = new Remembered<Resolved | KeyValues>(maxCachedRanges);
  const lookups = prepareValueLookups(database);
  const keyReads = prepareKeyReads(database);

  /** Chunks that `find` finds in the files up to `through`, behind those that are known already. */
  async function resolve(
    { id, generation }: DatasetName,
    about: string,
    through: Reach,
    find: (after: Reach) => Promise<ChunkRange[]>,
  ): Promise<readonly ChunkRange[]> {
    const name = `${id}.${generation} ${about}`;
    const known = remembered.get(name) as Resolved | undefined;
    if (known && known.through.fileRow >= through.fileRow) return known.ranges;
    const found = joinRanges(await find(known?.through ?? START));
    // Copied, since the older list may be in the hands of a search.
    const ranges = known?.ranges.slice() ?? [];
    for (const { first, last } of found)
      appendRange(ranges, indexedChunk(first, generation), indexedChunk(last, generation));
    remembered.set(name, id, { ranges, through }, ranges.length);
    return ranges;
  }

  const whole = (dataset: DatasetName, through: Reach): Promise<readonly ChunkRange[]> =>
    resolve(dataset, "", through, (after) => lookups.files(dataset.id, after, through));

  /** Of each file the chunks at these positions. */
  const atPositions = (dataset: DatasetName, about: string, positions: Positions, through: Reach) =>
    resolve(dataset, about, through, async (after) =>
      positions.within(await lookups.files(dataset.id, after, through)),
    );

  /** The fields that belong to the service come before the file's own. */
  async function having(
    dataset: DatasetName,
    key: string,
    values: readonly FilterValue[],
    through: Reach,
  ): Promise<readonly ChunkRange[]> {
    const constant = constantOf(dataset, key);
    if (constant !== undefined)
      return values.some((value) => typeof value === "string" && value.toWellFormed() === constant)
        ? whole(dataset, through)
        : NOTHING;
    const about = `${attributeText(key)}=${attributeText(JSON.stringify(values))}`;
    if (key === "chunkIndex") return atPositions(dataset, about, positionsOf.values(values), through);
    return resolve(dataset, about, through, (after) => lookups.having(dataset, key, values, after, through));
  }

  async function within(
    dataset: DatasetName,
    key: string,
    range: ValueRange,
    through: Reach,
  ): Promise<readonly ChunkRange[]> {
    const constant = constantOf(dataset, key);
    if (constant !== undefined)
      return rangeTest(range)(constant, toComparable(constant).moment) ? whole(dataset, through) : NOTHING;
    if (key === "chunkIndex") {
      const about = `${attributeText(key)} in ${JSON.stringify(range)}`;
      return atPositions(dataset, about, positionsOf.range(range), through);
    }
    const name = `${dataset.id} values of ${attributeText(key)}`;
    const values = (remembered.get(name) as KeyValues | undefined) ?? new KeyValues(keyReads, dataset.id, key);
    if (await values.extend(through.fileRow)) remembered.set(name, dataset.id, values, values.cost);
    const ranges = await values.matching(range);
    return ranges.map(({ first, last }) => ({
      first: indexedChunk(first, dataset.generation),
      last: indexedChunk(last, dataset.generation),
    }));
  }

  async function rangesOf(
    dataset: DatasetName,
    filter: MetadataFilter,
    through: Reach,
  ): Promise<readonly ChunkRange[]> {
    const { key } = filter;
    if ("range" in filter) return within(dataset, key, filter.range, through);
    if ("not" in filter)
      return withoutRanges(await whole(dataset, through), await having(dataset, key, filter.not, through));
    return having(dataset, key, "any" in filter ? filter.any : [filter.value], through);
  }

  return {
    async matching(dataset, filters) {
      // All filters look at the same files: what is added meanwhile could pass one that has not seen it.
      const through = lookups.reach(dataset.id);
      if (through === null) return NOTHING;
      if (filters.length === 0) return whole(dataset, through);
      let ranges: readonly ChunkRange[] | undefined;
      for (const filter of filters) {
        const found = await rangesOf(dataset, filter, through);
        ranges = ranges ? intersectRanges(ranges, found) : found;
        if (ranges.length === 0) return NOTHING;
      }
      return ranges ?? NOTHING;
    },

    forget(datasetId) {
      remembered.forget(datasetId);
    },
  };
}

/** What is the same of every file of a dataset. */
function constantOf({ customerId, name }: DatasetName, key: string): string | undefined {
  return key === "customerId" ? customerId : key === "datasetId" ? name : undefined;
}
