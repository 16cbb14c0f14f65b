/** Waits for files that a server has accepted and reads in the background. */
import { OutcomeUnknown, RefusedByServer } from "./http-error.ts";
import { pause } from "./pause.ts";
import type { FileRecord } from "./stored-documents.ts";

const LOOK_EVERY_SECONDS = 1;
/** Looks in a row that may get no answer, while the server is started anew: it goes on with what it has accepted. */
const MOST_UNANSWERED = 120;
/** What a file that the server cannot read would have been answered. */
const BAD_REQUEST = 400;

/**
 * Resolves once the file is ready; `onProgress` is told how much of it has been recognised, from 0 to 1. Throws RefusedByServer with the
 * server's sentence where it cannot be read or was deleted, OutcomeUnknown where the server answers no more, and OPERATION_FAILED when the
 * signal is aborted: the server goes on.
 */
export async function untilReady(
  details: () => Promise<FileRecord>,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let unanswered = 0; ; ) {
    try {
      const { status, progress, error } = await details();
      if (status === "failed") throw new RefusedByServer(BAD_REQUEST, (error as { message: string }).message);
      // A server of an earlier version answers when it is done.
      if (status !== "processing") return;
      onProgress(Number(progress ?? 0));
      unanswered = 0;
    } catch (error) {
      if (!(error instanceof OutcomeUnknown) || ++unanswered > MOST_UNANSWERED) throw error;
    }
    await pause(LOOK_EVERY_SECONDS, "the server to read it, which goes on", signal);
  }
}
