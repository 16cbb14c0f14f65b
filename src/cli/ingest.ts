/** `lectern ingest`: indexes files and folders, and lists what failed. */
import { fail } from "../foundation/errors.ts";
import { fieldDefaults } from "../foundation/field-limits.ts";
import { commonOptions, type Command } from "./command.ts";
import { chooseService } from "./choose-service.ts";
import { customerFlag } from "./existing-dataset.ts";
import { reportIngest, type IngestOutcome } from "./ingest-report.ts";
import { keepInput, type InputFile } from "./standard-input.ts";
import { printJson } from "./terminal.ts";
import { uploadAll, type Failure, type UploadsOutcome } from "./upload-all.ts";
import { IGNORE_FILE, LEFT_OUT, walk, type LeftOut, type WalkOptions } from "./walk.ts";

const DEFAULT_PARALLEL = 4;
/** The path that stands for standard input. */
const STANDARD_INPUT = "-";
/** As shells tell of a process that SIGINT ended. */
const EXIT_INTERRUPTED = 130;

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
    verbose: { value: null, sentence: "Lists every path that failed." },
  },
  options: [...commonOptions, "serverUrl", "apiKey", "model"],
  notes: [
    "In folders, hidden files and node_modules are left out, and what a .lecternignore in any of them says, as .gitignore does for git.",
    "Links out of a folder are not followed. PATH may be a pattern in quotes ('docs/**/*.md'), or - for standard input.",
    "Each run adds the files anew. Ctrl-C finishes what has begun and exits with 130.",
    "Example: lectern ingest ./handbook --exclude drafts/ --dataset handbook --meta '{\"year\": 2026}'",
  ],
  async run({ config, positionals, flags, lists, json }) {
    const parallel = readParallel(flags.parallel);
    checkMetadata(flags.meta);
    await using input = await readInput(positionals, flags.name);
    const found = await find(positionals, input, {
      passedBy: config.dataDirectory,
      include: lists.include ?? [],
      exclude: lists.exclude ?? [],
    });
    const started = performance.now();
    let uploads: UploadsOutcome = { indexed: 0, interrupted: false };
    if (found.files.length > 0) {
      const service = await chooseService(config, flags.customer);
      try {
        uploads = await uploadAll(service, found.files, parallel, found.failures, (paths) => ({
          paths,
          datasetId: flags.dataset!,
          extraMeta: flags.meta ?? null,
          chunkSize: flags["chunk-size"] ?? null,
          chunkOverlap: flags["chunk-overlap"] ?? null,
        }));
      } finally {
        await service.close();
      }
    }
    const outcome: IngestOutcome = {
      datasetId: flags.dataset!,
      ...uploads,
      found: found.files.length,
      failures: inOrder(found).map(({ path, sentence }) => ({
        path: path === input?.path ? STANDARD_INPUT : path,
        sentence,
      })),
      leftOut: found.leftOut,
      seconds: (performance.now() - started) / 1000,
    };
    if (json) printJson(asRecord(outcome));
    else reportIngest(outcome, flags.verbose !== undefined);
    if (outcome.interrupted) return EXIT_INTERRUPTED;
    return outcome.failures.length === 0 ? 0 : 1;
  },
};

interface Found {
  /** Paths, as they were found. */
  readonly files: string[];
  readonly failures: Failure[];
  readonly leftOut: Record<LeftOut, number>;
  /** By path, where it came in the walk. */
  readonly position: Map<string, number>;
}

/** Reads standard input where it is asked for. Throws USAGE when `-` and `--name` do not come together. */
async function readInput(paths: readonly string[], name: string | undefined): Promise<InputFile | null> {
  if (!paths.includes(STANDARD_INPUT)) {
    if (name !== undefined) throw fail("USAGE", { reason: "--name goes with PATH -, which reads standard input." });
    return null;
  }
  if (name === undefined)
    throw fail("USAGE", { reason: "--name is missing: what standard input shall be called, for instance notes.md." });
  return keepInput(Bun.stdin.stream(), name);
}

async function find(paths: readonly string[], input: InputFile | null, options: WalkOptions): Promise<Found> {
  const leftOut = Object.fromEntries(LEFT_OUT.map((reason) => [reason, 0])) as Record<LeftOut, number>;
  const found: Found = { files: [], failures: [], leftOut, position: new Map() };
  const named = paths.map((path) => (path === STANDARD_INPUT ? input!.path : path));
  for await (const finding of walk(named, options)) {
    if ("leftOut" in finding) {
      leftOut[finding.leftOut]++;
      continue;
    }
    if ("file" in finding) found.files.push(finding.file.path);
    else found.failures.push(finding.failure);
    found.position.set("file" in finding ? finding.file.path : finding.failure.path, found.position.size);
  }
  return found;
}

/** Failures in the order in which their files were found, whichever came to an end first. */
const inOrder = ({ failures, position }: Found): Failure[] =>
  failures.toSorted((left, right) => position.get(left.path)! - position.get(right.path)!);

function asRecord({ datasetId, indexed, failures, leftOut, seconds, interrupted }: IngestOutcome): object {
  return {
    datasetId,
    indexed,
    failed: failures,
    leftOut,
    ...(interrupted && { interrupted }),
    seconds: Number(seconds.toFixed(3)),
  };
}

function readParallel(written: string | undefined): number {
  if (written === undefined) return DEFAULT_PARALLEL;
  const parallel = /^\d{1,2}$/.test(written) ? Number(written) : 0;
  if (parallel < 1 || parallel > 32)
    throw fail("USAGE", { reason: `--parallel must be a whole number in 1-32, not "${written}".` });
  return parallel;
}

/** Caught here once instead of failing every file. */
function checkMetadata(meta: string | undefined): void {
  if (meta === undefined) return;
  let value: unknown;
  try {
    value = JSON.parse(meta);
  } catch (error) {
    throw fail("USAGE", { reason: `--meta is not JSON: ${(error as Error).message}` }, undefined, error);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw fail("USAGE", { reason: "--meta must be a JSON object." });
}
