/** Starts this program's own Workers; the one list of them, which the build shares. */

import { join } from "node:path";
import { isCompiled, projectRoot } from "./assets.ts";

/** Every file that is started as a Worker. Each becomes an entry point of the executable. */
export const workerEntryPoints = [
  "src/embedding/worker.ts",
  "src/ranking/worker.ts",
  "src/search/thread.ts",
  "src/store/writer.ts",
  "src/backup/worker.ts",
  "src/search/vectors/builder.ts",
] as const;
export type WorkerEntryPoint = (typeof workerEntryPoints)[number];

/**
 * Starts a Worker by its project-relative path. Inside the executable all code of an entry point is one file, so that
 * a path relative to the calling module would not find it.
 */
export function startOwnWorker(entryPoint: WorkerEntryPoint): Worker {
  // A Worker is born with the environment that the process was started with, not with what was set since.
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return new Worker(isCompiled ? `./${entryPoint}` : join(projectRoot, entryPoint), { env });
}
