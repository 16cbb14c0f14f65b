/** `lectern backup list`. */
import { listBackups } from "../../backup/index.ts";
import { commonOptions, type Command } from "../command.ts";
import { gigabytes } from "../copy-with-hashes.ts";
import { print, printJson, printTable, visible } from "../terminal.ts";

export const listBackupsCommand: Command = {
  name: "backup list",
  summary: "Lists the backups in a folder by their moments, without reading what is in them.",
  usage: "FOLDER",
  positionals: { minimum: 1, maximum: 1 },
  flags: {},
  options: commonOptions,
  forAnyUser: true,
  async run({ positionals, json }) {
    const folder = positionals[0]!;
    const backups = await listBackups(folder);
    if (json) printJson(backups);
    else if (backups.length === 0) print(`There is no backup in ${visible(folder)}.`);
    else
      printTable(
        ["NAME", "MOMENT", "DOCUMENTS", "SIZE", "MADE BY"],
        backups.map(({ name, created, counts, bytes, lectern }) => [
          visible(name),
          created,
          String(counts.documents),
          gigabytes(bytes),
          `Lectern ${visible(lectern)}`,
        ]),
      );
    return 0;
  },
};
