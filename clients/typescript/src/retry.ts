/** When a request is sent again, and how long that waits. */
import type { LecternError } from "./error.ts";

export interface RetryOptions {
  /** How often a request is sent again at most; 5. 0: never. */
  readonly retries: number;
  /** The longest wait before it is, in milliseconds; 60,000, which a full window of rates may take. A server that asks for more is not waited for. */
  readonly longestWait: number;
}

/**
 * What may be sent again. "always": also where nobody knows whether the server did it, because doing it twice is as good as once. "refused": only
 * where the server said that it did nothing. "never": a body that can be read but once.
 */
export type Repeatable = "always" | "refused" | "never";

const FIRST_WAIT = 500;
/** Beyond what the server asked for, so that many who wait do not come back in the same moment. */
const MOST_JITTER = 1000;
/** The server did nothing, and may do it later. */
const REFUSED_FOR_NOW: readonly number[] = [429, 503];
/** Whatever lies between may have given up waiting for a server that goes on. */
const UNKNOWN_OUTCOME: readonly number[] = [502, 504];
const UNANSWERED: readonly string[] = ["UNREACHABLE", "BROKEN_OFF", "TIMEOUT"];

/** Milliseconds until the `attempt`-th repetition (from 1 on), or null where there is none. */
export function waitBefore(
  attempt: number,
  failure: LecternError,
  repeatable: Repeatable,
  { retries, longestWait }: RetryOptions,
): number | null {
  if (attempt > retries || !mayRepeat(failure, repeatable)) return null;
  if (failure.retryAfter === undefined)
    return Math.min(longestWait, FIRST_WAIT * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
  const asked = failure.retryAfter * 1000;
  return asked > longestWait ? null : asked + Math.random() * MOST_JITTER;
}

function mayRepeat(failure: LecternError, repeatable: Repeatable): boolean {
  if (repeatable === "never") return false;
  if (isRefusedForNow(failure)) return true;
  return repeatable === "always" && (UNKNOWN_OUTCOME.includes(failure.status) || UNANSWERED.includes(failure.code));
}

export const isRefusedForNow = ({ status }: LecternError): boolean => REFUSED_FOR_NOW.includes(status);

/** Rejects with the signal's reason when it is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
