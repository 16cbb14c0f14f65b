/** Reads the body that search and query share. Pure. */
import type { Caller } from "../access/index.ts";
import { fail, type ErrorCode } from "../foundation/errors.ts";
import { fieldLimits } from "../foundation/field-limits.ts";
import { chooseDataset } from "./dataset-choice.ts";
import { readFilters } from "./filters.ts";
import type { RetrievalRequest } from "./retrieval.ts";

const isAsking = new RegExp(fieldLimits.question.pattern, "u");

export interface RetrievalRules {
  /** UTF-16 units. */
  readonly maxQuestionCharacters: number;
  /** The server's number of results, which a request may lower. */
  readonly searchResults: number;
  /** What a token is told that names another dataset than its own. */
  readonly mismatch: ErrorCode;
}

/**
 * Checks `{datasetId?, question, filters?, limit?, minScore?, highlights?, explain?}`. A missing, null or blank question counts as missing.
 *
 * Throws QUESTION_REQUIRED, QUESTION_TOO_LONG, `mismatch`, INVALID_REQUEST for a field of the wrong type, INVALID_FILTER.
 */
export function readRetrievalRequest(
  caller: Caller,
  body: Record<string, unknown>,
  { maxQuestionCharacters, searchResults, mismatch }: RetrievalRules,
): RetrievalRequest {
  const { question } = body;
  if (question !== undefined && question !== null && typeof question !== "string") {
    throw fail("INVALID_REQUEST", { reason: "question is not a string." });
  }
  const datasetId = chooseDataset(caller, body.datasetId, { missing: "QUESTION_REQUIRED", mismatch });
  if (typeof question !== "string") throw fail("QUESTION_REQUIRED");
  if (question.length > maxQuestionCharacters) {
    throw fail(
      "QUESTION_TOO_LONG",
      { reason: `it has ${question.length} characters, and at most ${maxQuestionCharacters} are read.` },
      { limit: maxQuestionCharacters },
    );
  }
  if (!isAsking.test(question)) throw fail("QUESTION_REQUIRED");
  return {
    customerId: caller.customerId,
    datasetId,
    question,
    filters: readFilters(body.filters),
    limit: readLimit(body.limit, searchResults),
    minScore: readMinScore(body.minScore),
    highlights: readFlag(body, "highlights"),
    explain: readFlag(body, "explain"),
  };
}

function readLimit(limit: unknown, most: number): number | null {
  if (limit === undefined || limit === null) return null;
  const { minimum } = fieldLimits.limit;
  if (!Number.isInteger(limit) || (limit as number) < minimum || (limit as number) > most)
    throw fail("INVALID_REQUEST", { reason: `limit is not a whole number from ${minimum} to ${most}.` });
  return limit as number;
}

function readFlag(body: Record<string, unknown>, name: "highlights" | "explain"): boolean {
  const flag = body[name];
  if (flag === undefined || flag === null) return false;
  if (typeof flag !== "boolean") throw fail("INVALID_REQUEST", { reason: `${name} is not a boolean.` });
  return flag;
}

function readMinScore(minScore: unknown): number {
  if (minScore === undefined || minScore === null) return 0;
  const { minimum, maximum } = fieldLimits.minScore;
  if (typeof minScore !== "number" || !(minScore >= minimum && minScore <= maximum))
    throw fail("INVALID_REQUEST", { reason: `minScore is not a number from ${minimum} to ${maximum}.` });
  return minScore;
}
