/** An answer as it is written: its sources, then its words. */
import { EventReader } from "../text/event-reader.ts";
import { RequestError, send } from "./requests.ts";
import type { SearchResult } from "./types.ts";
import { words } from "../words/index.ts";

export interface AnswerListener {
  readonly onSources: (sources: readonly SearchResult[]) => void;
  readonly onText: (text: string) => void;
  /** The language model's name, or `extractive`. */
  readonly onDone: (model: string) => void;
}

/** Resolves when the answer is whole. Throws RequestError where it is refused or breaks off, or what `signal` was aborted with. */
export async function streamAnswer(
  question: unknown,
  { customer, signal }: { readonly customer: string | null; readonly signal: AbortSignal },
  { onSources, onText, onDone }: AnswerListener,
): Promise<void> {
  const response = await send("POST", "/v1/query", { json: question, customer, signal });
  const events = new EventReader();
  const decoder = new TextDecoder();
  const reader = response.body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new RequestError(0, "BROKEN_OFF", words.playground.brokenOff);
    for (const { event, data } of events.read(decoder.decode(value, { stream: true }))) {
      const body: unknown = JSON.parse(data);
      if (event === "sources") onSources(body as SearchResult[]);
      if (event === "token") onText((body as { text: string }).text);
      if (event === "error") {
        const { error = "", message = error } = body as { error?: string; message?: string };
        throw new RequestError(0, error, message);
      }
      if (event === "done") return onDone((body as { model: string }).model);
    }
  }
}
