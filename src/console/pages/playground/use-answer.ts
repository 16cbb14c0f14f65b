/** An answer as it is written; another question ends it. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { announce } from "../../parts/announcements.tsx";
import { streamAnswer } from "../../service/answer-stream.ts";
import { RequestError } from "../../service/requests.ts";
import type { SearchResult } from "../../service/types.ts";
import { words } from "../../words/index.ts";

export interface Answer {
  readonly text: string;
  readonly sources: readonly SearchResult[];
  /** What wrote it; null: it is not whole. */
  readonly model: string | null;
  readonly error: RequestError | null;
  readonly isRunning: boolean;
  readonly run: (asked: unknown) => void;
  readonly stop: () => void;
}

type State = Omit<Answer, "run" | "stop">;

const NOTHING: State = { text: "", sources: [], model: null, error: null, isRunning: false };

export function useAnswer(customer: string | null): Answer {
  const [state, setState] = useState<State>(NOTHING);
  const running = useRef<AbortController | null>(null);
  const stop = useCallback(() => {
    running.current?.abort();
    setState((last) => ({ ...last, isRunning: false }));
  }, []);
  const run = useCallback(
    (asked: unknown) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      setState({ ...NOTHING, isRunning: true });
      const ifPresent = (change: (last: State) => State): void => {
        if (!controller.signal.aborted) setState(change);
      };
      streamAnswer(
        asked,
        { customer, signal: controller.signal },
        {
          onSources: (sources) => ifPresent((last) => ({ ...last, sources })),
          onText: (text) => ifPresent((last) => ({ ...last, text: last.text + text })),
          onDone(model) {
            ifPresent((last) => ({ ...last, model, isRunning: false }));
            announce(words.playground.answered);
          },
        },
      ).catch((error: unknown) => {
        if (controller.signal.aborted) return;
        if (!(error instanceof RequestError)) throw error;
        setState((last) => ({ ...last, error, isRunning: false }));
      });
    },
    [customer],
  );
  useEffect(() => () => running.current?.abort(), []);
  return { ...state, run, stop };
}
