/**
 * Commands of this program that the console has run on the server's data directory, each in a process of its own, so that what reads
 * strangers' files or works for minutes neither harms the server nor holds it up. The server's configuration file holds for them, its flags
 * do not.
 */
import { childEnvironment, ownCommand } from "../../native/index.ts";

export interface CommandOutcome {
  readonly code: number;
  readonly output: string;
  /** The sentence on standard error, without the program's name. */
  readonly errors: string;
}

export type RunCommand = (words: readonly string[], onShare?: (share: number) => void) => Promise<CommandOutcome>;

/** `stopped` ends what is under way, in order. */
export function ownCommands(dataDirectory: string, stopped: AbortSignal): RunCommand {
  return async (words, onShare = () => {}) => {
    const child = Bun.spawn(ownCommand(...words, "--data-dir", dataDirectory), {
      env: childEnvironment(),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      signal: stopped,
      killSignal: "SIGTERM",
      ipc: (message: { share?: unknown } | null) => {
        if (typeof message?.share === "number") onShare(message.share);
      },
    });
    const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return { code: await child.exited, output: output.trim(), errors: errors.trim().replace(/^lectern: /, "") };
  };
}
