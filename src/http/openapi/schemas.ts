/** The shapes that requests and responses share, as JSON Schema (OpenAPI 3.1). */

export type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: "string" };
const nullableText: Schema = { type: ["string", "null"] };

export const refer = (name: keyof typeof schemas): Schema => ({ $ref: `#/components/schemas/${name}` });

export const object = (
  properties: Record<string, Schema>,
  required: readonly string[] = Object.keys(properties),
): Schema => ({ type: "object", properties, required });

export const arrayOf = (items: Schema, more: Schema = {}): Schema => ({ type: "array", items, ...more });

const retrievalFields: Record<string, Schema> = {
  datasetId: { type: "string", description: "The dataset. Required with an API key; a frontend token brings its own." },
  question: {
    type: "string",
    minLength: 1,
    description:
      "What to look for, in any language; at most as many characters as the server accepts (10,000 by default).",
  },
  filters: arrayOf(
    { $ref: "#/components/schemas/Filter" },
    { maxItems: 32, description: "All must match. Applied before the similarity search." },
  ),
};

export const schemas = {
  File: object(
    {
      fileId: text,
      originalName: text,
      datasetId: text,
      customerId: text,
      filePath: { type: "string", description: "Storage path." },
      mimeType: nullableText,
      size: { type: ["integer", "null"], description: "Bytes." },
      sha256: {
        ...nullableText,
        description: "Of the bytes, hexadecimal; null for a file from before it was recorded.",
      },
      loaderId: { type: "string", description: "What read the file." },
      created: { type: "string", format: "date-time" },
      extension: text,
      transcriptionText: nullableText,
      transcriptionSrt: { type: ["array", "null"], items: {} },
      extraMeta: { type: ["object", "null"], additionalProperties: true },
      permanentUrl: {
        type: "string",
        format: "uri",
        description:
          "Signed download address, valid for 7 days, unchanged until its last. Only where one file is asked for.",
      },
    },
    [
      "fileId",
      "originalName",
      "datasetId",
      "customerId",
      "filePath",
      "mimeType",
      "size",
      "loaderId",
      "created",
      "extension",
      "transcriptionText",
      "transcriptionSrt",
      "extraMeta",
    ],
  ),
  FileEnvelope: object({
    success: { const: true },
    message: text,
    files: arrayOf({ $ref: "#/components/schemas/File" }),
  }),
  Filter: object({
    key: {
      type: "string",
      description:
        "Metadata field: a top-level key of extraMeta, or fileId, originalName, customerId, datasetId, or chunkIndex, the passage's place in its file from 0 on.",
    },
    match: object({
      value: { type: ["string", "number", "boolean"], description: "Must be equal in type and value." },
    }),
  }),
  SearchResult: object({
    score: {
      type: "number",
      minimum: 0,
      maximum: 1,
      description: "0.9 and more: highly relevant; from 0.8: very; from 0.7: relevant; below: possibly.",
    },
    pageContent: text,
    metadata: {
      ...object({
        fileId: text,
        originalName: text,
        customerId: text,
        datasetId: text,
        chunkIndex: { type: "integer" },
      }),
      additionalProperties: true,
      description: "The file's extraMeta, and these fields, whatever extraMeta holds.",
    },
  }),
  RetrievalRequest: object(retrievalFields, ["question"]),
  QueryRequest: object({ ...retrievalFields, stream: { type: "boolean", description: "true: Server-Sent Events." } }, [
    "question",
  ]),
  SearchResponse: object({ success: { const: true }, data: arrayOf({ $ref: "#/components/schemas/SearchResult" }) }),
  QueryResponse: object({
    success: { const: true },
    data: object({
      answer: { type: "string", description: "[1] cites the first of the sources." },
      sources: {
        ...arrayOf({ $ref: "#/components/schemas/SearchResult" }),
        description: "Exactly the passages that the answer is made from, or what was found where they do not answer.",
      },
      model: { type: "string", description: "The language model's name, or `extractive`." },
      usage: object({ promptTokens: { type: "integer" }, completionTokens: { type: "integer" } }),
    }),
  }),
  TokenRequest: object(
    {
      datasetId: { type: "string", minLength: 1, maxLength: 100 },
      ttlSeconds: { type: "number", minimum: 1, maximum: 86400, default: 3600 },
    },
    ["datasetId"],
  ),
  TokenResponse: object({
    success: { const: true },
    token: text,
    expiresIn: { type: "integer", description: "Seconds." },
    data: object({ token: text, expiresIn: { type: "integer" } }),
  }),
  UploadForm: object(
    {
      file: arrayOf(
        { type: "string", format: "binary" },
        { minItems: 1, description: "One or more parts named file (or files)." },
      ),
      datasetId: {
        type: "string",
        minLength: 1,
        maxLength: 100,
        description: "Required with an API key; a frontend token brings its own.",
      },
      chunkSize: { type: "integer", minimum: 10, maximum: 4000, default: 300, description: "Tokens of a chunk." },
      chunkOverlap: {
        type: "integer",
        minimum: 0,
        default: 20,
        description: "Tokens that neighbouring chunks share; below chunkSize.",
      },
      extraMeta: {
        type: "string",
        maxLength: 16384,
        description:
          "A JSON object: metadata of the files, to filter by. At most 64 levels deep. Keys that it may not hold: fileId, originalName, customerId, datasetId. A key chunkIndex is kept and shown with the file; results and filters mean by it the passage's place.",
      },
    },
    ["file"],
  ),
  Error: object(
    {
      error: { type: "string", description: "A code, or a sentence where that is the whole body." },
      message: text,
      details: { type: "object", additionalProperties: true },
      retryAfter: { type: "integer", description: "Seconds." },
    },
    ["error"],
  ),
} satisfies Record<string, Schema>;
