/** Work that is paid first and given back when it fails on our side. */
import type { Access } from "../access/index.ts";
import { LecternError } from "../foundation/errors.ts";

export interface Price {
  readonly customerId: string;
  readonly thousandths: number;
  /** What the usage is counted under. */
  readonly operation: string;
}

/** Takes the price, then does the work. Throws INSUFFICIENT_CREDITS before any work; what the work throws, after a refund unless it was the client who went away. */
export async function paidFor<Result>(access: Access, price: Price, work: () => Promise<Result>): Promise<Result> {
  access.charge(price.customerId, price.thousandths, price.operation);
  try {
    return await work();
  } catch (error) {
    if (!isClientGone(error)) access.refund(price.customerId, price.thousandths, price.operation);
    throw error;
  }
}

/** Whether a failure is one that the client did not cause, by its request or by going away: anything that is answered 5xx. */
export function isOurFailure(error: unknown): boolean {
  return error instanceof LecternError ? error.status >= 500 : !isClientGone(error);
}

/** Work is aborted only when nobody waits for it any more. Where that is our doing, the reason is an error of the table. */
export function isClientGone(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
