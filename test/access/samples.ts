/** Sample access databases for the tests, each in a folder of its own, under a clock that the test sets. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAccess, type Access, type AccessOptions } from "../../src/access/index.ts";

/** 2026-03-01 12:00:00 UTC: a full minute. */
export const NOON = Date.UTC(2026, 2, 1, 12);

export interface SampleAccess {
  access: Access;
  dataDirectory: string;
  /** Milliseconds since 1970; assign to it to move the clock. */
  clock: { now: number };
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "lectern-test-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An access database with the customer `acme`, whose credits are unlimited. */
export function sampleAccess(options: Partial<AccessOptions> = {}): SampleAccess {
  const clock = { now: NOON };
  const dataDirectory = options.dataDirectory ?? temporaryFolder();
  const access = openAccess({
    limits: { upload: 5, retrieval: 10, token: 3, free: 20 },
    now: () => clock.now,
    ...options,
    dataDirectory,
  });
  cleanups.push(() => access.close());
  if (!access.customer("acme")) access.createCustomer("acme", null);
  return { access, dataDirectory, clock };
}

const cleanups: (() => void)[] = [];

/** Undoes what this file has opened and made; for `afterEach`. */
export function cleanUp(): void {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
}
