/** Long work in slices, so that short requests to the same thread need not wait for its end. */
import { letOthersIn } from "../foundation/let-others-in.ts";

/** Work that yields where others may be let in, and promises that it waits for. */
export type Steps<Result> = Generator<undefined | Promise<unknown>, Result>;

/** Runs work to its end, letting others in whenever it yields. */
export async function inSlices<Result>(work: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await (step.value ?? letOthersIn());
  }
}
