/** POST /v1/search and /v1/query. */
import type { ErrorCode } from "../../../foundation/errors.ts";
import { examples } from "../examples.ts";
import { answer, body, json, operation, type OpenApiPaths } from "../operation.ts";
import { refer } from "../schemas.ts";

const failures: readonly ErrorCode[] = [
  "QUESTION_REQUIRED",
  "INVALID_REQUEST",
  "INVALID_FILTER",
  "QUESTION_TOO_LONG",
  "INSUFFICIENT_CREDITS",
  "SCOPE_INSUFFICIENT",
  "MODEL_MISSING",
  "RESTARTING",
  "INSUFFICIENT_STORAGE",
];
const { search, query } = examples;

export const retrievalPaths: OpenApiPaths = {
  "/v1/search": {
    post: operation({
      operationId: "search",
      tag: "Search",
      summary: "Find the passages nearest to a question",
      description: "0.1 credit. No language model is involved.",
      credential: "any",
      requestBody: body(refer("RetrievalRequest"), search.request),
      answers: { 200: answer("Passages, best first.", refer("SearchResponse"), search.answer) },
      failures: [...failures, "SEARCH_DATASET_MISMATCH"],
    }),
  },
  "/v1/query": {
    post: operation({
      operationId: "query",
      tag: "Search",
      summary: "Answer a question from the documents",
      description:
        "0.1 credit. With `stream: true` or `Accept: text/event-stream`: events `sources`, `token`…, `done`, or `error` where it breaks off; a comment every 15 s while nothing comes. A question that is too long, also for the language model alone, is 400 `QUESTION_TOO_LONG`; 503 is `BUSY` or `ANSWER_UNAVAILABLE`, and costs nothing. Where the documents do not answer, `answer` says so in the question's language (English where that cannot be told), without any citation and without a model: `usage` is zero, and `sources` lists what was found.",
      credential: "any",
      requestBody: body(refer("QueryRequest"), query.request),
      answers: {
        200: {
          description:
            "The answer and its sources. As Server-Sent Events, each has its name in `event` and its JSON in `data`, as `QueryEvent` has them.",
          content: {
            ...json(refer("QueryResponse"), query.answer),
            "text/event-stream": {
              schema: refer("QueryEvent"),
              examples: Object.fromEntries(
                Object.entries(query.events).map(([name, value]) => [name, { summary: name, value }]),
              ),
            },
          },
        },
      },
      failures: [...failures, "DATASET_MISMATCH", "ANSWER_UNAVAILABLE"],
    }),
  },
};
