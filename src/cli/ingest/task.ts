/** Reads from the command line what `ingest` shall do. */
import { fail, LecternError } from "../../foundation/errors.ts";
import { readRelativePath } from "../../operations/owners-names.ts";
import { chooseService } from "../choose-service.ts";
import type { Invocation } from "../command.ts";
import { isWanted, requireAnswerable } from "../confirm.ts";
import { counted } from "../existing-dataset.ts";
import { print } from "../terminal.ts";
import type { IngestTask, SyncWishes } from "./pass.ts";
import { planInWords } from "./report.ts";
import { keepInput, type InputFile } from "./standard-input.ts";

export const DEFAULT_PARALLEL = 4;
/** Files that are named where it is asked whether they may go. */
const NAMES_ASKED = 10;
/** The path that stands for standard input. */
export const STANDARD_INPUT = "-";

/** Throws USAGE for flags that do not go together. */
export function checkFlags(positionals: readonly string[], flags: Invocation["flags"]): void {
  checkMetadata(flags.meta);
  const needsSync = (["prune", "dry-run", "watch"] as const).find((flag) => flags[flag] !== undefined);
  if (flags.sync === undefined && needsSync !== undefined)
    throw fail("USAGE", { reason: `--${needsSync} goes with --sync.` });
  if (flags.sync !== undefined && positionals.includes(STANDARD_INPUT))
    throw fail("USAGE", { reason: "--sync compares files and folders; PATH - is neither." });
  if (flags.watch !== undefined && flags["dry-run"] !== undefined)
    throw fail("USAGE", {
      reason: "--watch does something about changes, and --dry-run does nothing: give one of them.",
    });
  const asks = flags.prune !== undefined && flags["dry-run"] === undefined;
  if (asks && flags.watch !== undefined && flags.yes === undefined)
    throw fail("USAGE", { reason: "--watch removes what is gone without asking: --prune with it needs --yes." });
  if (asks) requireAnswerable(flags);
}

export function readTask({ config, positionals, flags, lists, json }: Invocation, input: InputFile | null): IngestTask {
  return {
    paths: positionals.map((path) => (path === STANDARD_INPUT ? input!.path : path)),
    walk: { passedBy: config.dataDirectory, include: lists.include ?? [], exclude: lists.exclude ?? [] },
    under: flags.under === undefined ? null : readFolder(flags.under),
    parallel: readParallel(flags.parallel),
    destination: {
      datasetId: flags.dataset!,
      extraMeta: flags.meta ?? null,
      chunkSize: flags["chunk-size"] ?? null,
      chunkOverlap: flags["chunk-overlap"] ?? null,
      language: flags.language ?? null,
      ocrLanguages: flags["ocr-languages"] ?? null,
      inBackground: flags.async !== undefined,
    },
    sync: flags.sync === undefined ? null : readWishes(flags, json),
    openService: () => chooseService(config, flags.customer),
  };
}

/** Throws USAGE for a folder that could not be part of a file's path. */
function readFolder(written: string): string {
  try {
    return readRelativePath(written);
  } catch (error) {
    if (!(error instanceof LecternError)) throw error;
    throw fail("USAGE", { reason: `--under: ${error.message}` }, undefined, error);
  }
}

function readWishes(flags: Invocation["flags"], json: boolean): SyncWishes {
  const ask: SyncWishes["mayRemove"] = async (gone) => {
    if (flags.yes !== undefined) return true;
    const names = gone.slice(0, NAMES_ASKED).map(({ externalId }) => externalId);
    const more = gone.length - names.length;
    return isWanted(`${counted(gone.length, "file")}: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`);
  };
  return {
    mayRemove: flags.prune === undefined ? null : ask,
    isDryRun: flags["dry-run"] !== undefined,
    onPlan: (plan) => {
      if (!json) print(planInWords(plan));
    },
  };
}

/** Reads standard input where it is asked for. Throws USAGE when `-` and `--name` do not come together. */
export async function readInput(paths: readonly string[], name: string | undefined): Promise<InputFile | null> {
  if (!paths.includes(STANDARD_INPUT)) {
    if (name !== undefined) throw fail("USAGE", { reason: "--name goes with PATH -, which reads standard input." });
    return null;
  }
  if (name === undefined)
    throw fail("USAGE", { reason: "--name is missing: what standard input shall be called, for instance notes.md." });
  return keepInput(Bun.stdin.stream(), name);
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
