/**
 * The data directory's secret: 32 random bytes in the file `secret`, made once, from which every signing key is
 * derived. Another one ends all tokens and download links at once.
 */
import { hkdfSync, randomBytes } from "node:crypto";
import { chmodSync, closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../errors.ts";

const SECRET_BYTES = 32;

/** What a derived key signs. Keys of different purposes say nothing about one another. */
export type Purpose = "frontend token" | "operator token" | "download link";

/** Reads the secret, making it when there is none; of several processes that try at once, all get the same. Throws OPERATION_FAILED when the file is damaged. */
export function loadSecret(dataDirectory: string): Uint8Array {
  const path = join(dataDirectory, "secret");
  const text = readIfThere(path) ?? createSecret(dataDirectory, path);
  if (!/^[0-9a-f]{64}\s*$/.test(text)) {
    throw fail("OPERATION_FAILED", {
      reason: `${path} does not hold 64 hexadecimal digits. Restore it from a backup, or delete it and start with "lectern serve --accept-loss": all tokens and download links then end.`,
    });
  }
  chmodSync(path, 0o600);
  return Buffer.from(text.trim(), "hex");
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

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
