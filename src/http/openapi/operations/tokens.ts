/** POST /v1/tokens/create */
import { examples } from "../examples.ts";
import { answer, body, operation, type OpenApiPaths } from "../operation.ts";
import { refer } from "../schemas.ts";

export const tokenPaths: OpenApiPaths = {
  "/v1/tokens/create": {
    post: operation({
      operationId: "createToken",
      tag: "Tokens",
      summary: "Create a frontend token for one dataset",
      description: "Needs an API key. Free.",
      credential: "key",
      requestBody: body(refer("TokenRequest"), examples.token.request),
      answers: { 200: answer("The token.", refer("TokenResponse"), examples.token.answer) },
      failures: [
        "DATASET_ID_REQUIRED",
        "DATASET_ID_LENGTH",
        "TTL_RANGE",
        "INVALID_REQUEST",
        "SCOPE_INSUFFICIENT",
        "INSUFFICIENT_STORAGE",
      ],
    }),
  },
};
