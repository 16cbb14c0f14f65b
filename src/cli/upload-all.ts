/** Uploads many files through a service: several uploads at a time, small files together in one. */
import { stat } from "node:fs/promises";
import { fail, LecternError } from "../foundation/errors.ts";
import type { DocumentService, UploadRequest } from "./document-service.ts";
import { OutcomeUnknown, RefusedByServer } from "./http-service.ts";
import { startProgress } from "./progress.ts";
import { systemSentence } from "./system-error.ts";

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
 * by itself at once, so that one which cannot be read keeps no other out; where nobody can tell what became of it, none is sent twice.
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
  const waiting = await smallOnesTogether(files);
  const settled = new Set<string>();
  let stoppedBy: string | null = null;

  async function work(): Promise<void> {
    for (let paths = waiting.shift(); paths !== undefined && !stop.signal.aborted; paths = waiting.shift()) {
      try {
        fileIds.push(...(await service.upload(request(paths), stop.signal)));
      } catch (error) {
        const refusal = toRefusal(error);
        if (paths.length > 1 && !(refusal instanceof OutcomeUnknown)) {
          waiting.unshift(...paths.map((path) => [path]));
          continue;
        }
        failures.push(...paths.map((path) => ({ path, sentence: refusal.message })));
        if (refusal instanceof RefusedByServer && refusal.final) {
          stoppedBy ??= refusal.message;
          stop.abort();
        }
      }
      for (const path of paths) settled.add(path);
      progress.advance(paths.at(-1)!, paths.length);
    }
  }

  try {
    await Promise.all(Array.from({ length: Math.min(parallel, files.length) }, work));
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

/** Why an upload was refused. Throws what is a mistake of ours. */
function toRefusal(error: unknown): LecternError {
  if (error instanceof LecternError) return error;
  const reason = systemSentence(error);
  if (reason === null) throw error;
  return fail("OPERATION_FAILED", { reason }, undefined, error);
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
