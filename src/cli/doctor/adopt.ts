/** `lectern doctor --adopt`: indexes files again that the database has lost. */
import { checkComplete } from "../../data-directory/complete.ts";
import type { Config } from "../../options/config.ts";
import { readServerAddress } from "../../data-directory/lock.ts";
import { requireOwner } from "../../data-directory/owner.ts";
import { fail } from "../../foundation/errors.ts";
import { noteChange } from "../operator-audit.ts";
import { openForCommand } from "../open-appliance.ts";
import { startProgress } from "../progress.ts";
import { note, print, printJson, visible } from "../terminal.ts";

/** Resolves to the exit code: 0 when nothing is left in lost+found. Throws OPERATION_FAILED while a server runs. */
export async function adoptLostFiles(config: Config, json: boolean): Promise<number> {
  const server = readServerAddress(config.dataDirectory);
  if (server !== null)
    throw fail("OPERATION_FAILED", {
      reason: `The server at ${server.url} (process ${server.pid}) runs on this data directory. Stop it, then try again.`,
    });
  requireOwner(config.dataDirectory);
  checkComplete(config.dataDirectory);
  const { adoptSetAside } = await import("../../operations/adopt.ts");
  // What a start would refuse is what this is for: it sets aside what the database does not know, and then indexes it.
  const appliance = await openForCommand(config, { acceptLoss: true });
  try {
    const progress = startProgress(await appliance.storage.countSetAside());
    const adoptions = await adoptSetAside(appliance, new AbortController().signal, ({ originalName, fileId }) =>
      progress.advance(originalName ?? fileId),
    );
    progress.finish();
    const left = adoptions.filter(({ problem }) => problem !== null);
    if (adoptions.length > left.length)
      noteChange(config, "files.adopt", { files: adoptions.length - left.length, left: left.length });
    if (json) printJson({ adopted: adoptions.length - left.length, left });
    else {
      print(
        adoptions.length === 0
          ? "There is nothing to index again."
          : `Indexed ${adoptions.length - left.length} of ${adoptions.length} files again.`,
      );
      for (const { fileId, originalName, problem } of left)
        note(`  ${visible(originalName ?? fileId)} stays in lost+found: ${visible(problem!)}`);
    }
    return left.length === 0 ? 0 : 1;
  } finally {
    await appliance.close();
  }
}
