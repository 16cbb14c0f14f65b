/** `lectern health`: whether the server of the data directory serves. For whoever watches it by a command, as containers do. */
import { readServerAddress } from "../data-directory/lock.ts";
import { fail } from "../foundation/errors.ts";
import { commonOptions, type Command } from "./command.ts";
import { networkReason } from "./network-error.ts";
import { print, printJson, visible } from "./terminal.ts";

const WAIT_MILLISECONDS = 5000;

export const healthCommand: Command = {
  name: "health",
  summary:
    "Asks the server that holds the data directory whether it serves. Exit code 0: it does; 1: it does not, and why.",
  usage: "",
  positionals: { minimum: 0, maximum: 0 },
  flags: {},
  options: commonOptions,
  async run({ config, json }) {
    const server = readServerAddress(config.dataDirectory);
    if (server === null)
      throw fail("OPERATION_FAILED", {
        reason: `No server holds the data directory ${config.dataDirectory}. \`lectern serve\` starts one.`,
      });
    const { isReady, sentence } = await askReady(server.url);
    if (json) printJson({ url: server.url, ready: isReady });
    else if (isReady) print(`The server at ${server.url} is ready.`);
    if (!isReady) throw fail("OPERATION_FAILED", { reason: `The server at ${server.url} is not ready: ${sentence}` });
    return 0;
  },
};

async function askReady(url: string): Promise<{ isReady: boolean; sentence: string }> {
  try {
    const answer = await fetch(`${url}/readyz`, {
      signal: AbortSignal.timeout(WAIT_MILLISECONDS),
      // Its certificate is for the name that clients use. The address is the data directory's own, and nothing secret is sent.
      tls: { rejectUnauthorized: false },
    });
    const { message } = (await answer.json()) as { message?: string };
    return { isReady: answer.ok, sentence: visible(message ?? "it gives no reason.") };
  } catch (error) {
    return { isReady: false, sentence: networkReason(error) };
  }
}
