/**
 * One process at a time owns a data directory. Ownership is a lock of the kernel's on `lectern.lock`, so it ends with its
 * process, however that ends; the file's text only says who to name to a second one.
 */
import { dlopen } from "bun:ffi";
import {
  closeSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fail } from "../foundation/errors.ts";

/** LOCK_SH | LOCK_NB and LOCK_EX | LOCK_NB of flock(2). */
const SHARED_WITHOUT_WAITING = 1 | 4;
const EXCLUSIVE_WITHOUT_WAITING = 2 | 4;
/** Whoever asks for the owner holds the lock for some microseconds; a server that starts just then tries again. */
const ATTEMPTS = 10;
const PAUSE_MILLISECONDS = 10;

/** What `server.json` tells other processes of this machine. */
export interface ServerAddress {
  readonly pid: number;
  /** Origin without a trailing slash. */
  readonly url: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** PEM. The server shows one of them; none: it speaks plain HTTP. */
  readonly certificates: readonly string[];
}

export interface DirectoryLock {
  /** Writes `server.json`, readable to this user only, once the server listens, and whenever it shows other certificates. */
  announce(url: string, certificates?: readonly string[]): void;
  release(): void;
}

/** Takes the directory. Throws OPERATION_FAILED with a sentence that names the process which has it. */
export function lockDirectory(dataDirectory: string): DirectoryLock {
  const path = join(dataDirectory, "lectern.lock");
  const descriptor = openSync(path, "a+", 0o600);
  if (!takeLock(descriptor)) {
    closeSync(descriptor);
    throw fail("OPERATION_FAILED", {
      reason: `The data directory ${dataDirectory} is in use by ${describeOwner(dataDirectory)}. Stop that one first, or name another with --data-dir.`,
    });
  }
  ftruncateSync(descriptor);
  writeSync(descriptor, `${process.pid}\n`);
  const addressPath = join(dataDirectory, "server.json");
  const draftPath = `${addressPath}.draft`;
  for (const left of [addressPath, draftPath]) rmSync(left, { force: true });
  const startedAt = new Date().toISOString();
  return {
    announce(url, certificates = []) {
      const address: ServerAddress = { pid: process.pid, url, startedAt, certificates };
      // Whole or not at all: commands may read it at any time.
      writeFileSync(draftPath, `${JSON.stringify(address)}\n`, { mode: 0o600 });
      renameSync(draftPath, addressPath);
    },
    release() {
      rmSync(addressPath, { force: true });
      closeSync(descriptor);
    },
  };
}

/**
 * The server that holds a data directory, or null when none does. A server that was killed leaves its file, and its number may
 * belong to a stranger by now, to whose address no credential may be sent: the lock alone tells.
 */
export function readServerAddress(dataDirectory: string): ServerAddress | null {
  try {
    const address = JSON.parse(readFileSync(join(dataDirectory, "server.json"), "utf8")) as Partial<ServerAddress>;
    // One of an earlier version knows of no certificates.
    return isOwned(dataDirectory) ? ({ certificates: [], ...address } as ServerAddress) : null;
  } catch {
    return null;
  }
}

function describeOwner(dataDirectory: string): string {
  const server = readServerAddress(dataDirectory);
  if (server !== null) return `the Lectern server at ${server.url} (process ${server.pid})`;
  const pid = readFileSync(join(dataDirectory, "lectern.lock"), "utf8").trim();
  return pid === "" ? "another Lectern process" : `another Lectern process (process ${pid})`;
}

function takeLock(descriptor: number): boolean {
  for (let attempt = 1; ; attempt++) {
    if (flock(descriptor, EXCLUSIVE_WITHOUT_WAITING)) return true;
    if (attempt === ATTEMPTS) return false;
    Bun.sleepSync(PAUSE_MILLISECONDS);
  }
}

function isOwned(dataDirectory: string): boolean {
  const descriptor = openSync(join(dataDirectory, "lectern.lock"), "r");
  try {
    return !flock(descriptor, SHARED_WITHOUT_WAITING);
  } finally {
    closeSync(descriptor);
  }
}

/** Takes the kernel's lock on an open folder, until its descriptor is closed; false where another process has it. */
export const lockFolder = (descriptor: number): boolean => flock(descriptor, EXCLUSIVE_WITHOUT_WAITING);

/** Whether the lock was got. */
function flock(descriptor: number, operation: number): boolean {
  const libc = dlopen("libc.so.6", { flock: { args: ["i32", "i32"], returns: "i32" } });
  try {
    return libc.symbols.flock(descriptor, operation) === 0;
  } finally {
    libc.close();
  }
}
