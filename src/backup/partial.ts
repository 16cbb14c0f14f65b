/**
 * What is being made lies aside, in a hidden folder beside its place, until it is whole. The folder is locked while its process lives:
 * what a killed one left is known by that, and removed by the next that works there.
 */
import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { lockFolder } from "../data-directory/lock.ts";
import { fail } from "../foundation/errors.ts";
import { ifThere } from "./if-there.ts";

const ENDING = ".lectern-partial";

/** Whether a name is one of such a folder. */
export const isPartial = (name: string): boolean => name.startsWith(".") && name.endsWith(ENDING);

export interface PartialFolder {
  readonly path: string;
  /** Removes it with all that is in it; nothing where it has got its own name by now. */
  discard(): void;
}

/** Makes the folder in which `target` grows, which errors call `name`. Throws OPERATION_FAILED where another process is making the same one. */
export function openPartial(target: string, name = target): PartialFolder {
  sweepPartials(dirname(target));
  const path = partialOf(target);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw busy(name);
  }
  // Another process may have swept it before it was locked.
  const descriptor = ifThere(() => openSync(path, "r"));
  if (descriptor === null || !lockFolder(descriptor) || ifThere(() => lstatSync(path)) === null) {
    if (descriptor !== null) closeSync(descriptor);
    throw busy(name);
  }
  return {
    path,
    discard() {
      rmSync(path, { recursive: true, force: true });
      closeSync(descriptor);
    },
  };
}

/**
 * Takes what a killed process left of `target`, so that no other works there until it is let go; null where it left nothing. Throws
 * OPERATION_FAILED, in which it is called `name`, where the process lives.
 */
export function takeLeft(target: string, name = target): Disposable | null {
  const descriptor = ifThere(() => openSync(partialOf(target), "r"));
  if (descriptor === null) return null;
  if (lockFolder(descriptor)) return { [Symbol.dispose]: () => closeSync(descriptor) };
  closeSync(descriptor);
  throw busy(name);
}

const partialOf = (target: string): string => join(dirname(target), `.${basename(target)}${ENDING}`);

const busy = (name: string): Error =>
  fail("OPERATION_FAILED", {
    reason: `Another process is just making ${name}. Wait for it, or choose another name.`,
  });

function sweepPartials(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!isPartial(name)) continue;
    const path = join(parent, name);
    const descriptor = ifThere(() => openSync(path, "r"));
    if (descriptor === null) continue;
    try {
      if (lockFolder(descriptor)) rmSync(path, { recursive: true, force: true });
    } finally {
      closeSync(descriptor);
    }
  }
}
