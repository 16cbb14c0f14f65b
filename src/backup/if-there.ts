/** What may be gone by the time it is looked at. */

/** The work's result; null where nothing is at the path that it names. */
export function ifThere<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
