/** What may become of a request to a server besides its answer. */
import { LecternError } from "../foundation/errors.ts";

/** Nobody can tell whether the server did what it was asked: its answer was lost, or is somebody else's. */
export class OutcomeUnknown extends LecternError {
  constructor(sentence: string, cause?: unknown) {
    super("OPERATION_FAILED", { reason: sentence }, undefined, cause);
  }
}

/** A refusal by the server, with its own sentence. */
export class RefusedByServer extends LecternError {
  constructor(
    readonly httpStatus: number,
    sentence: string,
  ) {
    super("OPERATION_FAILED", { reason: sentence });
  }
}

/** The status of a refusal, whoever refused: a server, or what does the work in this process. */
export const statusOf = (refusal: LecternError): number =>
  refusal instanceof RefusedByServer ? refusal.httpStatus : refusal.status;
