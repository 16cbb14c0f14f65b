/**
 * Reads requests for chat completions: the last message of a user is the question. What else the messages say is not read, and what a
 * request asks for beside it is refused where the answer would not be what was asked for, and otherwise ignored and named. Pure.
 */
import { refuse } from "./errors.ts";
import { isGiven, readFlag, readModel } from "./fields.ts";

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool", "function"]);

type Body = Readonly<Record<string, unknown>>;

/** Fields that would change what is answered, with what of them changes nothing, and why the rest is refused. */
const CHANGING: Readonly<Record<string, readonly [isHarmless: (value: unknown) => boolean, reason: string]>> = {
  n: [(value) => value === 1, "one answer is made of a question"],
  tools: [isEmpty, "there are no tools: answers come from the documents alone"],
  functions: [isEmpty, "there are no functions: answers come from the documents alone"],
  tool_choice: [(value) => value === "none" || value === "auto", "there are no tools"],
  function_call: [(value) => value === "none" || value === "auto", "there are no functions"],
  response_format: [(value) => isObject(value) && value.type === "text", "answers are text"],
  modalities: [(value) => Array.isArray(value) && value.every((one) => one === "text"), "answers are text"],
  audio: [() => false, "answers are text"],
  logprobs: [(value) => value === false, "probabilities of words are not told"],
  top_logprobs: [(value) => value === 0, "probabilities of words are not told"],
  stop: [isEmpty, "an answer ends where it ends"],
  web_search_options: [() => false, "nothing is looked for outside the documents"],
};

/** Fields that are read. Others of OpenAI's are ignored, and named as such. */
export const CHAT_FIELDS: readonly string[] = [
  "model",
  "messages",
  "stream",
  "stream_options",
  "filters",
  "limit",
  "minScore",
  ...Object.keys(CHANGING),
];

export interface ChatRequest {
  readonly model: string;
  readonly question: string;
  readonly streams: boolean;
  /** Whether a stream tells at its end what was read and written. */
  readonly includesUsage: boolean;
  /** Messages that were not read, as paths into the body. */
  readonly unread: readonly string[];
}

/** Throws INVALID_REQUEST, which names the field. */
export function readChatRequest(body: Body): ChatRequest {
  for (const [name, [isHarmless, reason]] of Object.entries(CHANGING))
    if (isGiven(body[name]) && !isHarmless(body[name])) throw refuse(name, `${name} is not supported: ${reason}.`);
  const model = readModel(body);
  const streams = readFlag("stream", body.stream);
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0)
    throw refuse("messages", "messages must be an array of at least one message.");
  messages.forEach(checkMessage);
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const question = asked === -1 ? "" : textOf(messages[asked].content, `messages[${asked}]`);
  if (question.trim() === "")
    throw refuse("messages", "the last message of a user is the question, and there is none with a text.");
  return {
    model,
    question,
    streams,
    includesUsage: readIncludesUsage(body.stream_options, streams),
    unread: messages.flatMap((_, at) => (at === asked ? [] : [`messages.${at}`])),
  };
}

function checkMessage(message: unknown, at: number): void {
  if (!isObject(message) || !ROLES.has(message.role))
    throw refuse("messages", `messages[${at}] must be an object with a role: ${[...ROLES].join(", ")}.`);
}

/** A message's text, also where it comes in parts. */
function textOf(content: unknown, where: string): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw refuse("messages", `${where}.content must be a string or an array of text parts.`);
  return content
    .map((part) => {
      if (isObject(part) && part.type === "text" && typeof part.text === "string") return part.text;
      throw refuse("messages", `${where}.content holds something else than text, and only texts are read.`);
    })
    .join("\n");
}

function readIncludesUsage(options: unknown, streams: boolean): boolean {
  if (!isGiven(options)) return false;
  if (!isObject(options)) throw refuse("stream_options", "stream_options is not an object.");
  if (!streams) throw refuse("stream_options", "stream_options is for requests with stream: true alone.");
  return readFlag("stream_options.include_usage", options.include_usage);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
