/** Long work in slices, so that short requests to the same thread need not wait for its end. */

/** Work that yields where others may be let in, and promises that it waits for. */
export type Steps<Result> = Generator<undefined | Promise<unknown>, Result>;

/** Lets waiting messages, such as short searches, in. */
export const letOthersIn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs work to its end, letting others in whenever it yields. */
export async function inSlices<Result>(work: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await (step.value ?? letOthersIn());
  }
}
