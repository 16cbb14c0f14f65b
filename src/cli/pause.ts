/** How `ingest` waits before it tries again. */
import { setTimeout as after } from "node:timers/promises";
import { fail } from "../foundation/errors.ts";

/** Resolves after so many seconds. Throws OPERATION_FAILED as soon as the signal is aborted; `awaited` says what it waited for. */
export async function pause(seconds: number, awaited: string, signal?: AbortSignal): Promise<void> {
  try {
    await after(seconds * 1000, undefined, { signal });
  } catch (error) {
    throw fail("OPERATION_FAILED", { reason: `Given up while waiting for ${awaited}.` }, undefined, error);
  }
}
