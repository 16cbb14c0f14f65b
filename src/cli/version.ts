/** `lectern version`: which build this is. */
import { version } from "../../package.json";
import { commonOptions, type Command } from "./command.ts";
import { print, printJson } from "./terminal.ts";

export const versionCommand: Command = {
  name: "version",
  summary: "Prints the version.",
  usage: "",
  positionals: { minimum: 0, maximum: 0 },
  flags: {},
  options: commonOptions,
  forAnyUser: true,
  async run({ json }) {
    if (json) printJson({ version, platform: `${process.platform}-${process.arch}`, bun: Bun.version });
    else print(`lectern ${version} (${process.platform}-${process.arch}, Bun ${Bun.version})`);
    return 0;
  },
};
