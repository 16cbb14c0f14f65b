/** A search: the last one asked is the one that is shown. */
import { useCallback, useRef, useState } from "preact/hooks";
import { announce } from "../../parts/announcements.tsx";
import { RequestError, request } from "../../service/requests.ts";
import type { SearchResult } from "../../service/types.ts";
import { words } from "../../words/index.ts";

export interface Search {
  /** null: nothing was asked yet. */
  readonly results: readonly SearchResult[] | null;
  /** From asking to seeing. */
  readonly seconds: number;
  readonly error: RequestError | null;
  readonly isRunning: boolean;
  readonly run: (asked: unknown) => void;
}

type State = Omit<Search, "run">;

export function useSearch(customer: string | null): Search {
  const [state, setState] = useState<State>({ results: null, seconds: 0, error: null, isRunning: false });
  const running = useRef<AbortController | null>(null);
  const run = useCallback(
    (asked: unknown) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      const started = performance.now();
      setState((last) => ({ ...last, error: null, isRunning: true }));
      request<{ data: readonly SearchResult[] }>("POST", "/v1/search", {
        json: asked,
        customer,
        signal: controller.signal,
      }).then(
        ({ data }) => {
          setState({ results: data, seconds: (performance.now() - started) / 1000, error: null, isRunning: false });
          announce(words.playground.found(data.length));
        },
        (error: unknown) => {
          if (controller.signal.aborted) return;
          if (!(error instanceof RequestError)) throw error;
          setState((last) => ({ ...last, error, isRunning: false }));
        },
      );
    },
    [customer],
  );
  return { ...state, run };
}
