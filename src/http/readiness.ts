/** Whether the server works as it should: what `/readyz` says, and the console. */
import { fail, LecternError } from "../foundation/errors.ts";
import { checkReady } from "../operations/readiness.ts";
import type { Service } from "./service.ts";

export interface Readiness {
  readonly httpStatus: 200 | 503;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * The server listens only once everything is open; this tells whether searches are as quick as they will be, it still works, and can still
 * be written. A model that was chosen and cannot be used is told with 200 and "degraded": everything else works.
 */
export function readinessOf({ engines, isWarmingUp, modelProblem }: Service): Readiness {
  try {
    const { chunks } = checkReady(engines);
    if (isWarmingUp) throw fail("WARMING_UP", { retryAfter: 1 });
    const problems = [modelProblem, engines.answerer.problem()].filter((problem) => problem !== null);
    const state = problems.length === 0 ? { status: "ready" } : { status: "degraded", message: problems.join(" ") };
    return { httpStatus: 200, body: { ...state, model: engines.models.chosen.embedder.modelId, chunks } };
  } catch (error) {
    // For whoever asks every few seconds, "not now" is an answer and no failure to be logged.
    if (error instanceof LecternError) return { httpStatus: 503, body: error.toBody() };
    throw error;
  }
}
