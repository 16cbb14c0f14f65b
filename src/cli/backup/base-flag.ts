/** The flag of what reads backups that were made since others. */
import type { CommandFlag } from "../command.ts";

export const baseFlag: Readonly<Record<"base", CommandFlag>> = {
  base: {
    value: "LAST",
    repeatable: true,
    sentence: "Where a file that BACKUP was made since lies, when it is not beside it. May be given several times.",
  },
};
