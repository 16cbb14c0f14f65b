/** Serves an assistant that started this process: requests come on standard input, a line each, and answers go to standard output. */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { ErrorCode, type JSONRPCMessage, type RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { AssistantDocuments } from "./documents.ts";
import { createAssistantServer, type SentenceOf } from "./server.ts";
import { tellingErrors } from "./told-errors.ts";

/** To a line that names no request that could be answered. */
const UNREADABLE = {
  jsonrpc: "2.0",
  id: null,
  error: { code: ErrorCode.ParseError, message: "A line that was sent is no JSON-RPC 2.0 message." },
};

/** Resolves when standard input has ended, and what was asked by then is answered. */
export async function serveAssistant(documents: AssistantDocuments, sentenceOf: SentenceOf): Promise<void> {
  const ended = new Promise<void>((resolve) => process.stdin.once("end", resolve).once("close", resolve));
  const transport = tellingErrors(new CountingTransport());
  transport.onerror = (error) => {
    if (isUnreadable(error)) process.stdout.write(`${JSON.stringify(UNREADABLE)}\n`);
  };
  const server = createAssistantServer(documents, sentenceOf);
  await server.connect(transport);
  transport.count();
  await ended;
  await transport.isAnswered();
  await server.close();
}

/** No JSON, or none of the protocol's. */
function isUnreadable(error: Error): boolean {
  return error instanceof SyntaxError || error.name === "ZodError" || error.name === "$ZodError";
}

/** Knows which requests are still to be answered. */
class CountingTransport extends StdioServerTransport {
  private readonly open = new Set<RequestId>();
  private answered = (): void => {};

  /** Call it once the server listens. */
  count(): void {
    const listen = this.onmessage;
    this.onmessage = (message) => {
      if ("method" in message && "id" in message) this.open.add(message.id);
      // What is called off is not answered.
      else if ("method" in message && message.method === "notifications/cancelled")
        this.end(message.params?.requestId as RequestId);
      listen?.(message);
    };
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if (!("method" in message) && message.id !== undefined) this.end(message.id);
  }

  async isAnswered(): Promise<void> {
    while (this.open.size > 0) await new Promise<void>((resolve) => (this.answered = resolve));
  }

  private end(id: RequestId): void {
    this.open.delete(id);
    this.answered();
  }
}
