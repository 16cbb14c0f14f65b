/**
 * The manifest of a backup: JSON Lines, the head first, then a line for each file of the data directory or for some small ones that lie in one
 * part, and last the SHA-256 of all lines before. A backup is what its manifest says; whatever is read of one was possibly written by a stranger.
 */
import { createHash } from "node:crypto";
import { fail } from "../foundation/errors.ts";

export const FORMAT = "lectern backup";
/** Of this layout; the first had no packs. A program reads its own version's and all before. */
export const FORMAT_VERSION = 2;

/** Beyond it, a manifest is no manifest: some ten million files. */
export const MOST_MANIFEST_BYTES = 1024 ** 3;
/** What a pack may have: it is read at once. */
const MOST_PACK_BYTES = 1024 * 1024;
const SHA256 = /^[0-9a-f]{64}$/;
const FINGERPRINT = /^[0-9a-f]{32}$/;
const SEED = /^[0-9a-f]{16}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const LONGEST_PATH = 4096;

export interface Counts {
  readonly customers: number;
  readonly keys: number;
  readonly datasets: number;
  readonly documents: number;
  readonly passages: number;
}

export interface Head {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly id: string;
  /** The version of Lectern that made it. */
  readonly lectern: string;
  /** The moment that it holds, ISO 8601. */
  readonly created: string;
  /** The newest migration of each database: when it was generated, milliseconds since 1970. */
  readonly schemas: { readonly documents: number; readonly access: number };
  readonly counts: Counts;
  /** Names of the models that were left out; empty where all are in it. */
  readonly modelsLeftOut: readonly string[];
  /** Seeds of fingerprints: secret, so that nobody can choose a content to have another's. */
  readonly seeds: readonly [string, string];
  /** The archive that holds what this one leaves out; null: this one holds everything. */
  readonly base: Base | null;
}

export interface Base {
  readonly id: string;
  /** The archive's name without folders. */
  readonly name: string;
  readonly created: string;
}

export interface Entry {
  /** Relative to the data directory, "/" between folders. */
  readonly path: string;
  readonly bytes: number;
  /** When the file was last written, milliseconds since 1970. */
  readonly modified: number;
  /** Bytes of each part but the last. */
  readonly partBytes: number;
  /** SHA-256 of each part, in order. */
  readonly parts: readonly string[];
  /** Of each part, by which a part that is as it was is told without hashing it anew; only of databases. */
  readonly fingerprints?: readonly string[];
}

/** Small files in one part, each behind the one before. */
export interface Pack {
  /** Of the part. */
  readonly pack: string;
  readonly files: readonly PackedFile[];
}

/** As an `Entry` says it. */
export interface PackedFile extends Pick<Entry, "path" | "bytes" | "modified"> {
  readonly sha256: string;
}

/** All files of the data directory, each in one of both. */
export interface Files {
  /** By path. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly packs: readonly Pack[];
}

export interface Manifest extends Files {
  readonly head: Head;
  /** Bytes by SHA-256, of all parts. */
  readonly parts: ReadonlyMap<string, number>;
}

export function writeManifest(head: Head, { entries, packs }: Files): string {
  const lines = [head, ...entries.values(), ...packs].map((line) => JSON.stringify(line));
  const text = `${lines.join("\n")}\n`;
  return `${text}${JSON.stringify({ sha256: sha256Of(text) })}\n`;
}

/**
 * Reads a manifest; `place` names it in errors. Throws OPERATION_FAILED where it is not whole, was altered or would lead out of the data
 * directory, or a newer Lectern wrote it.
 */
export function readManifest(text: string, place: string): Manifest {
  const end = text.lastIndexOf("\n", text.length - 2) + 1;
  const body = text.slice(0, end);
  if (body === "" || text.slice(end) !== `${JSON.stringify({ sha256: sha256Of(body) })}\n`)
    throw fail("OPERATION_FAILED", {
      reason: `${place} is no whole backup: its manifest was cut short or altered. Use another backup.`,
    });
  const [first, ...lines] = body.trimEnd().split("\n");
  const head = checkHead(parse(first!), place);
  const entries = new Map<string, Entry>();
  const packs: Pack[] = [];
  const paths = new Set<string>();
  const parts = new Map<string, number>();
  const addPath = (path: string): void => {
    if (paths.has(path)) throw refused(place);
    paths.add(path);
  };
  const addPart = (sha256: string, bytes: number): void => {
    if ((parts.get(sha256) ?? bytes) !== bytes) throw refused(place);
    parts.set(sha256, bytes);
  };
  for (const line of lines) {
    const value = parse(line) as Entry | Pack | null;
    if (value === null) throw refused(place);
    if ("pack" in value) {
      if (!isPack(value)) throw refused(place);
      packs.push(value);
      for (const { path } of value.files) addPath(path);
      addPart(value.pack, bytesOf(value.files));
    } else {
      if (!isEntry(value)) throw refused(place);
      addPath(value.path);
      entries.set(value.path, value);
      value.parts.forEach((sha256, index) => addPart(sha256, partLength(value, index)));
    }
  }
  return { head, entries, packs, parts };
}

