/** What a page shows, asked of the server when it opens and whenever that may have changed. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { request, type RequestError } from "./requests.ts";

export interface Loaded<Value> {
  /** The last that came; null: nothing yet. */
  readonly value: Value | null;
  /** Why the last request failed; null: it did not. */
  readonly error: RequestError | null;
  readonly isLoading: boolean;
  /** Asks again; what is shown stays meanwhile. */
  readonly reload: () => void;
  /** Takes this for what the server would answer. */
  readonly replace: (value: Value) => void;
}

export interface LoadOptions {
  readonly customer?: string | null;
  /** Milliseconds until it is asked again by itself; null: it is not. Nothing is asked while the page is hidden. */
  readonly every?: number | null;
}

/** `path`: null asks nothing. */
export function useLoaded<Value>(
  path: string | null,
  { customer = null, every = null }: LoadOptions = {},
): Loaded<Value> {
  const [state, setState] = useState<{ of: string | null; value: Value | null; error: RequestError | null }>({
    of: null,
    value: null,
    error: null,
  });
  const [isLoading, setLoading] = useState(path !== null);
  const [round, setRound] = useState(0);
  const source = path === null ? null : `${customer ?? ""} ${path}`;
  const present = useRef(source);
  present.current = source;

  useEffect(() => {
    if (path === null) return;
    const controller = new AbortController();
    setLoading(true);
    request<Value>("GET", path, { customer, signal: controller.signal })
      .then(
        (value) => setState({ of: source, value, error: null }),
        (error: RequestError) => {
          if (!controller.signal.aborted)
            setState((last) => ({ ...last, of: source, value: last.of === source ? last.value : null, error }));
        },
      )
      .finally(() => {
        if (!controller.signal.aborted) setLoading(false);
      });
    return () => controller.abort();
  }, [source, round]);

  const reload = useCallback(() => setRound((last) => last + 1), []);
  const replace = useCallback((value: Value) => setState({ of: present.current, value, error: null }), []);

  useEffect(() => {
    if (every === null || path === null) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") reload();
    }, every);
    return () => clearInterval(timer);
  }, [every, source]);

  const isPresent = state.of === source;
  return { value: isPresent ? state.value : null, error: isPresent ? state.error : null, isLoading, reload, replace };
}
