/** `lectern model status`, and what the other model commands do about datasets that another model embedded. */
import type { Config } from "../../options/config.ts";
import { readServerAddress } from "../../data-directory/lock.ts";
import { fail } from "../../foundation/errors.ts";
import { commonOptions, type Command } from "../command.ts";
import { datasetsToReembed, type DatasetToReembed } from "./census.ts";
import { openForCommand } from "../open-appliance.ts";
import { startProgress } from "../progress.ts";
import { print, printJson, printTable } from "../terminal.ts";

/** Who embeds the datasets anew after another model was chosen: nobody has to, the running server, this process (done), or the next server. */
export type ReembeddingBy = "nobody" | "server" | "this" | "next";

/** `modelIdOf` tells the identity of the model that the configuration names. */
export function statusCommand(modelIdOf: (config: Config) => Promise<string>): Command {
  return {
    name: "model status",
    summary: "Shows which datasets the chosen embedding model is still to embed anew, and how far it is.",
    usage: "",
    positionals: { minimum: 0, maximum: 0 },
    flags: {},
    options: [...commonOptions, "model"],
    async run({ config, json }) {
      const modelId = await modelIdOf(config);
      const left = datasetsToReembed(config.dataDirectory, modelId);
      const isRunning = readServerAddress(config.dataDirectory) !== null;
      if (json) printJson({ modelId, running: isRunning, datasets: left });
      else if (left.length === 0) print(`Every dataset is embedded by ${modelId}.`);
      else {
        printTable(
          ["CUSTOMER", "DATASET", "EMBEDDED BY", "CHUNKS", "DONE"],
          left.map((dataset) => [
            dataset.customerId,
            dataset.datasetId,
            dataset.modelId,
            String(dataset.chunks),
            share(dataset),
          ]),
        );
        print(
          `${summaryOf(left)} by ${modelId}. ${isRunning ? "The running server goes on with it." : "No server runs: the next one goes on with it."}`,
        );
      }
      return 0;
    },
  };
}

/** "2 datasets are to be embedded anew: 120 of 400 chunks are done" */
export function summaryOf(left: readonly DatasetToReembed[]): string {
  const [chunks, done] = [
    left.reduce((sum, dataset) => sum + dataset.chunks, 0),
    left.reduce((sum, dataset) => sum + dataset.done, 0),
  ];
  return `${left.length === 1 ? "1 dataset is" : `${left.length} datasets are`} to be embedded anew: ${done} of ${chunks} chunks are done`;
}

/** After a choice was recorded: sees to it that the datasets go over to it, here when no server runs, unless `later`. */
export async function reembedAfterChoice(config: Config, modelId: string, later: boolean): Promise<ReembeddingBy> {
  const left = datasetsToReembed(config.dataDirectory, modelId);
  if (readServerAddress(config.dataDirectory) !== null) return "server";
  if (left.length === 0) return "nobody";
  if (later) return "next";
  await reembedHere(config);
  return "this";
}

/** Embeds in this process, with a progress bar. Interrupted, it is taken up by the next server or the same command. */
async function reembedHere(config: Config): Promise<void> {
  const { reembedAll, reembeddingProgress } = await import("../../operations/reembed.ts");
  const appliance = await openForCommand(config);
  try {
    const { chunks, done } = reembeddingProgress(appliance);
    const progress = startProgress(chunks - done, { unit: "chunks" });
    try {
      await reembedAll(appliance, new AbortController().signal, (step, dataset) =>
        progress.advance(dataset.name, step),
      );
    } finally {
      progress.finish();
    }
  } finally {
    await appliance.close();
  }
}

/** Throws OPERATION_FAILED while vectors that a model made are searched. */
export function refuseWhileSearched(config: Config, name: string, modelId: string, chosenId: string): void {
  const needed = datasetsToReembed(config.dataDirectory, chosenId).filter((dataset) => dataset.modelId === modelId);
  if (needed.length === 0) return;
  throw fail("OPERATION_FAILED", {
    reason: `The model ${name} is still needed: ${summaryOf(needed)}, and until then ${name} searches them. \`lectern model status\` shows more.`,
  });
}

function share({ chunks, done }: DatasetToReembed): string {
  return `${Math.floor((100 * done) / Math.max(1, chunks))} %`;
}
