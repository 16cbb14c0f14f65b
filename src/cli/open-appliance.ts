/** Opens the engines of a data directory for a command, within the time that a start may take. */
import type { Appliance } from "../appliance/index.ts";
import type { Config } from "../options/config.ts";
import { log } from "../foundation/log.ts";
import { prepareNative } from "./prepare-native.ts";
import { note } from "./terminal.ts";

/**
 * Opens the appliance. Throws as `openAppliance` and `prepareNative` do. A start that has come to nothing when its time is
 * over ends the process, with a sentence and exit code 1, so that whatever watches it can start it again.
 */
export async function openForCommand(config: Config, options: { acceptLoss?: boolean } = {}): Promise<Appliance> {
  const limit = setTimeout(() => giveUp(config.startSeconds), config.startSeconds * 1000);
  try {
    await prepareNative(config);
    // Loaded here, so that commands that do without it start without its code.
    const { openAppliance } = await import("../appliance/index.ts");
    return await openAppliance(config, log, options);
  } finally {
    clearTimeout(limit);
  }
}

function giveUp(seconds: number): void {
  note(
    `lectern: The data directory could not be opened within ${seconds} seconds. \`lectern doctor\` says what is wrong with it; where it is only large, give it longer: --start-seconds.`,
  );
  // Not an error that is thrown: what hangs would keep the process alive.
  process.exit(1);
}
