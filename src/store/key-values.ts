/**
 * What the files and chunks of one dataset say under one key, in memory: what ranges of values are looked for in. Stored texts do not sort as
 * values do, and long ones are stored as hashes. Files never change and their rows only ascend, so it is only ever added to.
 */
import type { Database, Statement } from "bun:sqlite";
import type { PassagePlace } from "../foundation/place.ts";
import { Turns } from "../foundation/turns.ts";
import { attributeOf, isPlaceKey, placeAttribute, placeNumbers } from "./attributes.ts";
import { appendRange } from "./ranges.ts";
import type { ChunkRange, FilterValue, ValueRange } from "./types.ts";
import { intervalOf, rangeTest, toComparable, type Interval } from "./value-range.ts";

const FILES_AT_ONCE = 64;
const CHUNKS_AT_ONCE = 1024;
/** Values compared between two looks at the clock. */
const COMPARED_AT_ONCE = 8192;

interface FileFields {
  readonly id: number;
  readonly fileId: string;
  readonly originalName: string;
  readonly firstChunkId: number;
  readonly lastChunkId: number;
  readonly extraMeta: string | null;
  readonly properties: string | null;
  readonly relativePath: string | null;
}

/** The lookups, prepared once for a connection. */
export interface KeyReads {
  readonly files: Statement<FileFields, [datasetId: number, after: number, through: number, limit: number]>;
  readonly places: Statement<unknown, [firstChunk: number, lastChunk: number, first: number, last: number]>;
  readonly place: Statement<{ place: string | null }, [chunkId: number]>;
}

export function prepareKeyReads(database: Database): KeyReads {
  return {
    files: database.prepare(
      `SELECT id, fileId, originalName, firstChunkId, firstChunkId + chunkCount - 1 AS lastChunkId, extraMeta, properties, relativePath
       FROM files WHERE datasetId = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?`,
    ),
    places: database.prepare(
      "SELECT chunkId, attribute FROM chunkAttributes WHERE chunkId BETWEEN ? AND ? AND attribute BETWEEN ? AND ? ORDER BY chunkId, attribute",
    ),
    place: database.prepare("SELECT place FROM chunks WHERE id = ?"),
  };
}

export class KeyValues {
  // In parallel, by the first of the chunks: a value, as a number (NaN where it is none), when it begins if it is a date, and the chunks.
  private readonly values: (string | number)[] = [];
  private readonly numbers = new NumberColumn();
  private readonly moments = new NumberColumn();
  private readonly firsts = new NumberColumn();
  private readonly lasts = new NumberColumn();
  private throughRow = 0;
  private extending: Promise<void> | null = null;
  /** What attributes that are hashes stand for. */
  private readonly hashed = new Map<number, FilterValue>();

  constructor(
    private readonly reads: KeyReads,
    private readonly datasetId: number,
    private readonly key: string,
  ) {}

  /** What it takes, in ranges of chunks. */
  get cost(): number {
    return 3 * this.values.length + this.hashed.size;
  }

  /** Reads the files up to the given row that it does not know yet; false where there are none. */
  async extend(throughRow: number): Promise<boolean> {
    if (this.throughRow >= throughRow) return false;
    // One at a time: another search may be reading them.
    while (this.throughRow < throughRow)
      await (this.extending ??= this.read(throughRow).finally(() => (this.extending = null)));
    return true;
  }

  /** The chunks that have a value in the range, ascending and disjoint. */
  async matching(range: ValueRange): Promise<ChunkRange[]> {
    const interval = intervalOf(range);
    const turns = new Turns();
    const found: ChunkRange[] = [];
    const isWithin = interval === null ? rangeTest(range) : null;
    for (let from = 0; from < this.values.length; from += COMPARED_AT_ONCE) {
      await turns.pause();
      const end = Math.min(this.values.length, from + COMPARED_AT_ONCE);
      if (interval !== null) this.findBetween(interval, from, end, found);
      else
        for (let at = from; at < end; at++)
          if (isWithin!(this.values[at]!, this.moments.data[at]!)) this.take(at, found);
    }
    return found;
  }

  private findBetween({ of, low, high }: Interval, from: number, end: number, found: ChunkRange[]): void {
    const { data } = this[of];
    for (let at = from; at < end; at++) if (data[at]! >= low && data[at]! <= high) this.take(at, found);
  }

  private take(at: number, found: ChunkRange[]): void {
    appendRange(found, this.firsts.data[at]!, this.lasts.data[at]!);
  }

  private async read(throughRow: number): Promise<void> {
    const turns = new Turns();
    for (;;) {
      const files = this.reads.files.all(this.datasetId, this.throughRow, throughRow, FILES_AT_ONCE);
      for (const file of files) {
        if (!isPlaceKey(this.key) || !(await this.readPlaces(file, turns))) this.readFile(file);
        this.throughRow = file.id;
        await turns.pause();
      }
      if (files.length < FILES_AT_ONCE) break;
    }
    this.throughRow = throughRow;
  }

  private readFile(file: FileFields): void {
    const value = this.key === "fileId" || this.key === "originalName" ? file[this.key] : attributeOf(file, this.key);
    this.add(value, file.firstChunkId, file.lastChunkId);
  }

  /** False where no chunk's place says anything: then the file does. */
  private async readPlaces(file: FileFields, turns: Turns): Promise<boolean> {
    const { first, firstHash, last } = placeNumbers(this.datasetId, this.key);
    let isPlaced = false;
    for (let from = file.firstChunkId; from <= file.lastChunkId; from += CHUNKS_AT_ONCE) {
      const rows = this.reads.places.values(from, Math.min(file.lastChunkId, from + CHUNKS_AT_ONCE - 1), first, last);
      for (const [chunkId, attribute] of rows as [number, number][]) {
        isPlaced = true;
        this.add(
          attribute < firstHash ? attribute - first : this.hashedValue(file, chunkId, attribute),
          chunkId,
          chunkId,
        );
        if (turns.isOver) await turns.pause();
      }
    }
    return isPlaced;
  }

  /** What an attribute stands for that a chunk has: its place says it, or its file for it. */
  private hashedValue(file: FileFields, chunkId: number, attribute: number): FilterValue | undefined {
    const known = this.hashed.get(attribute);
    if (known !== undefined) return known;
    const json = this.reads.place.get(chunkId)?.place ?? null;
    const place = json === null ? {} : (JSON.parse(json) as PassagePlace);
    const value = [(place as Record<string, FilterValue | undefined>)[this.key], attributeOf(file, this.key)].find(
      (one) => one !== undefined && placeAttribute(this.datasetId, { key: this.key, value: one }) === attribute,
    );
    if (value !== undefined) this.hashed.set(attribute, value);
    return value;
  }

  private add(value: FilterValue | undefined, first: number, last: number): void {
    if (value === undefined || typeof value === "boolean") return;
    const previous = this.values.length - 1;
    if (this.values[previous] === value && this.lasts.data[previous] === first - 1) {
      this.lasts.data[previous] = last;
      return;
    }
    this.values.push(value);
    this.numbers.push(typeof value === "number" ? value : Number.NaN);
    this.moments.push(toComparable(value).moment);
    this.firsts.push(first);
    this.lasts.push(last);
  }
}

/** Numbers one behind the other, compared a hundred times faster than in an array of values. */
class NumberColumn {
  data = new Float64Array(64);
  private length = 0;

  push(value: number): void {
    if (this.length === this.data.length) {
      const wider = new Float64Array(2 * this.length);
      wider.set(this.data);
      this.data = wider;
    }
    this.data[this.length++] = value;
  }
}
