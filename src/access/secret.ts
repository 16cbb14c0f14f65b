/**
 * The data directory's secret: 32 random bytes in the file `secret`, made once, from which every signing key is
 * derived. Another one ends all tokens and download links at once.
 */
import type { Database } from "bun:sqlite";
import { hkdfSync, randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fail } from "../foundation/errors.ts";

const SECRET_BYTES = 32;
const NOTHING_NOTED = 0;
const MEND =
  "Restore it from a backup, or delete it and start with `lectern serve --accept-loss`: all tokens and download links then end.";

/** What a derived key signs. Keys of different purposes say nothing about one another. */
export type Purpose = "frontend token" | "operator token" | "download link" | "fingerprint";

/**
 * Reads the secret, making it when there is none; of several processes that try at once, all get the same. `database` is `access.db`, where
 * a fingerprint of it is noted. Throws OPERATION_FAILED when the file is damaged, or is not the one that was noted.
 */
export function loadSecret(dataDirectory: string, database: Database): Uint8Array {
  const path = secretPath(dataDirectory);
  const present = readSecret(path);
  const secret = present ?? parseSecret(path, createSecret(dataDirectory, path));
  chmodSync(path, 0o600);
  if (present === null || notedFingerprint(database) === NOTHING_NOTED)
    database.run(`PRAGMA user_version = ${fingerprintOf(secret)}`);
  else checkFingerprint(path, secret, database);
  return secret;
}

/** Whether there is a secret. Throws OPERATION_FAILED when it is damaged, cannot be read, or (`database` null: there is none) is not the one that was noted. */
export function checkSecret(dataDirectory: string, database: Database | null): boolean {
  const path = secretPath(dataDirectory);
  const secret = readSecret(path);
  if (secret !== null && database !== null && notedFingerprint(database) !== NOTHING_NOTED)
    checkFingerprint(path, secret, database);
  return secret !== null;
}

export function secretPath(dataDirectory: string): string {
  return join(dataDirectory, "secret");
}

/** HKDF-SHA256 (RFC 5869), 32 bytes. With `incarnation`, a key of that customer alone. */
export function deriveKey(secret: Uint8Array, purpose: Purpose, incarnation: string | null = null): Uint8Array {
  const information = incarnation === null ? `lectern ${purpose}` : `lectern ${purpose} of ${incarnation}`;
  return new Uint8Array(hkdfSync("sha256", secret, new Uint8Array(0), information, 32));
}

/** Written elsewhere and linked into place, which fails when the name is taken: nobody ever reads half a secret or another one. */
function createSecret(dataDirectory: string, path: string): string {
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}-${randomBytes(6).toString("hex")}`;
  const file = openSync(draft, "wx", 0o600);
  try {
    writeSync(file, `${randomBytes(SECRET_BYTES).toString("hex")}\n`);
    fsyncSync(file);
    linkSync(draft, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    closeSync(file);
    unlinkSync(draft);
  }
  return readFileSync(path, "utf8");
}

/** null when there is none. */
function readSecret(path: string): Uint8Array | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw fail(
      "OPERATION_FAILED",
      { reason: `${path} cannot be read: ${(error as Error).message}. ${MEND}` },
      undefined,
      error,
    );
  }
  return parseSecret(path, text);
}

function checkFingerprint(path: string, secret: Uint8Array, database: Database): void {
  if (notedFingerprint(database) === fingerprintOf(secret)) return;
  throw fail("OPERATION_FAILED", {
    reason: `${path} is not the secret by which the tokens and download links of this data directory were signed. ${MEND}`,
  });
}

/** 31 bits that tell damage and mix-ups, and nothing of the secret; kept in the database's `user_version`, which nothing else uses. */
const fingerprintOf = (secret: Uint8Array): number =>
  (Buffer.from(deriveKey(secret, "fingerprint")).readUInt32BE() >>> 1) | 1;

const notedFingerprint = (database: Database): number =>
  database.query<{ user_version: number }, []>("PRAGMA user_version").get()!.user_version;

function parseSecret(path: string, text: string): Uint8Array {
  if (!/^[0-9a-f]{64}\s*$/.test(text))
    throw fail("OPERATION_FAILED", { reason: `${path} does not hold 64 hexadecimal digits. ${MEND}` });
  return Buffer.from(text.trim(), "hex");
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
