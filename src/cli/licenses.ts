/** `lectern licenses`: Lectern's own licence, and the notices of all software inside the executable. */
import { fail } from "../foundation/errors.ts";
import { isCompiled, readAssetText } from "../native/index.ts";
import { commonOptions, type Command } from "./command.ts";
import { print } from "./terminal.ts";

/** The build writes it from what it puts into the executable. */
const NOTICES = "build/THIRD_PARTY_NOTICES.txt";

export const licensesCommand: Command = {
  name: "licenses",
  summary: "Prints Lectern's licence, and the names and licences of all software inside the executable.",
  usage: "",
  positionals: { minimum: 0, maximum: 0 },
  flags: {},
  options: commonOptions,
  forAnyUser: true,
  async run() {
    if (!isCompiled)
      throw fail("OPERATION_FAILED", {
        reason: "The notices are part of the executable, and this is Lectern from source: `bun run build` makes both.",
      });
    print(readAssetText("LICENSE"));
    print(readAssetText(NOTICES).trimEnd());
    return 0;
  },
};
