/**
 * How often somebody may try to sign in: after some failures from one address, or very many from all, the next attempt has to wait, each
 * time twice as long. A success forgives its address. Pure but for its memory, which is bounded.
 */
import { fail } from "../../foundation/errors.ts";

const FREE_FAILURES = 5;
const LONGEST_PAUSE = 60_000;
/** Of all addresses together: guesses that are spread out are slowed down, and nobody is kept out for long. */
const FREE_FAILURES_OF_ALL = 50;
const LONGEST_PAUSE_OF_ALL = 10_000;
/** After which failures are forgotten, milliseconds. */
const MEMORY = 15 * 60_000;
const MOST_ADDRESSES = 10_000;

interface Failures {
  count: number;
  last: number;
}

export class SignInPace {
  private readonly failures = new Map<string, Failures>();
  private readonly ofAll: Failures = { count: 0, last: 0 };

  constructor(private readonly now: () => number = Date.now) {}

  /** Throws SIGN_IN_PAUSED while the address has to wait. */
  check(address: string): void {
    const own = this.failures.get(address);
    const left = Math.max(
      own === undefined ? 0 : this.pauseAfter(own, FREE_FAILURES, LONGEST_PAUSE),
      this.pauseAfter(this.ofAll, FREE_FAILURES_OF_ALL, LONGEST_PAUSE_OF_ALL),
    );
    if (left > 0) throw fail("SIGN_IN_PAUSED", { retryAfter: Math.ceil(left / 1000) });
  }

  /** Notes a failure. It counts from before the secret is looked at: attempts that run beside one another are all counted. */
  noteAttempt(address: string): void {
    const own = this.failures.get(address) ?? { count: 0, last: 0 };
    // The one that failed last is the last one to be forgotten.
    this.failures.delete(address);
    this.failures.set(address, own);
    for (const kept of [own, this.ofAll]) this.add(kept);
    if (this.failures.size > MOST_ADDRESSES) this.failures.delete(this.failures.keys().next().value!);
  }

  /** Takes back what was noted of an attempt, and all failures of its address. */
  noteSuccess(address: string): void {
    this.failures.delete(address);
    this.ofAll.count = Math.max(0, this.ofAll.count - 1);
  }

  private add(kept: Failures): void {
    const at = this.now();
    if (at - kept.last > MEMORY) kept.count = 0;
    kept.count++;
    kept.last = at;
  }

  /** Milliseconds that are left of the pause. */
  private pauseAfter({ count, last }: Failures, free: number, longest: number): number {
    if (count < free) return 0;
    const pause = Math.min(longest, 1000 * 2 ** Math.min(count - free, 16));
    return last + pause - this.now();
  }
}
