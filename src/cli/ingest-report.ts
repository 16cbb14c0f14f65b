/** What `ingest` says when it is done: how many files are in, what was left out, and what failed for which reason. */
import { basename } from "node:path";
import { note, print, visible, wrap, columns } from "./terminal.ts";
import type { Failure } from "./upload-all.ts";
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
  /** Whether Ctrl-C ended it. */
  readonly interrupted: boolean;
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
  const { indexed, seconds, datasetId, failures, leftOut } = outcome;
  const rate = seconds > 0 ? ` (${(indexed / seconds).toFixed(1)}/s)` : "";
  print(`Indexed ${countFiles(indexed)} into dataset ${visible(datasetId)} in ${seconds.toFixed(1)} s${rate}.`);
  const left = LEFT_OUT.filter((reason) => leftOut[reason] > 0);
  if (left.length > 0) print(`Left out: ${left.map((reason) => leftOutInWords[reason](leftOut[reason])).join(", ")}.`);
  if (failures.length > 0) {
    note(`${failures.length} failed:`);
    for (const line of failureLines(failures, verbose)) note(line);
  }
  if (outcome.interrupted)
    note(
      `Interrupted: ${indexed} of ${countFiles(outcome.found)} ${indexed === 1 ? "is" : "are"} in; running this again adds ${indexed === 1 ? "it" : "them"} anew.`,
    );
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
    const shown = verbose ? paths : paths.slice(0, PATHS_SHOWN);
    const more = paths.length - shown.length;
    return [
      ...wrap(visible(reason), columns() - 2).map((line) => `  ${line}`),
      ...shown.map((path) => `    ${visible(path)}`),
      ...(more > 0 ? [`    and ${more} more (--verbose lists them)`] : []),
    ];
  });
}

/** The sentence without the file's own name, so that it reads alike for every file. */
function reasonOf(sentence: string, path: string): string {
  return sentence
    .replace(`The file "${basename(path)}"`, "The file")
    .replace(`${path} cannot be used: `, "The file cannot be used: ");
}

const countFiles = (count: number): string => `${count} ${count === 1 ? "file" : "files"}`;
