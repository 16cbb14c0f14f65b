/**
 * The data directory's secret: 32 random bytes in the file `secret`, made once, from which every signing key is
 * derived. Another one ends all tokens and download links at once.
 */
import { hkdfSync, randomBytes } from "node:crypto";
import { chmodSync, closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../errors.ts";

const SECRET_BYTES = 32;
const MEND = "Restore it from a backup, or delete it and start with `lectern serve --accept-loss`: all tokens and download links then end.";

/** What a derived key signs. Keys of different purposes say nothing about one another. */
export type Purpose = "frontend token" | "operator token" | "download link";

/** Reads the secret, making it when there is none; of several processes that try at once, all get the same. Throws OPERATION_FAILED when the file is damaged. */
export function loadSecret(dataDirectory: string): Uint8Array {
  const path = secretPath(dataDirectory);
  const secret = readSecret(path) ?? parseSecret(path, createSecret(dataDirectory, path));
  chmodSync(path, 0o600);
  return secret;
}

/** Whether there is a secret. Throws OPERATION_FAILED when it is damaged or cannot be read. */
export function checkSecret(dataDirectory: string): boolean {
  return readSecret(secretPath(dataDirectory)) !== null;
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
    throw fail("OPERATION_FAILED", { reason: `${path} cannot be read: ${(error as Error).message}. ${MEND}` }, undefined, error);
  }
  return parseSecret(path, text);
}

function parseSecret(path: string, text: string): Uint8Array {
  if (!/^[0-9a-f]{64}\s*$/.test(text)) throw fail("OPERATION_FAILED", { reason: `${path} does not hold 64 hexadecimal digits. ${MEND}` });
  return Buffer.from(text.trim(), "hex");
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
