/** POST /mcp */
import { examples } from "../examples.ts";
import { answer, body, operation, queryParameter, type OpenApiPaths } from "../operation.ts";
import { refer } from "../schemas.ts";

const { assistant } = examples;

export const assistantPaths: OpenApiPaths = {
  "/mcp": {
    post: operation({
      operationId: "askAsAssistant",
      tag: "Assistants",
      summary: "The assistant's door: one request of the Model Context Protocol",
      description:
        "Streamable HTTP without sessions: each JSON-RPC request is answered by itself, as JSON. `Accept` must name `application/json` and `text/event-stream`. Tools `search`, `ask`, `list_files`, `read_passage` (and `list_datasets` where no dataset is set), files as resources. What a tool does costs and counts as it does elsewhere; that a tool is refused is its answer (`isError`).",
      credential: "any",
      parameters: [
        queryParameter("dataset", "The only dataset that the assistant sees. With a frontend token: its own.", {
          type: "string",
        }),
      ],
      requestBody: body(refer("JsonRpcRequest"), assistant.request),
      answers: {
        200: answer("The answer, in JSON-RPC 2.0.", refer("JsonRpcAnswer"), assistant.answer),
        202: { description: "It was a notification: there is no answer." },
        400: answer(
          "What is no JSON, or no request of the protocol.",
          { oneOf: [refer("Error"), refer("JsonRpcFailure")] },
          assistant.failure,
        ),
        406: answer("`Accept` names too little.", refer("JsonRpcFailure"), assistant.unacceptable),
        415: answer("The body is not declared as JSON.", refer("JsonRpcFailure"), assistant.unacceptable),
      },
      failures: ["SCOPE_INSUFFICIENT", "DATASET_MISMATCH"],
    }),
  },
};
