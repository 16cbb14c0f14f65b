/** Long work in slices, so that short requests to the same thread need not wait for its end. */

/** Lets waiting messages, such as short searches, in. */
export const letOthersIn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs work that yields every now and then, letting others in each time, to its end. */
export async function inSlices<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await letOthersIn();
  }
}
