/** An answer of `POST /v1/query` as it comes: its sources, then its words. */
import { fail } from "../foundation/errors.ts";
import type { FoundPassage, StreamedAnswer } from "./document-service.ts";

interface ReceivedEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Resolves once the sources are there. Throws OPERATION_FAILED where the stream breaks off. */
export async function readAnswer(body: ReadableStream<Uint8Array>): Promise<StreamedAnswer> {
  const events = eventsOf(body);
  const first = await events.next();
  if (first.done || first.value.event !== "sources") throw brokenOff(first.done ? undefined : first.value.data);
  let end: ReturnType<StreamedAnswer["end"]> | null = null;
  async function* words(): AsyncGenerator<string> {
    for await (const { event, data } of events) {
      if (event === "token") yield (data as { text: string }).text;
      else if (event === "done") end = data as ReturnType<StreamedAnswer["end"]>;
      else throw brokenOff(data);
    }
    if (end === null) throw brokenOff(undefined);
  }
  return { sources: first.value.data as FoundPassage[], words: words(), end: () => end! };
}

/** `event:` and `data:` lines up to an empty line; comments are passed over. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ReceivedEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map(block.split("\n").map((line) => [line.split(":", 1)[0]!, line.replace(/^[^:]*: ?/, "")]));
      const [event, data] = [fields.get("event"), fields.get("data")];
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) as unknown };
    }
  }
}

function brokenOff(said: unknown): Error {
  const { message, error } = (said ?? {}) as { message?: string; error?: string };
  return fail("OPERATION_FAILED", { reason: `The answer broke off: ${message ?? error ?? "the connection ended."}` });
}
