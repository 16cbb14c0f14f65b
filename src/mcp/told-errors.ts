/** Errors of the protocol as they are told: in a sentence, and parameters of another shape as what they are, not as a failure of ours. */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

/** The SDK puts the code before the sentence, and whoever reads it puts it there again. */
const CODE_BEFORE = /^MCP error -?\d+: /;
/** UTF-16 units of a name that a sentence repeats. */
const LONGEST_NAME = 100;

/** A name that was sent, as a sentence can hold it. */
export const shownName = (name: string): string =>
  JSON.stringify(name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}…`);

/** The same transport, which tells errors so. */
export function tellingErrors<Sending extends Transport>(transport: Sending): Sending {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(asTold(message), options);
  return transport;
}

function asTold(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message)) return message;
  const { code, message: said, data } = message.error;
  const issues = code === ErrorCode.InternalError ? issuesOf(said) : null;
  const told =
    issues === null
      ? { code, message: said.replace(CODE_BEFORE, "") }
      : { code: ErrorCode.InvalidParams, message: `The request cannot be read: ${issues}.` };
  return { ...message, error: { ...told, ...(data !== undefined && { data }) } };
}

/** What is wrong with parameters, by where it is; null: the text tells of something else. */
function issuesOf(text: string): string | null {
  if (!text.startsWith("[")) return null;
  try {
    const issues = JSON.parse(text) as { readonly path: readonly unknown[]; readonly message: string }[];
    return issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  } catch {
    return null;
  }
}
