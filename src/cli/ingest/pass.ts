/** One pass of `ingest`: finds the files, compares them with the dataset where it is to be as they are, uploads, and removes what is gone. */
import { stat } from "node:fs/promises";
import { LecternError } from "../../foundation/errors.ts";
import { readExtraMeta } from "../../operations/extra-meta.ts";
import { inParallel } from "../../operations/in-parallel.ts";
import type { DocumentService, LocalFile, UploadRequest } from "../document-service.ts";
import { statusOf } from "../http-error.ts";
import { startProgress } from "../progress.ts";
import { findFiles, type Found } from "./found-files.ts";
import type { IngestOutcome } from "./report.ts";
import { marksOf, SyncMemory } from "./sync-memory.ts";
import { planSync, syncedFile, type SyncedFile, type SyncPlan } from "./sync-plan.ts";
import { uploadAll, type Failure } from "./upload-all.ts";
import type { WalkOptions } from "./walk.ts";

export interface IngestTask {
  readonly paths: readonly string[];
  readonly walk: WalkOptions;
  /** What comes before the relative path of each file; null: nothing. */
  readonly under: string | null;
  readonly parallel: number;
  /** All of an upload but its files. */
  readonly destination: Omit<UploadRequest, "files">;
  /** Whether the dataset is to be as the files are; null: they are added anew. */
  readonly sync: SyncWishes | null;
  readonly openService: () => Promise<DocumentService>;
}

export interface SyncWishes {
  /** Whether what is gone is removed, once `mayRemove` agrees; null: it is not. */
  readonly mayRemove: ((gone: readonly SyncedFile[]) => Promise<boolean>) | null;
  /** Whether it is only said what would be done. */
  readonly isDryRun: boolean;
  readonly onPlan: (plan: SyncPlan) => void;
}

const NOT_FOUND = 404;

/** Does what one run does, and remembers from one to the next. */
export class IngestPasses {
  private readonly memory = new SyncMemory();
  private seen: string | null = null;

  constructor(private readonly task: IngestTask) {}

  /** Null where the files are as they were at the last pass that came to its end. Throws for what no single file is to blame for. */
  async nextIfChanged(signal: AbortSignal): Promise<IngestOutcome | null> {
    const found = await this.find();
    const seen = await marksOf(found.files);
    if (seen === this.seen) return null;
    const outcome = await this.run(found, signal);
    const mayFareBetter = outcome.interrupted || outcome.failures.some(({ isOfFile }) => !isOfFile);
    this.seen = mayFareBetter ? null : seen;
    return outcome;
  }

  async next(signal: AbortSignal): Promise<IngestOutcome> {
    return this.run(await this.find(), signal);
  }

  private find(): Promise<Found> {
    const { paths, walk, under, sync } = this.task;
    return findFiles(paths, walk, { replaces: sync !== null, under });
  }

  private async run(found: Found, signal: AbortSignal): Promise<IngestOutcome> {
    const { task } = this;
    const started = performance.now();
    const outcome: IngestOutcome = {
      datasetId: task.destination.datasetId,
      found: found.files.length,
      indexed: 0,
      interrupted: false,
      failures: [],
      leftOut: found.leftOut,
      sync: null,
      seconds: 0,
    };
    const failures: Failure[] = found.failures;
    if (found.files.length > 0 || task.sync !== null) {
      const service = await task.openService();
      try {
        const work =
          task.sync === null
            ? this.upload(service, found.files, failures, signal)
            : this.sync(service, task.sync, found, failures, signal);
        Object.assign(outcome, await work);
      } finally {
        await service.close();
      }
    }
    for (const { path, isOfFile } of failures) if (isOfFile) await this.memory.noteRefused(path);
    return { ...outcome, failures: inOrder(failures, found.position), seconds: (performance.now() - started) / 1000 };
  }