/** How many files there are, and how many bytes they have. */
export function sizeOf({ entries, packs }: Files): { files: number; bytes: number } {
  const files = [...entries.values(), ...packs.flatMap((pack) => pack.files)];
  return { files: files.length, bytes: bytesOf(files) };
}

export const bytesOf = (files: readonly Pick<Entry, "bytes">[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Bytes of one part of a file. */
export function partLength({ bytes, partBytes }: Pick<Entry, "bytes" | "partBytes">, index: number): number {
  return Math.min(partBytes, bytes - index * partBytes);
}

/** Whether a path stays below the folder that it is relative to. */
export function isInside(path: unknown): path is string {
  return (
    typeof path === "string" &&
    path.length <= LONGEST_PATH &&
    !path.includes("\0") &&
    path.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}

function checkHead(value: unknown, place: string): Head {
  const head = value as Head | null;
  if (head?.format !== FORMAT || !isCount(head.version)) throw refused(place);
  if (head.version > FORMAT_VERSION) throw newer(place, String(head.lectern));
  const counts = head.counts as Counts | undefined;
  const isWhole =
    isShort(head.lectern) &&
    UUID.test(head.id) &&
    isDate(head.created) &&
    isCount(head.schemas?.documents) &&
    isCount(head.schemas?.access) &&
    [counts?.customers, counts?.keys, counts?.datasets, counts?.documents, counts?.passages].every(isCount) &&
    Array.isArray(head.modelsLeftOut) &&
    head.modelsLeftOut.every(isShort) &&
    Array.isArray(head.seeds) &&
    head.seeds.length === 2 &&
    head.seeds.every((seed) => SEED.test(seed)) &&
    (head.base === null || isBase(head.base));
  if (!isWhole) throw refused(place);
  return head;
}

export function newer(place: string, version: string): Error {
  return fail("OPERATION_FAILED", {
    reason: `${place} was made by a newer version of Lectern (${version}). Use that version, or a newer one.`,
  });
}

const isBase = (base: Base): boolean =>
  UUID.test(base.id) && isShort(base.name) && isInside(base.name) && !base.name.includes("/") && isDate(base.created);

function isPack({ pack, files }: Pack): boolean {
  return (
    isSha256(pack) &&
    Array.isArray(files) &&
    files.length > 0 &&
    files.every(
      (file) =>
        typeof file === "object" &&
        file !== null &&
        isInside(file.path) &&
        isCount(file.bytes) &&
        Number.isSafeInteger(file.modified) &&
        isSha256(file.sha256),
    ) &&
    bytesOf(files) <= MOST_PACK_BYTES
  );
}

function isEntry({ path, bytes, modified, partBytes, parts, fingerprints }: Entry): boolean {
  return (
    isInside(path) &&
    isCount(bytes) &&
    Number.isSafeInteger(modified) &&
    isCount(partBytes) &&
    partBytes > 0 &&
    Array.isArray(parts) &&
    parts.length === Math.ceil(bytes / partBytes) &&
    parts.every(isSha256) &&
    (fingerprints === undefined ||
      (Array.isArray(fingerprints) &&
        fingerprints.length === parts.length &&
        fingerprints.every((fingerprint) => typeof fingerprint === "string" && FINGERPRINT.test(fingerprint))))
  );
}

const isSha256 = (value: unknown): value is string => typeof value === "string" && SHA256.test(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isShort = (value: unknown): value is string => typeof value === "string" && value !== "" && value.length <= 255;
const isDate = (value: unknown): boolean => isShort(value) && !Number.isNaN(Date.parse(value));

function parse(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex");

const refused = (place: string): Error =>
  fail("OPERATION_FAILED", {
    reason: `${place} is no backup that can be used: its manifest says what no backup of Lectern says. Use another backup.`,
  });
