/** Answers one request of an assistant over HTTP, by itself: nothing is kept between two. */
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { AssistantDocuments } from "./documents.ts";
import { createAssistantServer, type SentenceOf } from "./server.ts";
import { tellingErrors } from "./told-errors.ts";

/** `body` is the request's, which was read. Mistakes in the protocol's form are answered in its form. */
export async function answerAssistant(
  request: Request,
  body: unknown,
  documents: AssistantDocuments,
  sentenceOf: SentenceOf,
): Promise<Response> {
  const server = createAssistantServer(documents, sentenceOf);
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await server.connect(tellingErrors(transport));
  const response = await transport.handleRequest(request, { parsedBody: body });
  // Whole by now: there is no stream that would still be written.
  await server.close();
  return response;
}
