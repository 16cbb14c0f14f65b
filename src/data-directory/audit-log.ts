/**
 * Who changed what, for good: `audit.log`, a line of JSON for each change of customers, keys, credits and models, each token that is
 * made, each deletion, backup and repair, and who signs in to the console. Never a secret, a question, a file's name or text. The server and commands beside it append to the same file.
 *
 * A change is made first and noted then; where it cannot be noted it stands all the same, and that is told.
 */
import { closeSync, constants, openSync, renameSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { hideSecrets } from "../foundation/log.ts";

export type AuditAction =
  | "customer.create"
  | "customer.set"
  | "customer.remove"
  | "key.create"
  | "key.revoke"
  | "credits.add"
  | "token.create"
  | "file.delete"
  | "dataset.delete"
  | "files.delete"
  | "model.add"
  | "model.use"
  | "model.remove"
  | "backup.create"
  | "directory.repair"
  | "directory.accept-loss"
  | "files.adopt"
  | "console.sign-in"
  | "console.password"
  | "console.link"
  | "console.backup"
  | "console.model";

export interface AuditEntry {
  readonly action: AuditAction;
  /** Whose things they are. */
  readonly customer?: string;
  /** The id of an API key, "token" for a frontend token, "operator" for the command line. */
  readonly by: string;
  /** The request's id. */
  readonly req?: string;
  readonly [detail: string]: unknown;
}

export interface AuditLog {
  /** Never throws. */
  note(entry: AuditEntry): void;
}

export interface AuditLogOptions {
  readonly dataDirectory: string;
  /** Size from which the file is put aside and another one begun; 0: nothing is noted. */
  readonly auditLogBytes: number;
  /** Whether this process puts it aside: only one may, the one that owns the data directory. */
  readonly rotates: boolean;
  /** Told once when lines cannot be written, until they can again. */
  readonly onTrouble: (reason: string) => void;
}

export function auditLogPath(dataDirectory: string): string {
  return join(dataDirectory, "audit.log");
}

export function openAuditLog({ dataDirectory, auditLogBytes, rotates, onTrouble }: AuditLogOptions): AuditLog {
  const path = auditLogPath(dataDirectory);
  /** Lines that could not be written since the last one that was. */
  let lost = 0;

  function write(entry: Readonly<Record<string, unknown>>): void {
    const line = `${hideSecrets(JSON.stringify({ time: new Date().toISOString(), ...entry }))}\n`;
    if (rotates && sizeOf(path) >= auditLogBytes) renameSync(path, `${path}.1`);
    append(path, lost > 0 ? `\n${line}` : line);
  }

  return {
    note(entry) {
      if (auditLogBytes === 0) return;
      try {
        if (lost > 0) write({ action: "audit.gap", by: "operator", lost });
        lost = 0;
        write(entry);
      } catch (error) {
        if (lost++ === 0) onTrouble((error as Error).message);
      }
    },
  };
}

/** In one write, so that lines of several processes do not mix. */
function append(path: string, text: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const descriptor = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    const bytes = Buffer.from(text);
    if (writeSync(descriptor, bytes) < bytes.byteLength) throw new Error("there is no room on the disk");
  } finally {
    closeSync(descriptor);
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
