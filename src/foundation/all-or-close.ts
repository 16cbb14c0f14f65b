/** Opening several things at once without leaving any open behind a failure. */

/** Waits for all; when one fails, closes those that opened before it throws. */
export async function allOrClose<const Opening extends readonly Promise<unknown>[]>(
  openings: Opening,
): Promise<{ -readonly [Index in keyof Opening]: Awaited<Opening[Index]> }> {
  const outcomes = await Promise.allSettled(openings);
  const failure = outcomes.find((outcome) => outcome.status === "rejected");
  if (failure !== undefined) {
    for (const outcome of outcomes) {
      if (outcome.status === "fulfilled" && hasClose(outcome.value)) await outcome.value.close();
    }
    throw failure.reason;
  }
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as {
    -readonly [Index in keyof Opening]: Awaited<Opening[Index]>;
  };
}

function hasClose(value: unknown): value is { close(): void | Promise<void> } {
  return typeof value === "object" && value !== null && "close" in value && typeof value.close === "function";
}
