/** The interface as an OpenAPI 3.1 document. A test holds it against the routes there really are. */
import { version } from "../../../package.json";
import { fieldDefaults, fieldLimits } from "../../foundation/field-limits.ts";
import { SUBTITLE_FORMATS } from "../../operations/subtitles.ts";
import { refer, schemasFor, type ChosenLimits, type Schema } from "./schemas.ts";

export interface OpenApiOperation {
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly Schema[];
  readonly parameters?: readonly Schema[];
  readonly requestBody?: Schema;
  readonly responses: Readonly<Record<string, Schema>>;
}

export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: Readonly<Record<string, Schema>> & { readonly schemas: Readonly<Record<string, Schema>> };
}

/** `publicUrl`: the origin that clients use, when it is known. */
export function openApiDocument(publicUrl: string | null, chosen: ChosenLimits): OpenApiDocument {
  return {
    openapi: "3.1.0",
    info: {
      title: "Lectern",
      version,
      description: `Search in your own documents. Errors are \`{error, message, …}\`; credentials come as \`Authorization: Bearer …\` or \`x-service-key: …\`. Another method than an address has is answered with 405 (\`METHOD_NOT_ALLOWED\`), those it has in \`Allow\`. JSON may be ${fieldLimits.json.maxDepth} levels deep, and a body of it hold ${fieldLimits.body.maxParts} objects, arrays and commas.`,
    },
    ...(publicUrl !== null && { servers: [{ url: publicUrl }] }),
    paths,
    components: {
      schemas: schemasFor(chosen),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key or a frontend token." },
        serviceKey: {
          type: "apiKey",
          in: "header",
          name: "x-service-key",
          description: "The same, in a header of its own.",
        },
      },
    },
  };
}

const reasons: Readonly<Record<number, string>> = {
  400: "The request is wrong; the body says how.",
  401: "No credential, or one that is not valid.",
  402: "Not enough credits; `details` has `required` and `available`.",
  403: "The token is limited to another dataset, or the link is not valid.",
  404: "There is no such thing within the caller's reach.",
  408: "The upload came too slowly.",
  413: "The body or a file is too large; `details.limit` in bytes.",
  416: "The range lies beyond the end.",
  429: "Rate limit exceeded (`RATE_LIMIT_EXCEEDED`), or a pause after uploaded files that ran into the limits on time and memory (`UPLOADS_PAUSED`); `retryAfter` in seconds.",
  503: "The server is busy or stopping; `Retry-After` says when to try again.",
  507: "The disk has too little room left.",
};

const anyCredential: readonly Schema[] = [{ bearer: [] }, { serviceKey: [] }];

const rateHeaders = Object.fromEntries(
  [
    ["X-RateLimit-Limit", "Requests (or files) a minute."],
    ["X-RateLimit-Remaining", "What is left of them."],
    ["X-RateLimit-Reset", "End of the minute, Unix seconds."],
  ].map(([name, description]) => [name, { description, schema: { type: "integer" } }]),
);

function responses(success: Schema, failures: readonly number[], limited = false): Record<string, Schema> {
  const headers = limited ? { headers: rateHeaders } : {};
  const failed = failures.map((status) => [
    String(status),
    { description: reasons[status], ...headers, content: { "application/json": { schema: refer("Error") } } },
  ]);
  return { 200: { ...success, ...headers }, ...Object.fromEntries(failed) };
}

const json = (schema: Schema): Schema => ({ "application/json": { schema } });
const answer = (description: string, schema: Schema): Schema => ({ description, content: json(schema) });
const body = (schema: Schema, type = "application/json"): Schema => ({
  required: true,
  content: { [type]: { schema } },
});
const pathParameter = (name: string): Schema => ({ name, in: "path", required: true, schema: { type: "string" } });
const pageParameters = (limitDescription: string): Schema[] => [
  { name: "limit", in: "query", description: limitDescription, schema: { type: "integer", ...fieldLimits.pageLimit } },
  {
    name: "cursor",
    in: "query",
    description:
      "`nextCursor` of the page before, as it is. Whatever comes and goes meanwhile, nothing that stays is shown twice or left out.",
    schema: { type: "string" },
  },
];
const files = (description: string): Schema => answer(description, refer("FileEnvelope"));