  private async sync(
    service: DocumentService,
    { mayRemove, isDryRun, onPlan }: SyncWishes,
    found: Found,
    failures: Failure[],
    signal: AbortSignal,
  ): Promise<Partial<IngestOutcome>> {
    const hindrance = await this.hindranceOf(found);
    const plan = await this.plan(service, found, hindrance === null, signal);
    onPlan(plan);
    const sync = {
      plan,
      removed: 0,
      isPruning: mayRemove !== null,
      hindrance: mayRemove === null ? null : hindrance,
      isDryRun,
    };
    if (isDryRun) return { sync };
    const uploads = await this.upload(service, [...plan.fresh, ...plan.changed], failures, signal);
    const mayGo = mayRemove !== null && !uploads.interrupted && !uploads.stopped && plan.gone.length > 0;
    if (mayGo && (await mayRemove(plan.gone)))
      return { ...uploads, sync: { ...sync, removed: await this.remove(service, plan.gone, failures, signal) } };
    return { ...uploads, sync };
  }

  private async plan(service: DocumentService, found: Found, isWhole: boolean, signal: AbortSignal): Promise<SyncPlan> {
    const { destination, under } = this.task;
    const stored: SyncedFile[] = [];
    for await (const record of service.files(destination.datasetId, null)) {
      const synced = syncedFile(record, under);
      if (synced !== null) stored.push(synced);
    }
    const scope = { isWhole, extraMeta: readExtraMeta(destination.extraMeta ?? undefined) };
    const isSame = (file: LocalFile, former: SyncedFile): Promise<boolean> => this.memory.isSame(file, former);
    const plan = await planSync(found.files, stored, scope, isSame, signal);
    return { ...plan, fresh: await this.notRefused(plan.fresh), changed: await this.notRefused(plan.changed) };
  }

  private async notRefused(files: readonly LocalFile[]): Promise<LocalFile[]> {
    const isRefused = await Promise.all(files.map(({ path }) => this.memory.isRefused(path)));
    return files.filter((_, at) => !isRefused[at]);
  }

  /** Why nobody can say what is gone; null: somebody can. */
  private async hindranceOf({ files, failures }: Found): Promise<string | null> {
    if (failures.length > 0) return "part of what was named could not be read";
    if (files.length === 0)
      return "no file was found in what was named; `lectern dataset remove` removes a whole dataset";
    for (const path of this.task.paths)
      if (!(await stat(path)).isDirectory())
        return `${path} is not a folder, and only of whole folders is it known what is gone`;
    return null;
  }

  private async upload(
    service: DocumentService,
    files: readonly LocalFile[],
    failures: Failure[],
    signal: AbortSignal,
  ): Promise<Pick<IngestOutcome, "indexed" | "interrupted"> & { readonly stopped: boolean }> {
    const { parallel, destination } = this.task;
    const request = (together: readonly LocalFile[]): UploadRequest => ({ ...destination, files: together });
    return uploadAll(service, files, parallel, failures, request, signal);
  }

  /** How many were removed. One that somebody else removed meanwhile is none of them, and no failure. */
  private async remove(
    service: DocumentService,
    gone: readonly SyncedFile[],
    failures: Failure[],
    signal: AbortSignal,
  ): Promise<number> {
    const progress = startProgress(gone.length);
    let removed = 0;
    try {
      await inParallel(gone, this.task.parallel, new AbortController().signal, async ({ fileId, externalId }) => {
        if (signal.aborted) return;
        try {
          await service.removeFile(fileId);
          removed++;
        } catch (error) {
          if (!(error instanceof LecternError)) throw error;
          if (statusOf(error) !== NOT_FOUND) failures.push({ path: externalId, sentence: error.message });
        }
        progress.advance(externalId);
      });
    } finally {
      progress.finish();
    }
    return removed;
  }
}

/** Failures in the order in which their files were found, whichever came to an end first. */
const inOrder = (failures: readonly Failure[], position: ReadonlyMap<string, number>): Failure[] =>
  failures.toSorted(
    (left, right) => (position.get(left.path) ?? position.size) - (position.get(right.path) ?? position.size),
  );
