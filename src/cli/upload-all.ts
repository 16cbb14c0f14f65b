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

export interface UploadsOutcome {
  readonly indexed: number;
  /** Whether Ctrl-C ended it. */
  readonly interrupted: boolean;
}

/**
 * Uploads every file; adds to `failures`. Begins no more when no later file could fare better, or on Ctrl-C (a second one ends the
 * process); what has begun is finished. Where an upload of several files is refused, each is tried by itself at once, so that one which
 * cannot be read keeps no other out; where nobody can tell what became of it, none is sent twice. What others under way have paid may
 * come back, so that none runs out of credits before they have ended.
 */
export async function uploadAll(
  service: DocumentService,
  files: readonly string[],
  parallel: number,
  failures: Failure[],
  request: (paths: readonly string[]) => UploadRequest,
): Promise<UploadsOutcome> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once("SIGINT", interrupt);
  const progress = startProgress(files.length);
  const states = await statesOf(files);
  const waiting = smallOnesTogether(files, states);
  const settled = new Set<string>();
  const underWay = new Set<Promise<unknown>>();
  let indexed = 0;
  let stoppedBy: string | null = null;

  async function attempt(paths: readonly string[]): Promise<LecternError | null> {
    const uploading = service.upload(request(paths), stop.signal).then(
      () => null,
      (error: unknown) => toRefusal(error),
    );
    underWay.add(uploading);
    try {
      return await uploading;
    } finally {
      underWay.delete(uploading);
    }
  }

  async function work(): Promise<void> {
    for (let paths = waiting.shift(); paths !== undefined && !stop.signal.aborted; paths = waiting.shift()) {
      const refusal = await attempt(paths);
      if (refusal === null) {
        indexed += paths.length;
        failures.push(...(await changedSince(states, paths)));
      } else if (paths.length > 1 && !(refusal instanceof OutcomeUnknown)) {
        waiting.unshift(...paths.map((path) => [path]));
        continue;
      } else if (statusOf(refusal) === PAYMENT_REQUIRED && underWay.size > 0) {
        await Promise.race(underWay);
        waiting.unshift(paths);
        continue;
      } else {
        failures.push(...paths.map((path) => ({ path, sentence: refusal.message })));
        if (FINAL.includes(statusOf(refusal))) {
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
  const sentence = stoppedBy === null ? "Not tried: interrupted." : `Not tried: ${stoppedBy}`;
  for (const path of untouched) failures.push({ path, sentence });
  return { indexed, interrupted: stop.signal.aborted && stoppedBy === null };
}

const PAYMENT_REQUIRED = 402;
/** Statuses of refusals after which no other file would fare better. */
const FINAL: readonly number[] = [401, PAYMENT_REQUIRED, 403];

const statusOf = (refusal: LecternError): number =>
  refusal instanceof RefusedByServer ? refusal.httpStatus : refusal.status;

/** Why an upload was refused. Throws what is a mistake of ours. */
function toRefusal(error: unknown): LecternError {
  if (error instanceof LecternError) return error;
  const reason = systemSentence(error);
  if (reason === null) throw error;
  return fail("OPERATION_FAILED", { reason }, undefined, error);
}

/** What tells a file from a later version of it. */
interface FileState {
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** By path; a file that is gone by now has none. */
async function statesOf(files: readonly string[]): Promise<ReadonlyMap<string, FileState>> {
  const states = new Map<string, FileState>();
  for (const path of files) {
    const state = await stateOf(path);
    if (state !== null) states.set(path, state);
  }
  return states;
}

const stateOf = (path: string): Promise<FileState | null> =>
  stat(path).then(
    ({ size, mtimeMs }) => ({ size, modified: mtimeMs }),
    () => null,
  );

/** Files that somebody wrote to since. One that is gone by now was read before. */
async function changedSince(states: ReadonlyMap<string, FileState>, paths: readonly string[]): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const path of paths) {
    const [before, now] = [states.get(path), await stateOf(path)];
    if (before === undefined || now === null || (now.size === before.size && now.modified === before.modified))
      continue;
    failures.push({
      path,
      sentence: "It changed while it was read: what is indexed may be part old, part new. Ingest it again.",
    });
  }
  return failures;
}

/** The files in their order, small ones that follow each other in groups. One that is gone by now is left to fail by itself. */
function smallOnesTogether(files: readonly string[], states: ReadonlyMap<string, FileState>): string[][] {
  const groups: string[][] = [];
  let small: string[] | null = null;
  for (const path of files) {
    const isSmall = (states.get(path)?.size ?? Number.POSITIVE_INFINITY) <= SMALL_FILE;
    if (isSmall && small !== null && small.length < FILES_TOGETHER) {
      small.push(path);
      continue;
    }
    groups.push([path]);
    if (isSmall) small = groups.at(-1)!;
  }
  return groups;
}
