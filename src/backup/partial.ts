/**
 * What is being made lies aside, in a hidden folder beside its place, until it is whole. The folder is locked while its process lives:
 * what a killed one left is known by that, and removed by the next that works there.
 */
import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { lockFolder } from "../data-directory/lock.ts";
import { fail } from "../foundation/errors.ts";

const ENDING = ".lectern-partial";

/** Whether a name is one of such a folder. */
export const isPartial = (name: string): boolean => name.startsWith(".") && name.endsWith(ENDING);

export interface PartialFolder {
  readonly path: string;
  /** Removes it with all that is in it; nothing where it has got its own name by now. */
  discard(): void;
}

/** Makes the folder in which `target` grows. Throws OPERATION_FAILED where another process is making the same one. */
export function openPartial(target: string): PartialFolder {
  const parent = dirname(target);
  sweepPartials(parent);
  const path = join(parent, `.${basename(target)}${ENDING}`);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw fail("OPERATION_FAILED", {
      reason: `Another process is just making ${target}. Wait for it, or choose another name.`,
    });
  }
  const descriptor = openSync(path, "r");
  lockFolder(descriptor);
  return {
    path,
    discard() {
      rmSync(path, { recursive: true, force: true });
      closeSync(descriptor);
    },
  };
}

function sweepPartials(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!isPartial(name)) continue;
    const path = join(parent, name);
    const descriptor = openSync(path, "r");
    try {
      if (lockFolder(descriptor)) rmSync(path, { recursive: true, force: true });
    } finally {
      closeSync(descriptor);
    }
  }
}
