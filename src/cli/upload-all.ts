/** Uploads many files through a service: several uploads at a time, small files together in one. */
import { stat } from "node:fs/promises";
import { LecternError } from "../foundation/errors.ts";
import type { DocumentService, UploadRequest } from "./document-service.ts";
import { RefusedByServer } from "./http-service.ts";
import { startProgress } from "./progress.ts";

/** Files of one upload at most: they share its request, its charge and its commit. Few enough that one refusal holds up few others. */
const FILES_TOGETHER = 16;
/** Bytes. A larger file is uploaded alone: what it shares with others hardly counts, and they would have to wait for it. */
const SMALL_FILE = 256 * 1024;

export interface Failure {
  path: string;
  sentence: string;
}

/**
 * Uploads every file and resolves to the new ids; adds to `failures`. Begins no more when no later file could fare better,
 * or on Ctrl-C (a second one ends the process); what has begun is finished. Where an upload of several files is refused, each is tried
 * by itself, so that one which cannot be read keeps no other out.
 */
export async function uploadAll(
  service: DocumentService,
  files: readonly string[],
  parallel: number,
  failures: Failure[],
  request: (paths: readonly string[]) => UploadRequest,
): Promise<string[]> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once("SIGINT", interrupt);
  const progress = startProgress(files.length);
  const fileIds: string[] = [];
  let waiting = await smallOnesTogether(files);
  let refused: string[] = [];
  const settled = new Set<string>();
  let stoppedBy: string | null = null;

  async function work(): Promise<void> {
    for (let paths = waiting.shift(); paths !== undefined && !stop.signal.aborted; paths = waiting.shift()) {
      try {
        fileIds.push(...(await service.upload(request(paths), stop.signal)));
      } catch (error) {
        if (!(error instanceof LecternError)) throw error;
        if (paths.length > 1) {
          refused.push(...paths);
          continue;
        }
        failures.push({ path: paths[0]!, sentence: error.message });
        if (error instanceof RefusedByServer && error.final) {
          stoppedBy ??= error.message;
          stop.abort();
        }
      }
      for (const path of paths) settled.add(path);
      progress.advance(paths.at(-1)!, paths.length);
    }
  }

  try {
    while (waiting.length > 0 && !stop.signal.aborted) {
      await Promise.all(Array.from({ length: Math.min(parallel, waiting.length) }, work));
      waiting = refused.map((path) => [path]);
      refused = [];
    }
  } finally {
    progress.finish();
    process.removeListener("SIGINT", interrupt);
  }
  const untouched = files.filter((path) => !settled.has(path));
  failures.push(
    ...untouched.map((path) => ({
      path,
      sentence: stoppedBy === null ? "Not tried: interrupted." : `Not tried: ${stoppedBy}`,
    })),
  );
  return fileIds;
}

/** The files in their order, small ones that follow each other in groups. One that is gone by now is left to fail by itself. */
async function smallOnesTogether(files: readonly string[]): Promise<string[][]> {
  const groups: string[][] = [];
  let small: string[] | null = null;
  for (const path of files) {
    const isSmall = await stat(path).then(
      ({ size }) => size <= SMALL_FILE,
      () => false,
    );
    if (isSmall && small !== null && small.length < FILES_TOGETHER) {
      small.push(path);
      continue;
    }
    groups.push([path]);
    if (isSmall) small = groups.at(-1)!;
  }
  return groups;
}
