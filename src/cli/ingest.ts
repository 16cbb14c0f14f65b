/** `lectern ingest`: indexes files and folders, once or for as long as they change, and lists what failed. */
import { LecternError } from "../foundation/errors.ts";
import { fieldDefaults } from "../foundation/field-limits.ts";
import { commonOptions, type Command } from "./command.ts";
import { yesFlag } from "./confirm.ts";
import { customerFlag } from "./existing-dataset.ts";
import { Interruption } from "./ingest/interruption.ts";
import { IngestPasses, type IngestTask } from "./ingest/pass.ts";
import { asRecord, reportIngest, type IngestOutcome } from "./ingest/report.ts";
import { checkFlags, DEFAULT_PARALLEL, readInput, readTask, STANDARD_INPUT } from "./ingest/task.ts";
import { changes } from "./ingest/watch.ts";
import { IGNORE_FILE } from "./ingest/walk.ts";
import { note, printJson, visible } from "./terminal.ts";

/** How long it is waited for the end of changes, and how often it is looked in any case, milliseconds. */
const WATCHING = { quiet: 500, patience: 5000, rescan: 60_000 } as const;

export const ingestCommand: Command = {
  name: "ingest",
  summary:
    "Indexes files and folders. Works through the server that holds the data directory when one runs, else by itself.",
  usage: "PATH… --dataset ID [--customer ID] [--meta JSON]",
  positionals: { minimum: 1, maximum: Number.POSITIVE_INFINITY },
  flags: {
    dataset: { value: "ID", sentence: "The dataset; made when it is new.", required: true },
    ...customerFlag,
    meta: { value: "JSON", sentence: "Metadata for every file, a JSON object; searches can filter by it." },
    "chunk-size": { value: "TOKENS", sentence: `Tokens of a chunk; default ${fieldDefaults.chunkSize}.` },
    "chunk-overlap": {
      value: "TOKENS",
      sentence: `Tokens that neighbouring chunks share; default ${fieldDefaults.chunkOverlap}.`,
    },
    language: {
      value: "TAG",
      sentence: "The language spoken in recordings, such as de or pt-BR; else it is found out.",
    },
    "ocr-languages": {
      value: "TAGS",
      sentence: "The languages written in scans and pictures, such as de,fr or chi_sim; else they are found out.",
    },
    async: {
      value: null,
      sentence:
        "Has a server keep each larger file first and read it in the background, and waits for it: for recordings and scans. What is interrupted then goes on there.",
    },
    parallel: { value: "N", sentence: `Uploads under way at the same time, 1-32; default ${DEFAULT_PARALLEL}.` },
    include: {
      value: "PATTERN",
      sentence:
        "Takes only files that match, or lie in a folder that does; patterns as .gitignore has them. Repeatable.",
      repeatable: true,
    },
    exclude: {
      value: "PATTERN",
      sentence: `Leaves out what matches, before all that a ${IGNORE_FILE} says. Repeatable.`,
      repeatable: true,
    },
    name: { value: "NAME", sentence: "What standard input is called, for PATH -." },
    sync: {
      value: null,
      sentence: "Makes the dataset as the files are: what is there unchanged is left, what changed is replaced.",
    },
    prune: { value: null, sentence: "With --sync: removes what is no longer in the folders. Asks before." },
    "dry-run": { value: null, sentence: "With --sync: only says what it would do." },
    watch: { value: null, sentence: "With --sync: stays, and follows changes until Ctrl-C." },
    under: { value: "FOLDER", sentence: "Put before the path of every file, to keep several folders apart." },
    ...yesFlag,
    verbose: { value: null, sentence: "Lists every path that failed, or that a dry run speaks of." },
  },
  options: [...commonOptions, "serverUrl", "apiKey", "serverAuthority", "model"],
  notes: [
    "In folders, hidden files and node_modules are left out, and what a .lecternignore in any of them says, as .gitignore does for git.",
    "Links out of a folder are not followed. PATH may be a pattern in quotes ('docs/**/*.md'), or - for standard input.",
    "Without --sync each run adds the files anew. With it, a run that was interrupted goes on where it was, and a file is known by its path below PATH.",
    "Ctrl-C finishes what has begun and exits with 130.",
    "Example: lectern ingest ./handbook --exclude drafts/ --dataset handbook --meta '{\"year\": 2026}'",
  ],
  async run(invocation) {
    const { positionals, flags, json } = invocation;
    checkFlags(positionals, flags);
    await using input = await readInput(positionals, flags.name);
    const task = readTask(invocation, input);
    using interruption = new Interruption();
    const tell = (outcome: IngestOutcome): void => {
      // Standard input is called as it was named.
      const failures = outcome.failures.map((failure) =>
        failure.path === input?.path ? { ...failure, path: STANDARD_INPUT } : failure,
      );
      const shown = { ...outcome, failures };
      if (json) printJson(asRecord(shown));
      else reportIngest(shown, flags.verbose !== undefined);
    };
    try {
      if (flags.watch !== undefined) return await watchFolders(task, interruption, tell);
      const outcome = await new IngestPasses(task).next(interruption.signal);
      tell(outcome);
      return interruption.exitCode ?? (outcome.failures.length === 0 && !outcome.sync?.hindrance ? 0 : 1);
    } catch (error) {
      if (interruption.exitCode === null || error !== interruption.signal.reason) throw error;
      note("Interrupted: nothing was done yet.");
      return interruption.exitCode;
    }
  },
};

/** A pass at once and at every change, until it is interrupted. What keeps a later one from being done is said, and it is tried again. */
async function watchFolders(
  task: IngestTask,
  interruption: Interruption,
  tell: (outcome: IngestOutcome) => void,
): Promise<number> {
  const passes = new IngestPasses(task);
  const { signal } = interruption;
  const troubled = new Set<string>();
  const onTrouble = (folder: string, cause: unknown): void => {
    if (!troubled.has(folder))
      note(
        `${visible(folder)} cannot be watched (${(cause as Error).message}): it is looked at every ${WATCHING.rescan / 1000} s instead.`,
      );
    troubled.add(folder);
  };
  let isFirst = true;
  for await (const _ of changes(task.paths, { passedBy: task.walk.passedBy, ...WATCHING }, signal, onTrouble)) {
    try {
      const outcome = await passes.nextIfChanged(signal);
      if (outcome !== null) tell(outcome);
    } catch (error) {
      if (signal.aborted) break;
      if (isFirst || !(error instanceof LecternError)) throw error;
      note(visible(error.message));
    }
    if (isFirst) note("Watching for changes. Ctrl-C ends it.");
    isFirst = false;
  }
  note("Stopped watching.");
  return interruption.exitCode ?? 0;
}
