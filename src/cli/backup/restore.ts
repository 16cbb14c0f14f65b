/** `lectern restore`. */
import { restoreBackup, sizeOf } from "../../backup/index.ts";
import { commonOptions, type Command } from "../command.ts";
import { counted } from "../existing-dataset.ts";
import { note, print, printJson, visible } from "../terminal.ts";
import { baseFlag } from "./base-flag.ts";
import { withByteProgress } from "./progress.ts";

export const restoreCommand: Command = {
  name: "restore",
  summary: "Makes a new data directory of a backup, checked to the last byte.",
  usage: "BACKUP --data-dir NEW [--base LAST]…",
  positionals: { minimum: 1, maximum: 1 },
  flags: baseFlag,
  options: commonOptions,
  notes: [
    "NEW must not be there yet, or hold nothing. A backup that is one file needs the space for it twice meanwhile.",
    "Indexes are not in a backup: the first start makes them again, beside searches.",
  ],
  run: ({ config, positionals, lists, json }) =>
    withByteProgress(async (working) => {
      const { dataDirectory } = config;
      const manifest = await restoreBackup(positionals[0]!, dataDirectory, {
        ...working,
        bases: lists.base ?? [],
      });
      const { id, created, lectern, counts, modelsLeftOut } = manifest.head;
      if (json)
        printJson({ dataDirectory, id, created, lectern, counts, files: sizeOf(manifest).files, modelsLeftOut });
      else
        print(
          `${visible(dataDirectory)} is as of ${created}: ${counted(counts.documents, "document")}, ${counted(counts.customers, "customer")}, ${counted(counts.keys, "key")}. ` +
            `Start it with \`lectern serve --data-dir ${visible(dataDirectory)}\`.`,
        );
      if (modelsLeftOut.length > 0)
        note(
          `lectern: Not in the backup, and to be added with \`lectern model add\`: ${visible(modelsLeftOut.join(", "))}.`,
        );
    }),
};
