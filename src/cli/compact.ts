/** `lectern compact`: writes the documents' database anew, without a trace of what was deleted. */
import { existsSync } from "node:fs";
import { lockDirectory } from "../data-directory/lock.ts";
import { fail } from "../foundation/errors.ts";
import { compactDocuments } from "../store/compact.ts";
import { documentsDatabasePath } from "../store/database.ts";
import { commonOptions, type Command } from "./command.ts";
import { print, printJson } from "./terminal.ts";

const MEGABYTE = 1024 ** 2;

export const compactCommand: Command = {
  name: "compact",
  summary: "Writes lectern.db anew: smaller, and without a trace of what was deleted. The server must be stopped.",
  usage: "",
  positionals: { minimum: 0, maximum: 0 },
  flags: {},
  options: commonOptions,
  notes: ["Takes free space of twice the database's size meanwhile."],
  async run({ config, json }) {
    const path = documentsDatabasePath(config.dataDirectory);
    if (!existsSync(path)) throw fail("OPERATION_FAILED", { reason: `There are no documents: ${path} is not there.` });
    const lock = lockDirectory(config.dataDirectory);
    try {
      const { before, after } = compactDocuments(config.dataDirectory);
      if (json) printJson({ path, bytesBefore: before, bytesAfter: after });
      else print(`${path} is written anew: ${megabytes(before)} before, ${megabytes(after)} now.`);
    } finally {
      lock.release();
    }
    return 0;
  },
};

const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MiB`;
