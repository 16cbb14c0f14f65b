/** Work side by side of which the first failure ends the rest. */

/**
 * Does `work` for every item, at most `limit` at a time; results in the items' order. The first failure aborts the signal that
 * the others were given; it is thrown once all running work has come to its end, so nothing of it goes on behind the caller's back.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const results = new Array<Result>(items.length);
  let next = 0;
  let firstError: { readonly error: unknown } | undefined;

  const worker = async (): Promise<void> => {
    while (next < items.length && !either.aborted) {
      const index = next++;
      try {
        results[index] = await work(items[index]!, either);
      } catch (error) {
        firstError ??= { error };
        failure.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (firstError !== undefined) throw firstError.error;
  signal.throwIfAborted();
  return results;
}

/** Does both; as `inParallel` does its items. */
export async function together<One, Other>(
  signal: AbortSignal,
  one: (signal: AbortSignal) => Promise<One>,
  other: (signal: AbortSignal) => Promise<Other>,
): Promise<[One, Other]> {
  const results = await inParallel<typeof one | typeof other, One | Other>([one, other], 2, signal, (work, own) =>
    work(own),
  );
  return results as [One, Other];
}
