/** How this program starts itself again, as a child process in another role. */

import { join } from "node:path";
import { isCompiled, projectRoot } from "./assets.ts";

/**
 * The command line that runs Lectern with these arguments: the executable itself, or Bun with `src/main.ts`.
 *
 * @example Bun.spawn(ownCommand("--role=extract"))
 */
export function ownCommand(...commandArguments: string[]): string[] {
  return isCompiled
    ? [process.execPath, ...commandArguments]
    : [process.execPath, join(projectRoot, "src/main.ts"), ...commandArguments];
}
