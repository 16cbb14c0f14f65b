/**
 * What stands in the file `checkpoint`: a line with its format and its checksum, a line of JSON, and the chunk ids of the rows.
 * Pure. Whoever reads it back gets what was written or a refusal, whatever became of the bytes in between.
 */
import type { GraphParameters } from "./graph.ts";

export const CHECKPOINT_FORMAT = 5;
/** Formats 1 and 2 began with their JSON. */
const OLDER_FORMATS = "{".charCodeAt(0);
const NEW_LINE = "\n".charCodeAt(0);
/** Rows of a row file under one checksum. */
export const BLOCK_ROWS = 4096;
/** Bytes of a graph file under one checksum. */
export const BLOCK_BYTES = 8 * 1024 * 1024;
const SKETCH_FILE = /^sketches-[0-9a-z]+-[0-9a-f]{8}\.bits$/;
const GRAPH_FILE = /^graph-[0-9a-z]+-[0-9a-f]{8}\.usearch$/;

/** What a checkpoint must agree with to be of use. */
export interface CheckpointIdentity {
  readonly modelId: string;
  readonly dimensions: number;
  readonly parameters: GraphParameters;
}

export interface Checkpoint {
  readonly sketches: RowFile;
  readonly graph: SavedGraph | null;
  /** The chunk of each row. */
  readonly chunkIds: Float64Array;
}

/** A file of rows of equal length, one for each of the checkpoint's, behind one another. */
export interface RowFile {
  readonly file: string;
  /** xxHash64 of each BLOCK_ROWS rows, the last block perhaps shorter. */
  readonly hashes: readonly string[];
}

export interface SavedGraph {
  readonly file: string;
  readonly bytes: number;
  /** xxHash64 of each BLOCK_BYTES. */
  readonly hashes: readonly string[];
  /** It covers the rows before this one. */
  readonly rows: number;
}

interface Header extends CheckpointIdentity, Omit<Checkpoint, "chunkIds"> {
  readonly rows: number;
}

export const newSketchFile = (): string => `sketches-${newGeneration()}.bits`;
export const newGraphFile = (): string => `graph-${newGeneration()}.usearch`;
const newGeneration = (): string => `${Date.now().toString(36)}-${crypto.randomUUID().slice(0, 8)}`;

/** xxHash64, hexadecimal: against damage, not against forgery. */
export const checksum = (bytes: Uint8Array | Int8Array): string => Bun.hash.xxHash64(bytes).toString(16);

/** The bytes of the file. */
export function encodeCheckpoint(
  { modelId, dimensions, parameters }: CheckpointIdentity,
  { chunkIds, sketches, graph }: Checkpoint,
): Buffer {
  const header: Header = { modelId, dimensions, parameters, sketches, graph, rows: chunkIds.length };
  const ids = new Uint8Array(chunkIds.buffer, chunkIds.byteOffset, chunkIds.byteLength);
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ids]);
  return Buffer.concat([Buffer.from(`${CHECKPOINT_FORMAT} ${checksum(content)}\n`), content]);
}

/** What `encodeCheckpoint` was given; null for another format. Throws for everything that it does not write. */
export function decodeCheckpoint(bytes: Buffer): { identity: CheckpointIdentity; checkpoint: Checkpoint } | null {
  if (bytes[0] === OLDER_FORMATS) return null;
  const start = bytes.indexOf(NEW_LINE) + 1;
  const [, format, expected] =
    /^(\d{1,9}) ([0-9a-f]{1,16})\n$/.exec(bytes.toString("latin1", 0, Math.min(start, 32))) ??
    refuse("it does not begin as one");
  if (Number(format) !== CHECKPOINT_FORMAT) return null;
  const content = bytes.subarray(start);
  if (checksum(content) !== expected) refuse("its checksum does not match");
  const headerEnd = content.indexOf(NEW_LINE);
  if (headerEnd < 0) refuse("it has no head");
  const header = JSON.parse(content.toString("utf8", 0, headerEnd)) as Header;
  // Copied: a Float64Array must begin at a multiple of eight.
  const chunkIds = new Uint8Array(content.subarray(headerEnd + 1));
  return checkHeader(header, chunkIds);
}

function checkHeader(header: Header, ids: Uint8Array): { identity: CheckpointIdentity; checkpoint: Checkpoint } {
  const { modelId, dimensions, parameters, sketches, graph, rows } = header;
  if (
    typeof modelId !== "string" ||
    !isNatural(dimensions) ||
    !isNatural(parameters?.connectivity) ||
    !isNatural(parameters.expansionAdd)
  )
    refuse("it does not say what made it");
  if (!isNatural(rows) || ids.byteLength !== rows * 8) refuse("it holds fewer or more rows than it says");
  if (!isRowFile(sketches, rows)) refuse("it does not say which sketches are its own");
  if (graph !== null && !isGraph(graph, rows)) refuse("it does not say which graph is its own");
  const chunkIds = new Float64Array(ids.buffer);
  if (!chunkIds.every(isNatural)) refuse("its rows are not those of chunks");
  return { identity: { modelId, dimensions, parameters }, checkpoint: { sketches, graph, chunkIds } };
}

const isRowFile = (saved: RowFile | undefined, rows: number): boolean =>
  isName(saved?.file, SKETCH_FILE) && areChecksums(saved?.hashes, rows / BLOCK_ROWS);
const isGraph = ({ file, bytes, hashes, rows }: SavedGraph, most: number): boolean =>
  isName(file, GRAPH_FILE) &&
  isNatural(bytes) &&
  areChecksums(hashes, bytes / BLOCK_BYTES) &&
  isNatural(rows) &&
  rows <= most;
const isNatural = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isName = (value: unknown, pattern: RegExp): boolean => typeof value === "string" && pattern.test(value);
const areChecksums = (value: unknown, blocks: number): boolean =>
  Array.isArray(value) && value.length === Math.ceil(blocks) && value.every((one) => isName(one, /^[0-9a-f]{1,16}$/));

function refuse(reason: string): never {
  throw new Error(`the checkpoint is damaged: ${reason}`);
}
