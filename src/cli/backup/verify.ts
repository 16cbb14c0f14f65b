/** `lectern backup verify`. */
import { verifyBackup } from "../../backup/index.ts";
import { commonOptions, type Command } from "../command.ts";
import { counted } from "../existing-dataset.ts";
import { print, printJson, visible } from "../terminal.ts";
import { baseFlag } from "./base-flag.ts";
import { withByteProgress } from "./progress.ts";

export const verifyBackupCommand: Command = {
  name: "backup verify",
  summary: "Reads a backup to its last byte, and says whether it is what was backed up.",
  usage: "BACKUP [--base LAST]…",
  positionals: { minimum: 1, maximum: 1 },
  flags: baseFlag,
  options: commonOptions,
  forAnyUser: true,
  run: ({ positionals, lists, json }) =>
    withByteProgress(async (working) => {
      const path = positionals[0]!;
      const { head, entries } = await verifyBackup(path, { ...working, bases: lists.base ?? [] });
      const { id, created, lectern, counts } = head;
      if (json) printJson({ path, whole: true, id, created, lectern, counts, files: entries.size });
      else
        print(
          `${visible(path)} is whole: ${counted(entries.size, "file")} as of ${created}, made by Lectern ${visible(lectern)}.`,
        );
    }),
};
