/**
 * Where a backup is restored to. A folder that is not there yet gets its content by getting its name. One that is there and holds nothing,
 * such as the root of a volume, gets it by moves that are taken back where they do not come to their end.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { hasUnfinishedMoves, moveAll, takeBackMoves } from "../data-directory/moves.ts";
import { fail } from "../foundation/errors.ts";
import { syncFileSystem } from "../native/sync-file-system.ts";
import { isPartial, openPartial, takeLeft } from "./partial.ts";

export interface RestorePlace {
  /** On the file system of the place: where what is restored grows. */
  readonly aside: string;
  /** Puts the content of a folder below `aside` into its place; returns once it would survive a power loss. The folder's own content is flushed before. */
  settle(restored: string): void;
  /** Removes what is aside. */
  discard(): void;
}

/** Throws OPERATION_FAILED where something is, but for what a restoration that was killed has left, or where one is under way. */
export function requireNothingAt(target: string): void {
  const found = lstatSync(target, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory()) {
    takeBackOwnMoves(target);
    if (readdirSync(target).every(isPartial)) return;
  }
  throw fail("OPERATION_FAILED", {
    reason: `${target} holds something already, and a backup is only restored into a folder that is not there or holds nothing. Name another with --data-dir, or move that one away.`,
  });
}

/** Takes back what a restoration that was killed has moved. A repair's moves are not for this to judge. */
function takeBackOwnMoves(target: string): void {
  if (!hasUnfinishedMoves(target)) return;
  using left = takeLeft(growingIn(target), target);
  if (left !== null) takeBackMoves(target);
}

/** What grows in a folder that is there already. */
const growingIn = (target: string): string => join(target, "restored");

/** To be discarded in the end. Throws OPERATION_FAILED where another process restores to the same place. */
export function openRestorePlace(target: string): RestorePlace {
  return existsSync(target) ? inside(target) : besides(target);
}

function besides(target: string): RestorePlace {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const partial = openPartial(target);
  return {
    aside: partial.path,
    settle(restored) {
      renameSync(restored, target);
      syncFileSystem(dirname(target));
    },
    discard: partial.discard,
  };
}

function inside(target: string): RestorePlace {
  const partial = openPartial(growingIn(target), target);
  return {
    aside: partial.path,
    settle(restored) {
      const from = relative(target, restored);
      moveAll(
        target,
        readdirSync(restored).map((name) => ({ from: join(from, name), to: name })),
      );
    },
    discard: partial.discard,
  };
}
