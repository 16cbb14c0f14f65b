/** Something that a button starts: whether it is under way, and why it failed. */
import { useCallback, useRef, useState } from "preact/hooks";
import { RequestError } from "../service/requests.ts";

export interface Task {
  readonly isRunning: boolean;
  /** Of the last run; null: none, or it is running. */
  readonly error: RequestError | null;
  /** Does nothing while an earlier run is under way. Errors other than refusals are thrown on. */
  readonly run: (work: () => Promise<void>) => Promise<void>;
}

export function useTask(): Task {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<RequestError | null>(null);
  const running = useRef(false);
  const run = useCallback(async (work: () => Promise<void>) => {
    if (running.current) return;
    running.current = true;
    setRunning(true);
    setError(null);
    try {
      await work();
    } catch (thrown) {
      if (!(thrown instanceof RequestError)) throw thrown;
      setError(thrown);
    } finally {
      running.current = false;
      setRunning(false);
    }
  }, []);
  return { isRunning, error, run };
}
