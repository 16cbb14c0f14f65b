/** Asks before something is removed for good. */
import { createInterface } from "node:readline/promises";
import { fail } from "../foundation/errors.ts";
import type { CommandFlag } from "./command.ts";
import { visible } from "./terminal.ts";

/** The flag of every command that removes something. */
export const yesFlag: Readonly<Record<"yes", CommandFlag>> = {
  yes: { value: null, sentence: "Does not ask. Needed where there is no terminal to ask on." },
};

/** Throws USAGE where it would have to be asked and nobody can answer: before anything is looked at. */
export function requireAnswerable(
  flags: { readonly yes?: string | undefined },
  what = "This removes something for good",
): void {
  if (flags.yes === undefined && !(process.stdin.isTTY && process.stderr.isTTY))
    throw fail("USAGE", { reason: `${what}, and there is no terminal to ask on. Give --yes.` });
}

/** Goes on where `--yes` is given or the answer is yes. Throws OPERATION_FAILED for any other answer. `what` says what goes. */
export async function confirm(what: string, flags: { readonly yes?: string | undefined }): Promise<void> {
  if (flags.yes === undefined && !(await isWanted(what)))
    throw fail("OPERATION_FAILED", { reason: "Nothing was removed." });
}

/** Asks on the terminal. */
export async function isWanted(what: string, question = "Remove for good?"): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^\s*y(es)?\s*$/i.test(await terminal.question(`${visible(what)} ${question} [y/N] `.trimStart()));
  } finally {
    terminal.close();
  }
}
