/** An answer's bytes as they come, ended when nothing comes for too long. */
import { LecternError } from "./error.ts";

/**
 * Throws LecternError `BROKEN_OFF` where the connection ends or falls silent, the signal's reason where that was aborted. Ended early, it lets
 * go of the connection.
 */
export async function* bytesOf(
  response: Response,
  idleTimeout: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), idleTimeout, signal);
      if (done) return;
      yield value;
    }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new LecternError("The answer broke off: the connection ended or fell silent.", {
      code: "BROKEN_OFF",
      status: 0,
      requestId: response.headers.get("x-request-id") ?? undefined,
      cause,
    });
  } finally {
    // Of no effect where it was read to its end.
    reader.cancel().catch(() => {});
  }
}

/** The promise's value, unless it takes longer (0: however long) or the signal is aborted. */
async function within<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop: (() => void) | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        stop = () => reject(signal?.reason);
        if (signal?.aborted) stop();
        else signal?.addEventListener("abort", stop, { once: true });
        if (milliseconds > 0)
          timer = setTimeout(() => reject(new Error(`silence for ${milliseconds} ms`)), milliseconds);
      }),
    ]);
  } finally {
    clearTimeout(timer);
    if (stop) signal?.removeEventListener("abort", stop);
  }
}
