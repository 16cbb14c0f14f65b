/** `lectern dataset list|remove`. */
import { commonOptions, type Command } from "./command.ts";
import { chooseService } from "./choose-service.ts";
import { confirm, requireAnswerable, yesFlag } from "./confirm.ts";
import { gigabytes } from "./copy-with-hashes.ts";
import { counted, customerFlag, requireDataset } from "./existing-dataset.ts";
import { print, printJson, printTable, visible } from "./terminal.ts";

const options = [...commonOptions, "serverUrl", "apiKey", "serverAuthority", "model"] as const;

const list: Command = {
  name: "dataset list",
  summary: "Lists the datasets that hold files, with their numbers of files and passages and their size.",
  usage: "[--customer ID]",
  positionals: { minimum: 0, maximum: 0 },
  flags: customerFlag,
  options,
  async run({ config, flags, json }) {
    const service = await chooseService(config, flags.customer);
    try {
      const datasets = await Array.fromAsync(service.datasets());
      if (json) printJson(datasets);
      else if (datasets.length === 0)
        print("There are no datasets yet. `lectern ingest PATH --dataset ID` makes one of files.");
      else
        printTable(
          ["DATASET", "FILES", "PASSAGES", "SIZE", "OLDEST FILE", "NEWEST FILE"],
          datasets.map((dataset) => [
            visible(dataset.datasetId),
            String(dataset.files),
            String(dataset.chunks),
            gigabytes(dataset.bytes),
            dataset.created,
            dataset.updated,
          ]),
        );
    } finally {
      await service.close();
    }
    return 0;
  },
};

const remove: Command = {
  name: "dataset remove",
  summary: "Deletes all files of a dataset, and with them the dataset.",
  usage: "ID [--customer ID]",
  positionals: { minimum: 1, maximum: 1 },
  flags: { ...customerFlag, ...yesFlag },
  options,
  async run({ config, positionals, flags, json }) {
    requireAnswerable(flags);
    const datasetId = positionals[0]!;
    const service = await chooseService(config, flags.customer);
    try {
      const { files, chunks, bytes } = await requireDataset(service, datasetId);
      await confirm(
        `Dataset ${datasetId} holds ${counted(files, "file")}, ${counted(chunks, "passage")}, ${gigabytes(bytes)}.`,
        flags,
      );
      const removed = await service.removeDataset(datasetId);
      if (json) printJson({ datasetId, removed: true, files: removed });
      else print(`Dataset ${visible(datasetId)} is removed: ${counted(removed, "file")}.`);
    } finally {
      await service.close();
    }
    return 0;
  },
};

export const datasetCommands: readonly Command[] = [list, remove];
