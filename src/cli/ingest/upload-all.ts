/** Uploads many files through a service: several uploads at a time, small files together in one. */
import { basename } from "node:path";
import { fail, LecternError } from "../../foundation/errors.ts";
import type { DocumentService, LocalFile, UploadRequest } from "../document-service.ts";
import { OutcomeUnknown, statusOf } from "../http-error.ts";
import { startProgress } from "../progress.ts";
import { systemSentence } from "../system-error.ts";
import { stateOf, type FileState } from "./file-state.ts";

/** Files of one upload at most: they share its request, its charge and its commit. Few enough that one refusal holds up few others. */
const FILES_TOGETHER = 16;
/** Groups that may still take a file: as many files of one name in a row make groups of several. */
const GROUPS_OPEN = 64;
/** Bytes. A larger file is uploaded alone: what it shares with others hardly counts, and they would have to wait for it. */
const SMALL_FILE = 256 * 1024;

export interface Failure {
  readonly path: string;
  readonly sentence: string;
  /** Whether it would fail again as long as nobody writes to it. */
  readonly isOfFile?: boolean;
}

export interface UploadsOutcome {
  readonly indexed: number;
  /** Whether some were not tried: because of the signal, or because no later one could have fared better. */
  readonly interrupted: boolean;
  readonly stopped: boolean;
}

/**
 * Uploads every file; adds to `failures`. Begins no more when no later file could fare better, or when the signal is aborted; what has begun is finished. Where an upload of several files is refused, each is tried by itself at once, so that one which
 * cannot be read keeps no other out; where nobody can tell what became of it, none is sent twice. What others under way have paid may
 * come back, so that none runs out of credits before they have ended.
 */
export async function uploadAll(
  service: DocumentService,
  files: readonly LocalFile[],
  parallel: number,
  failures: Failure[],
  request: (files: readonly LocalFile[]) => UploadRequest,
  signal: AbortSignal,
): Promise<UploadsOutcome> {
  const stop = new AbortController();
  const ended = AbortSignal.any([signal, stop.signal]);
  const progress = startProgress(files.length);
  const states = await statesOf(files);
  const waiting = smallOnesTogether(files, states);
  const settled = new Set<string>();
  const underWay = new Set<Promise<unknown>>();
  let indexed = 0;
  let stoppedBy: string | null = null;

  async function attempt(together: readonly LocalFile[]): Promise<LecternError | null> {
    const wanted = request(together);
    // Small ones share what becomes of them, and are soon done.
    const inBackground = wanted.inBackground === true && together.length === 1;
    const onProgress = (fraction: number): void =>
      progress.advance(`${Math.floor(fraction * 100)} % ${together[0]!.path}`, 0);
    const uploading = service.upload({ ...wanted, inBackground, onProgress }, ended).then(
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
    for (let group = waiting.shift(); group !== undefined && !ended.aborted; group = waiting.shift()) {
      const refusal = await attempt(group);
      const paths = group.map(({ path }) => path);
      if (refusal === null) {
        indexed += paths.length;
        failures.push(...(await changedSince(states, paths)));
      } else if (paths.length > 1 && !(refusal instanceof OutcomeUnknown)) {
        waiting.unshift(...group.map((file) => [file]));
        continue;
      } else if (statusOf(refusal) === PAYMENT_REQUIRED && underWay.size > 0) {
        await Promise.race(underWay);
        waiting.unshift(group);
        continue;
      } else {
        const isOfFile = OF_FILE.includes(statusOf(refusal));
        failures.push(...paths.map((path) => ({ path, sentence: refusal.message, isOfFile })));
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
  }
  const untouched = files.filter(({ path }) => !settled.has(path));
  const sentence = stoppedBy === null ? "Not tried: interrupted." : `Not tried: ${stoppedBy}`;
  for (const { path } of untouched) failures.push({ path, sentence });
  return { indexed, interrupted: signal.aborted && stoppedBy === null, stopped: stoppedBy !== null };
}

const PAYMENT_REQUIRED = 402;
/** Statuses of refusals after which no other file would fare better. */
const FINAL: readonly number[] = [401, PAYMENT_REQUIRED, 403];
/** Statuses of refusals for which the file is to blame. */
const OF_FILE: readonly number[] = [400, 413, 415];

/** Why an upload was refused. Throws what is a mistake of ours. */
function toRefusal(error: unknown): LecternError {
  if (error instanceof LecternError) return error;
  const reason = systemSentence(error);
  if (reason === null) throw error;
  return fail("OPERATION_FAILED", { reason }, undefined, error);
}

/** By path; a file that is gone by now has none. */
async function statesOf(files: readonly LocalFile[]): Promise<ReadonlyMap<string, FileState>> {
  const states = new Map<string, FileState>();
  for (const { path } of files) {
    const state = await stateOf(path);
    if (state !== null) states.set(path, state);
  }
  return states;
}

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

/**
 * The files, small ones in groups in which no two have one name: a form tells its files apart by it. One that is gone by now is left to
 * fail by itself.
 */
function smallOnesTogether(
  files: readonly LocalFile[],
  states: ReadonlyMap<string, FileState>,
): (readonly LocalFile[])[] {
  const groups: LocalFile[][] = [];
  let open: { readonly group: LocalFile[]; readonly names: Set<string> }[] = [];
  for (const file of files) {
    const isSmall = (states.get(file.path)?.size ?? Number.POSITIVE_INFINITY) <= SMALL_FILE;
    const name = basename(file.path);
    const place = isSmall ? open.find(({ names }) => !names.has(name)) : undefined;
    if (place !== undefined) {
      place.group.push(file);
      place.names.add(name);
      open = open.filter(({ group }) => group.length < FILES_TOGETHER);
      continue;
    }
    groups.push([file]);
    if (isSmall) open = [...open, { group: groups.at(-1)!, names: new Set([name]) }].slice(-GROUPS_OPEN);
  }
  return groups;
}