const content = (summary: string): OpenApiOperation => ({
  summary,
  description:
    "The address comes from a file's `permanentUrl` and needs no credential; without its query it takes an API key or token of the file's owner.",
  security: [{}, ...anyCredential],
  parameters: [
    pathParameter("fileId"),
    { name: "expires", in: "query", schema: { type: "integer" } },
    { name: "signature", in: "query", schema: { type: "string" } },
    { name: "Range", in: "header", schema: { type: "string" } },
  ],
  responses: {
    ...responses({ description: "The whole file.", content: { "*/*": { schema: {} } } }, [401, 403, 404, 416, 429]),
    206: { description: "The range asked for.", content: { "*/*": { schema: {} } } },
  },
});

const paths: OpenApiDocument["paths"] = {
  "/v1/tokens/create": {
    post: {
      summary: "Create a frontend token for one dataset",
      description: "Needs an API key. Free.",
      security: anyCredential,
      requestBody: body(refer("TokenRequest")),
      responses: responses(answer("The token.", refer("TokenResponse")), [400, 401, 413, 429, 503, 507], true),
    },
  },
  "/v1/files/upload": {
    post: {
      summary: "Upload and index files, all or none",
      description: `1 credit per file. Repeating an upload makes new files, unless they have an externalId: then they take the place of the former ones. A field that is empty counts as left out. A field that is one of these but for case, a separator or a letter is refused, any other that is unknown ignored, and named in the header X-Ignored-Fields. A form has at most ${fieldLimits.form.maxFields} fields beside its files, each of at most ${fieldLimits.form.maxFieldBytes} bytes.`,
      security: anyCredential,
      parameters: [
        {
          name: "async",
          in: "query",
          description:
            "true: answered with 202 once the files are kept, all or none, and paid. They are read in the background, across restarts, each by itself: one that cannot be read fails alone. `GET /v1/files/:fileId` shows `status` and `progress`; searches find a file when it is ready, and a file of an externalId keeps its place until then. What an upload would give back is given back to one that fails. Too many waiting: 503 `BUSY`.",
          schema: { type: "boolean", default: false },
        },
      ],
      requestBody: body(refer("UploadForm"), "multipart/form-data"),
      responses: {
        ...responses(
          files("Stored, indexed, and found by the next search."),
          [400, 401, 402, 403, 408, 413, 429, 503, 507],
          true,
        ),
        202: { ...files("With `async`: kept, paid, and to be read."), headers: rateHeaders },
      },
    },
  },
  "/v1/files": {
    get: {
      summary: "List the files of a dataset, newest first",
      description: "Those that are still to be read, or could not be, come first.",
      security: anyCredential,
      parameters: [
        { name: "datasetId", in: "query", description: "Required with an API key.", schema: { type: "string" } },
        {
          name: "name",
          in: "query",
          description: "Only files whose originalName is exactly this.",
          schema: { type: "string" },
        },
        {
          name: "externalId",
          in: "query",
          description: "Only the file of this externalId.",
          schema: { type: "string" },
        },
        ...pageParameters(
          `Files on a page; without it, and without a cursor, all files come. With a cursor alone ${fieldDefaults.limit}.`,
        ),
      ],
      responses: responses(files("The files; none for an unknown dataset."), [400, 401, 403, 429, 503], true),
    },
    delete: {
      summary: "Delete all files of the customer",
      description: "With a frontend token: those of its dataset.",
      security: anyCredential,
      parameters: [
        {
          name: "datasetId",
          in: "query",
          description: "With a frontend token its own dataset; refused with an API key, which deletes everything.",
          schema: { type: "string" },
        },
      ],
      responses: responses(files("What was deleted."), [400, 401, 403, 429, 503, 507], true),
    },
  },
  "/v1/files/{fileId}": {
    get: {
      summary: "A file's details and its download address",
      security: anyCredential,
      parameters: [pathParameter("fileId")],
      responses: responses(files("One file, with `permanentUrl`."), [401, 403, 404, 429, 503], true),
    },
    delete: {
      summary: "Delete one file",
      description:
        "One that is still to be read is not read any more. Its charge is given back where its reading had not begun; a file that was begun is paid, like an upload whose client goes away.",
      security: anyCredential,
      parameters: [pathParameter("fileId")],
      responses: responses(files("What was deleted."), [401, 403, 404, 429, 503, 507], true),
    },
  },
  "/v1/files/{fileId}/content": { get: content("Download a file"), head: content("Size and type of a file") },
  "/v1/files/{fileId}/subtitles": {
    get: {
      summary: "What is said in a file, as subtitles",
      description: "Of audio, video and subtitle files. 404 `NO_SUBTITLES` for others, and while a file is being read.",
      security: anyCredential,
      parameters: [
        pathParameter("fileId"),
        {
          name: "format",
          in: "query",
          description: "SubRip or WebVTT.",
          schema: { enum: [...SUBTITLE_FORMATS], default: SUBTITLE_FORMATS[0] },
        },
      ],
      responses: responses(
        {
          description: "The subtitles.",
          content: {
            "application/x-subrip": { schema: { type: "string" } },
            "text/vtt": { schema: { type: "string" } },
          },
        },
        [400, 401, 403, 404, 429, 503],
        true,
      ),
    },
  },
  "/v1/files/{fileId}/passages": {
    get: {
      summary: "A file's passages, in their order",
      description:
        "What stands before and behind a passage that was found: `chunkIndex` of a result is its number here.",
      security: anyCredential,
      parameters: [
        pathParameter("fileId"),
        {
          name: "from",
          in: "query",
          description: "Number of the first passage.",
          schema: { type: "integer", ...fieldLimits.passageFrom, default: fieldDefaults.passageFrom },
        },
        {
          name: "limit",
          in: "query",
          description: "Passages at most.",
          schema: { type: "integer", ...fieldLimits.passageLimit, default: fieldDefaults.passageLimit },
        },
      ],
      responses: responses(answer("The passages.", refer("PassageList")), [400, 401, 403, 404, 429, 503], true),
    },
  },
  "/v1/datasets": {
    get: {
      summary: "List the datasets that hold files, ordered by id",
      description: "With a frontend token: its own.",
      security: anyCredential,
      parameters: pageParameters(`Datasets on a page; ${fieldDefaults.limit} without it.`),
      responses: responses(answer("The datasets.", refer("DatasetList")), [400, 401, 429, 503], true),
    },
  },
  "/v1/datasets/{datasetId}/files": {
    delete: {
      summary: "Delete all files of a dataset, or the one of an externalId",
      security: anyCredential,
      parameters: [
        pathParameter("datasetId"),
        {
          name: "externalId",
          in: "query",
          description: "Only the file that its owner calls so. 404 where there is none.",
          schema: { type: "string", ...fieldLimits.externalId },
        },
      ],
      responses: responses(files("What was deleted."), [400, 401, 403, 404, 429, 503, 507], true),
    },
  },
  "/v1/search": {
    post: {
      summary: "Find the passages nearest to a question",
      description: "0.1 credit. No language model is involved.",
      security: anyCredential,
      requestBody: body(refer("RetrievalRequest")),
      responses: responses(
        answer("Passages, best first.", refer("SearchResponse")),
        [400, 401, 402, 413, 429, 503, 507],
        true,
      ),
    },
  },
  "/v1/query": {
    post: {
      summary: "Answer a question from the documents",
      description:
        "0.1 credit. With `stream: true` or `Accept: text/event-stream`: events `sources`, `token`…, `done`, or `error` where it breaks off; a comment every 15 s while nothing comes. A question that is too long, also for the language model alone, is 400 `QUESTION_TOO_LONG`; 503 is `BUSY` or `ANSWER_UNAVAILABLE`, and costs nothing. Where the documents do not answer, `answer` says so in the question's language (English where that cannot be told), without any citation and without a model: `usage` is zero, and `sources` lists what was found.",
      security: anyCredential,
      requestBody: body(refer("QueryRequest")),
      responses: responses(
        {
          description: "The answer and its sources.",
          content: { ...json(refer("QueryResponse")), "text/event-stream": { schema: { type: "string" } } },
        },
        [400, 401, 402, 403, 413, 429, 503, 507],
        true,
      ),
    },
  },
  "/mcp": {
    post: {
      summary: "The assistant's door: one request of the Model Context Protocol",
      description:
        "Streamable HTTP without sessions: each JSON-RPC request is answered by itself, as JSON. Tools `search`, `ask`, `list_files`, `read_passage` (and `list_datasets` where no dataset is set), files as resources. What a tool does costs and counts as it does elsewhere; that a tool is refused is its answer (`isError`).",
      security: anyCredential,
      parameters: [
        {
          name: "dataset",
          in: "query",
          description: "The only dataset that the assistant sees. With a frontend token: its own.",
          schema: { type: "string" },
        },
      ],
      requestBody: body({ type: "object", description: "A JSON-RPC 2.0 request or notification." }),
      responses: responses(
        {
          description: "The answer, in JSON-RPC 2.0. 202 without a body where it was a notification.",
          content: json({ type: "object" }),
        },
        [400, 401, 403, 413, 429, 503],
        true,
      ),
    },
  },
};
