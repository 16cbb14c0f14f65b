/** The child's side of extraction: waits for files, reads them one at a time, answers with chunks or a named failure. */
import { LecternError } from "../errors.ts";
import { endWithParent } from "./end-with-parent.ts";
import type { ChildMessage, FailedMessage, ReadMessage } from "./extractor-protocol.ts";
import { readDocument } from "./read-document.ts";
import type { TokenCounterLike } from "./types.ts";

/** Serves read requests from the parent until the parent goes away; never resolves before. */
export async function runExtractorRole(counter: TokenCounterLike): Promise<void> {
  const { promise: disconnected, resolve } = Promise.withResolvers<void>();
  process.on("disconnect", resolve);
  process.on("message", (message: ReadMessage) => {
    void answer(message, counter).then(send);
  });
  endWithParent();
  send({ kind: "ready" });
  await disconnected;
}

function send(message: ChildMessage): void {
  process.send?.(message);
}

async function answer(message: ReadMessage, counter: TokenCounterLike): Promise<ChildMessage> {
  try {
    const document = await readDocument(message.request, { maxTextCharacters: message.maxTextCharacters }, counter);
    return { kind: "done", document };
  } catch (error) {
    return describeFailure(error, message.request.originalName);
  }
}

/** Whatever a parser throws that has no name of its own means that the file is damaged. */
function describeFailure(error: unknown, file: string): FailedMessage {
  if (error instanceof LecternError) {
    const cause = error.cause === undefined ? undefined : String(error.cause);
    return { kind: "failed", code: error.code, values: error.values, details: error.details, cause };
  }
  return {
    kind: "failed",
    code: "UNREADABLE_FILE",
    values: { file, reason: "it is damaged or not what its type says" },
    details: { file },
    cause: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}
