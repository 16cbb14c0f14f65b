/** Holds what a server answers against what its OpenAPI document says of that answer, with no field more and none less. */
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Reply } from "../../harness.ts";

type Json = any;

export class LiveAnswers {
  /** Operations and statuses that were held against the document, as "operationId 200". */
  readonly seen = new Set<string>();
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, formats: { binary: true } });
  private readonly operations: { pattern: RegExp; method: string; pointer: string; operation: Json }[];

  constructor(private readonly document: Json) {
    addFormats(this.ajv);
    this.ajv.addSchema({ $id: "openapi", ...closed(document) });
    this.operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, operation]) => ({
        pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
        method: method.toUpperCase(),
        pointer: `/paths/${path.replaceAll("/", "~1")}/${method}`,
        operation,
      })),
    );
  }

  /** Throws unless the reply is one that the document foresees, in status, headers and shape. Returns the operation's id. */
  check(method: string, address: string, reply: Pick<Reply, "status" | "headers" | "text">): string {
    const path = new URL(address, "http://x").pathname;
    const found = this.operations
      .filter((one) => one.method === method && one.pattern.test(path))
      // "/v1/files/upload" is no file's id.
      .sort((a, b) => a.pattern.source.split("[").length - b.pattern.source.split("[").length)[0];
    if (found === undefined) throw new Error(`The document has no ${method} ${path}`);
    const { operationId, responses } = found.operation;
    const what = `${operationId} ${reply.status}`;
    const named = responses[reply.status]?.$ref?.slice(1) as string | undefined;
    const response =
      named === undefined ? responses[reply.status] : this.document.components.responses[named.split("/").at(-1)!];
    if (response === undefined)
      throw new Error(`${what} is not in the document, only ${Object.keys(responses)}: ${reply.text.slice(0, 300)}`);
    this.checkHeaders(what, response.headers ?? {}, reply.headers);
    // Whatever it would be, HEAD leaves it out.
    const content = method === "HEAD" ? undefined : response.content;
    this.checkBody(what, named ?? `${found.pointer}/responses/${reply.status}`, content, reply);
    this.seen.add(what);
    return operationId;
  }

  /** Throws unless the value is one of the schema at a JSON pointer. */
  checkValue(what: string, pointer: string, value: unknown): void {
    const validate = this.ajv.getSchema(`openapi#${encodeURI(pointer)}`) as ValidateFunction;
    if (!validate(value))
      throw new Error(`${what}: ${this.ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 1000)}`);
  }

  private checkHeaders(what: string, documented: Json, headers: Headers): void {
    const names = Object.keys(documented).map((name) => name.toLowerCase());
    for (const name of ["x-request-id", "retry-after", "x-ratelimit-limit", "x-ignored-fields"])
      if (headers.has(name) && !names.includes(name))
        throw new Error(`${what} has a header ${name} of which the document knows nothing`);
    if (!headers.has("x-request-id")) throw new Error(`${what} has no request id`);
  }

  private checkBody(
    what: string,
    pointer: string,
    content: Json,
    { headers, text }: Pick<Reply, "headers" | "text">,
  ): void {
    const type = (headers.get("content-type") ?? "").split(";")[0]!;
    if (content === undefined) {
      if (text !== "") throw new Error(`${what} has a body of which the document knows nothing: ${text.slice(0, 300)}`);
      return;
    }
    const media = type in content ? type : "*/*" in content ? "*/*" : null;
    if (media === null) throw new Error(`${what} came as ${type}, the document has ${Object.keys(content)}`);
    const schema = `${pointer}/content/${media.replaceAll("/", "~1")}/schema`;
    if (type === "text/event-stream")
      for (const event of text.startsWith("event: ") ? eventsOf(text) : chunksOf(text))
        this.checkValue(what, schema, event);
    else this.checkValue(what, schema, type === "application/json" ? JSON.parse(text) : text);
  }
}

export function eventsOf(text: string): { event: string; data: unknown }[] {
  return [...text.matchAll(/^event: (.+)\ndata: (.+)\n\n/gm)].map(([, event, data]) => ({
    event: event!,
    data: JSON.parse(data!),
  }));
}

/** Of events without names, the last of which says no more than that it is. */
export function chunksOf(text: string): unknown[] {
  if (!text.endsWith("\n\ndata: [DONE]\n\n")) throw new Error(`The stream has no end: ${text.slice(-300)}`);
  return [...text.matchAll(/^data: (\{.+)\n\n/gm)].map(([, data]) => JSON.parse(data!));
}

/** The document with every object limited to what it names, unless it says that others may be there. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inside = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return typeof schema.properties === "object" && schema.type === "object" && schema.additionalProperties === undefined
    ? { ...inside, additionalProperties: false }
    : inside;
}

/** What differs from one customer, upload and moment to the next. */
const VARYING: ReadonlySet<string> = new Set(
  "fileId customerId filePath created updated permanentUrl token score model id url embedding owned_by".split(" "),
);
const IN_TEXT = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|score \d\.\d\d/g;

/** A value without what differs each time: only of which type that is. */
export function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting);
  if (typeof value === "string") return value.replaceAll(IN_TEXT, "…");
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, VARYING.has(name) ? typeof inner : lasting(inner)]),
  );
}
