/** What `ingest` says when it is done: how many files are in, what was left out, and what failed for which reason. */
import { basename } from "node:path";
import { note, print, visible, wrap, columns } from "../terminal.ts";
import type { Failure } from "./upload-all.ts";
import { counted } from "../existing-dataset.ts";
import type { SyncPlan } from "./sync-plan.ts";
import { LEFT_OUT, type LeftOut } from "./walk.ts";

/** Paths listed under a reason, unless all are asked for. */
const PATHS_SHOWN = 10;

export interface IngestOutcome {
  readonly datasetId: string;
  readonly indexed: number;
  /** Of so many that were found. */
  readonly found: number;
  /** In the order of their paths. */
  readonly failures: readonly Failure[];
  readonly leftOut: Readonly<Record<LeftOut, number>>;
  readonly seconds: number;
  /** Whether it was ended before all was done. */
  readonly interrupted: boolean;
  /** Where the dataset was to be as the files are. */
  readonly sync: SyncOutcome | null;
}

export interface SyncOutcome {
  readonly plan: SyncPlan;
  readonly removed: number;
  /** Whether what is gone was to be removed. */
  readonly isPruning: boolean;
  /** Why what was to be removed was not: nobody could say what is gone. Null: nothing was in the way. */
  readonly hindrance: string | null;
  readonly isDryRun: boolean;
}

const leftOutInWords: Readonly<Record<LeftOut, (count: number) => string>> = {
  hidden: (count) => `${count} hidden`,
  patterns: (count) => `${count} by patterns`,
  nodeModules: (count) => `${count} node_modules`,
  outside: (count) => `${count} ${count === 1 ? "link" : "links"} that lead${count === 1 ? "s" : ""} out of the folder`,
  notFiles: (count) => `${count} neither file nor folder`,
};

/** Prints it for people: failures on standard error, each reason once; `verbose` lists all of their paths. */
export function reportIngest(outcome: IngestOutcome, verbose: boolean): void {
  const { seconds, datasetId, failures, leftOut, sync } = outcome;
  const indexed = counted(outcome.indexed, "file");
  const rate = outcome.indexed > 0 ? ` (${(outcome.indexed / seconds).toFixed(1)}/s)` : "";
  if (sync === null || outcome.indexed > 0)
    print(`Indexed ${indexed} into dataset ${visible(datasetId)} in ${seconds.toFixed(1)} s${rate}.`);
  if (sync !== null) reportSync(sync, verbose);
  const left = LEFT_OUT.filter((reason) => leftOut[reason] > 0);
  if (left.length > 0) print(`Left out: ${left.map((reason) => leftOutInWords[reason](leftOut[reason])).join(", ")}.`);
  if (failures.length > 0) {
    note(`${failures.length} failed:`);
    for (const line of failureLines(failures, verbose)) note(line);
  }
  if (outcome.interrupted) {
    const wanted = sync === null ? outcome.found : sync.plan.fresh.length + sync.plan.changed.length;
    const [are, them] = outcome.indexed === 1 ? ["is", "it"] : ["are", "them"];
    const later = sync === null ? `adds ${them} anew` : "goes on from here";
    note(`Interrupted: ${outcome.indexed} of ${counted(wanted, "file")} ${are} in; running this again ${later}.`);
  }
}

/** Says in one line how the files and the dataset differ: "3 new, 1 changed, 2 gone, 410 unchanged". */
export function planInWords({ fresh, changed, gone, unchanged }: SyncPlan): string {
  return `${fresh.length} new, ${changed.length} changed, ${gone.length} gone, ${unchanged} unchanged`;
}

function reportSync({ plan, removed, isPruning, hindrance, isDryRun }: SyncOutcome, verbose: boolean): void {
  if (isDryRun) {
    const kinds = { New: plan.fresh, Changed: plan.changed, Gone: plan.gone };
    for (const [kind, files] of Object.entries(kinds)) {
      if (files.length > 0) print(`${kind}:`);
      for (const line of pathLines(
        files.map(({ externalId }) => externalId!),
        verbose,
      ))
        print(`  ${line}`);
    }
    print("Nothing was done: this was a dry run.");
  } else if (removed > 0) print(`Removed ${counted(removed, "file")} that ${removed === 1 ? "is" : "are"} gone.`);
  else if (plan.gone.length > 0)
    print(isPruning ? "Nothing was removed." : "What is gone is still found. With --prune it is removed.");
  if (hindrance !== null) note(`Nothing was removed: ${hindrance}.`);
}

/** Each reason once, with its paths below it, in the order in which they first come. */
export function failureLines(failures: readonly Failure[], verbose: boolean): string[] {
  const pathsByReason = new Map<string, string[]>();
  for (const { path, sentence } of failures) {
    const reason = reasonOf(sentence, path);
    const paths = pathsByReason.get(reason);
    if (paths === undefined) pathsByReason.set(reason, [path]);
    else paths.push(path);
  }
  return [...pathsByReason].flatMap(([reason, paths]) => {
    return [
      ...wrap(visible(reason), columns() - 2).map((line) => `  ${line}`),
      ...pathLines(paths, verbose).map((line) => `    ${line}`),
    ];
  });
}

function pathLines(paths: readonly string[], verbose: boolean): string[] {
  const shown = verbose ? paths : paths.slice(0, PATHS_SHOWN);
  const more = paths.length - shown.length;
  return [...shown.map(visible), ...(more > 0 ? [`and ${more} more (--verbose lists them)`] : [])];
}

/** The sentence without the file's own name, so that it reads alike for every file. */
function reasonOf(sentence: string, path: string): string {
  return sentence
    .replace(`The file "${basename(path)}"`, "The file")
    .replace(`${path} cannot be used: `, "The file cannot be used: ");
}

/** The same for programs. */
export function asRecord({ datasetId, indexed, failures, leftOut, seconds, interrupted, sync }: IngestOutcome): object {
  const pathsOf = (files: readonly { externalId: string | null }[]) => files.map(({ externalId }) => externalId);
  return {
    datasetId,
    ...(sync !== null && {
      new: pathsOf(sync.plan.fresh),
      changed: pathsOf(sync.plan.changed),
      gone: pathsOf(sync.plan.gone),
      unchanged: sync.plan.unchanged,
      ...(sync.isDryRun && { dryRun: true }),
      ...(sync.isPruning && { removed: sync.removed }),
      ...(sync.isPruning && sync.hindrance !== null && { notRemoved: sync.hindrance }),
    }),
    indexed,
    failed: failures.map(({ path, sentence }) => ({ path, sentence })),
    leftOut,
    ...(interrupted && { interrupted }),
    seconds: Number(seconds.toFixed(3)),
  };
}
