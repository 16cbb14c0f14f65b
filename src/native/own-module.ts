/** Parts of this program that are loaded apart from the rest, so that a process without them does not carry their code. */

import { join } from "node:path";
import { isCompiled, projectRoot } from "./assets.ts";

/** Every file that is loaded so. Each becomes an entry point of the executable. */
export const separateEntryPoints = ["src/answers/llama/role.ts"] as const;

/** Loads one of them by its project-relative path; inside the executable paths begin at the executable's own root. */
export function importOwnModule(entryPoint: (typeof separateEntryPoints)[number]): Promise<unknown> {
  return import(isCompiled ? `./${entryPoint}` : join(projectRoot, entryPoint));
}
