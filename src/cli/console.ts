/** `lectern console password|link`: how an operator gets into the web console. Both take effect in a running server at once. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { PASSWORD_LIMITS, type ConsoleAccess } from "../access/index.ts";
import type { Config } from "../options/config.ts";
import { readServerAddress } from "../data-directory/lock.ts";
import { fail } from "../foundation/errors.ts";
import { commonOptions, type Command } from "./command.ts";
import { noteChange } from "./operator-audit.ts";
import { note, print, printJson } from "./terminal.ts";
import { withAccess } from "./with-access.ts";

const HOUR = 3_600_000;

const password: Command = {
  name: "console password",
  summary: "Sets the operator's password for the web console, and ends the operator's sessions there.",
  usage: "",
  positionals: { minimum: 0, maximum: 0 },
  flags: {},
  options: commonOptions,
  notes: ["Asks on the terminal, or reads one line of standard input: `lectern console password < FILE`."],
  async run({ config, json }) {
    const chosen = await readPassword();
    const { minLength, maxLength } = PASSWORD_LIMITS;
    if (chosen.length < minLength || chosen.length > maxLength)
      throw fail("OPERATION_FAILED", {
        reason: `A password has ${minLength} to ${maxLength} characters. Nothing was changed.`,
      });
    await withAccess(config, (access) => access.console.setPassword(chosen, null), true);
    noteChange(config, "console.password", {});
    if (json) printJson({ set: true });
    else print("The password is set.");
    return 0;
  },
};

const link: Command = {
  name: "console link",
  summary: "Shows a link by which the operator signs in to the web console, once, within an hour.",
  usage: "",
  positionals: { minimum: 0, maximum: 0 },
  flags: {},
  options: [...commonOptions, "publicUrl"],
  async run({ config, json }) {
    const made = await withAccess(config, (access) => makeSignInLink(config, access.console, null, HOUR));
    noteChange(config, "console.link", { expires: made.expires });
    if (json) printJson(made);
    else print(made.link);
    return 0;
  },
};

/** A link that works once; `address`: the server's, where it is known already. */
export function makeSignInLink(
  config: Config,
  accounts: Pick<ConsoleAccess, "createLink">,
  customerId: string | null,
  milliseconds: number,
  address = readServerAddress(config.dataDirectory)?.url,
): { readonly link: string; readonly expires: string } {
  const expires = Date.now() + milliseconds;
  const secret = accounts.createLink(customerId, expires);
  const origin = config.publicUrl ?? address ?? `http://${config.host}:${config.port}`;
  return { link: `${origin}/#/sign-in/${secret}`, expires: new Date(expires).toISOString() };
}

/** Twice from the terminal, where nobody sees it, or the first line of what is sent. Throws OPERATION_FAILED where the two differ. */
async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await Bun.stdin.text()).replace(/\r?\n.*$/s, "");
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  // Lines that come before they are asked for are kept.
  const lines = terminal[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    process.stderr.write(question);
    const line = await lines.next();
    note("");
    if (line.done) throw fail("OPERATION_FAILED", { reason: "Nothing was changed." });
    return line.value;
  };
  try {
    const [first, second] = [await ask("New password: "), await ask("Again: ")];
    if (first !== second) throw fail("OPERATION_FAILED", { reason: "The two are not the same. Nothing was changed." });
    return first;
  } finally {
    terminal.close();
  }
}

export const consoleCommands: readonly Command[] = [password, link];
