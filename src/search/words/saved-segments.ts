/**
 * Segments on disk, so that opening a dataset need not read every chunk's words from SQLite: one file each, in a folder
 * beside the dataset's vectors, written once and deleted when its segment is merged with others. Nothing depends on them: a file that is
 * missing, damaged or left over costs the time to read its chunks from SQLite, and so nothing waits until they are durable.
 */
import { closeSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { indexFolder } from "../vectors/checkpoint.ts";
import { createSaved, openSaved, writeAt } from "../saved-file.ts";
import { Segment } from "./segment.ts";
import { decodeSegment, encodeSegment } from "./segment-file.ts";

/** Fewer rows are read from SQLite as fast. */
const LEAST_ROWS = 1024;
const FOLDER = /^(\d+)-words$/;
const FILE = /^segment-[0-9a-z]+-[0-9a-f]{8}$/;

const wordsFolder = (dataDirectory: string, datasetId: number): string =>
  join(indexFolder(dataDirectory), `${datasetId}-words`);

export class SavedSegments {
  private readonly folder: string;
  /** The file of every segment that has one. */
  private readonly files = new Map<Segment, string>();

  constructor(dataDirectory: string, datasetId: number) {
    this.folder = wordsFolder(dataDirectory, datasetId);
  }

  /** The saved segments, no chunk in two of them, one at a time. `onDamage` is told why one cannot be used; it is deleted. */
  *load(onDamage: (reason: string) => void): Generator<Segment> {
    for (const name of namesIn(this.folder, onDamage)) {
      const segment = FILE.test(name) ? this.read(name, onDamage) : null;
      if (segment === null || overlaps(segment, this.files.keys())) {
        this.remove(name, onDamage);
        continue;
      }
      this.files.set(segment, name);
      yield segment;
    }
  }

  /** Writes those of a dataset's segments that are worth it and have no file, and deletes the files of segments that are no more. Throws when that cannot be done. */
  save(segments: readonly Segment[]): void {
    for (const segment of segments) {
      if (segment.rows < LEAST_ROWS || this.files.has(segment)) continue;
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      const name = `segment-${Date.now().toString(36)}-${crypto.randomUUID().slice(0, 8)}`;
      writeWhole(join(this.folder, name), encodeSegment(segment.parts()));
      this.files.set(segment, name);
    }
    const present = new Set(segments);
    for (const [segment, name] of this.files) {
      if (present.has(segment)) continue;
      rmSync(join(this.folder, name), { force: true });
      this.files.delete(segment);
    }
    if (segments.length === 0) rmSync(this.folder, { recursive: true, force: true });
  }

  private read(name: string, onDamage: (reason: string) => void): Segment | null {
    try {
      return readSegment(join(this.folder, name));
    } catch (error) {
      onDamage((error as Error).message);
      return null;
    }
  }

  private remove(name: string, onDamage: (reason: string) => void): void {
    try {
      rmSync(join(this.folder, name), { recursive: true, force: true });
    } catch (error) {
      onDamage((error as Error).message);
    }
  }
}

/** The datasets, as indexes number them, that have segments saved. */
export function* datasetsWithSegments(dataDirectory: string): Generator<number> {
  for (const name of namesIn(indexFolder(dataDirectory))) {
    const [, datasetId] = FOLDER.exec(name) ?? [];
    if (datasetId !== undefined) yield Number(datasetId);
  }
}

/** Reads every saved segment of a dataset. Throws when one is not, byte for byte, what was written. */
export function verifySegments(dataDirectory: string, datasetId: number): void {
  const folder = wordsFolder(dataDirectory, datasetId);
  for (const name of namesIn(folder)) if (FILE.test(name)) readSegment(join(folder, name));
}

function readSegment(path: string): Segment {
  const descriptor = openSaved(path);
  try {
    return Segment.from(decodeSegment(new Uint8Array(readFileSync(descriptor))));
  } finally {
    closeSync(descriptor);
  }
}

/** Beside its name first: what is found under that is whole, as far as the disk keeps it. */
function writeWhole(path: string, bytes: Uint8Array): void {
  const temporary = `${path}.partial`;
  const descriptor = createSaved(temporary);
  try {
    writeAt(descriptor, bytes, 0);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, path);
}

/** Whether a chunk of the segment is in one of the others. */
function overlaps(segment: Segment, others: Iterable<Segment>): boolean {
  for (const other of others) {
    if (segment.last < other.first || other.last < segment.first) continue;
    if (segment.holdsAnyOf(other)) return true;
  }
  return false;
}

function namesIn(folder: string, onDamage: (reason: string) => void = () => {}): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") onDamage((error as Error).message);
    return [];
  }
}
