/** The child's side of extraction: waits for files, reads them one at a time, answers with chunks or a named failure. */
import { LecternError } from "../errors.ts";
import { endWithParent } from "../native/end-with-parent.ts";
import type { ChildMessage, FailedMessage, ReadMessage } from "./extractor-protocol.ts";
import { readDocument } from "./read-document.ts";
import type { TokenCounterLike } from "./types.ts";

/** About half a megabyte of text. */
const CHUNKS_PER_MESSAGE = 256;

/** Serves read requests from the parent until the parent goes away; never resolves before. */
export async function runExtractorRole(counter: TokenCounterLike): Promise<void> {
  const { promise: disconnected, resolve } = Promise.withResolvers<void>();
  process.on("disconnect", resolve);
  process.on("message", (message: ReadMessage) => {
    void answer(message, counter);
  });
  endWithParent();
  send({ kind: "ready" });
  await disconnected;
}

function send(message: ChildMessage): void {
  process.send?.(message);
}

async function answer(message: ReadMessage, counter: TokenCounterLike): Promise<void> {
  try {
    const { chunks, ...document } = await readDocument(message.request, message.limits, counter);
    for (let start = 0; start < chunks.length; start += CHUNKS_PER_MESSAGE)
      send({ kind: "chunks", chunks: chunks.slice(start, start + CHUNKS_PER_MESSAGE) });
    send({ kind: "done", document });
  } catch (error) {
    send(describeFailure(error));
  }
}

/** An error without a name is our own fault, not the file's. */
function describeFailure(error: unknown): FailedMessage {
  if (error instanceof LecternError) {
    const { code, values, details, cause } = error;
    return { kind: "failed", code, values, details, cause: cause === undefined ? undefined : describe(cause) };
  }
  return { kind: "failed", code: "INTERNAL", values: {}, details: undefined, cause: describe(error) };
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ""}` : String(error);
}
