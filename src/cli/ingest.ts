/** `lectern ingest`: indexes files and folders, and lists what failed. */
import { fail } from "../foundation/errors.ts";
import { fieldDefaults } from "../foundation/field-limits.ts";
import { commonOptions, type Command } from "./command.ts";
import { chooseService } from "./choose-service.ts";
import { note, print, printJson, visible } from "./terminal.ts";
import { uploadAll, type Failure } from "./upload-all.ts";
import { findFiles } from "./walk.ts";

const DEFAULT_PARALLEL = 4;

export const ingestCommand: Command = {
  name: "ingest",
  summary:
    "Indexes files and folders. Works through the server that holds the data directory when one runs, else by itself.",
  usage: "PATH… --dataset ID [--customer ID] [--meta JSON]",
  positionals: { minimum: 1, maximum: Number.POSITIVE_INFINITY },
  flags: {
    dataset: { value: "ID", sentence: "The dataset; made when it is new.", required: true },
    customer: {
      value: "ID",
      sentence: "Whose dataset; may be left out when there is only one customer, or one called default.",
    },
    meta: { value: "JSON", sentence: "Metadata for every file, a JSON object; searches can filter by it." },
    "chunk-size": { value: "TOKENS", sentence: `Tokens of a chunk; default ${fieldDefaults.chunkSize}.` },
    "chunk-overlap": {
      value: "TOKENS",
      sentence: `Tokens that neighbouring chunks share; default ${fieldDefaults.chunkOverlap}.`,
    },
    parallel: { value: "N", sentence: `Uploads under way at the same time, 1-32; default ${DEFAULT_PARALLEL}.` },
  },
  options: [...commonOptions, "serverUrl", "apiKey", "model"],
  notes: [
    "In folders, hidden files are skipped and links out of the folder are not followed. Each run adds the files anew.",
    "Example: lectern ingest ./handbook --dataset handbook --meta '{\"year\": 2026}'",
  ],
  async run({ config, positionals, flags, json }) {
    const parallel = readParallel(flags.parallel);
    checkMetadata(flags.meta);
    const { files, failures } = await findFiles(positionals, config.dataDirectory);
    const started = performance.now();
    let fileIds: string[] = [];
    if (files.length > 0) {
      const service = await chooseService(config, flags.customer);
      try {
        fileIds = await uploadAll(service, files, parallel, failures, (paths) => ({
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
    const seconds = (performance.now() - started) / 1000;
    if (json)
      printJson({
        datasetId: flags.dataset,
        indexed: fileIds.length,
        failed: failures,
        seconds: Number(seconds.toFixed(3)),
      });
    else report(fileIds.length, failures, seconds, flags.dataset!);
    return failures.length === 0 ? 0 : 1;
  },
};

function report(indexed: number, failures: readonly Failure[], seconds: number, datasetId: string): void {
  const rate = seconds > 0 ? ` (${(indexed / seconds).toFixed(1)}/s)` : "";
  print(
    `Indexed ${indexed} ${indexed === 1 ? "file" : "files"} into dataset ${visible(datasetId)} in ${seconds.toFixed(1)} s${rate}.`,
  );
  if (failures.length === 0) return;
  note(`${failures.length} failed:`);
  for (const { path, sentence } of failures) note(`  ${visible(path)}: ${visible(sentence)}`);
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
