/** The shapes that requests and responses share, as JSON Schema (OpenAPI 3.1). */
import {
  HEADING_SEPARATOR,
  FILTERED_PLACE_KEYS,
  PROPERTY_KEYS,
  type DocumentProperties,
  type PassagePlace,
} from "../../foundation/place.ts";
import { fieldDefaults, fieldLimits } from "../../foundation/field-limits.ts";
import type { HttpOptions } from "../service.ts";
import { errorSchemas } from "./error-answers.ts";
import { arrayOf, constant, integer, nullableText, object, text, type Schema } from "./json-schema.ts";

const { ocrLanguages: ocr } = fieldLimits;

export const refer = (name: keyof ReturnType<typeof schemasFor>): Schema => ({
  $ref: `#/components/schemas/${name}`,
});

/** What the operator chose of the limits that a request meets. */
export type ChosenLimits = Pick<HttpOptions, "maxQuestionCharacters" | "maxFilesPerUpload" | "maxFileBytes"> & {
  readonly searchResults: number;
};

/** Everything that the operator chose and the document speaks of. */
export type Chosen = ChosenLimits & Pick<HttpOptions, "openaiApi">;

const retrievalFields = ({ maxQuestionCharacters, searchResults }: ChosenLimits): Record<string, Schema> => ({
  datasetId: {
    type: ["string", "null"],
    description: "The dataset. Required with an API key; a frontend token brings its own.",
  },
  question: {
    type: "string",
    ...fieldLimits.question,
    maxLength: maxQuestionCharacters,
    description: "What to look for, in any language. Its length is counted in UTF-16 units.",
  },
  filters: {
    type: ["array", "null"],
    items: { $ref: "#/components/schemas/Filter" },
    ...fieldLimits.filters,
    description: "All must match. Applied before the similarity search.",
  },
  limit: {
    type: ["integer", "null"],
    ...fieldLimits.limit,
    maximum: searchResults,
    description: "Most results, or passages that an answer is made from.",
  },
  minScore: {
    type: ["number", "null"],
    ...fieldLimits.minScore,
    description: "What each of them scores at least.",
  },
  highlights: {
    type: ["boolean", "null"],
    description: "true: each result says where the question's words stand in it.",
  },
});

const scalar: Schema = { type: ["string", "number", "boolean"] };
const scalars: Schema = { type: "array", items: scalar, ...fieldLimits.filterValues };
const bound = (description: string): Schema => ({ type: ["string", "number"], description });

/** One way in which a filter compares. */
const matchBy = (form: string, schema: Schema): Schema => ({ ...object({ [form]: schema }), title: form });

const share = (description: string): Schema => ({ type: ["number", "null"], minimum: 0, maximum: 1, description });

const newDatasetId = (description: string): Schema => ({
  type: "string",
  ...fieldLimits.datasetId,
  description: `${description} Its length is counted in UTF-16 units.`,
});

/** An event by its name, and the JSON of its data. */
const eventOf = (event: string, data: Schema, description: string) => ({
  type: "object",
  properties: { event: { type: "string", const: event }, data },
  required: ["event", "data"],
  description,
});

const queryEvents = {
  QuerySourcesEvent: eventOf(
    "sources",
    arrayOf({ $ref: "#/components/schemas/SearchResult" }),
    "Exactly the passages that the answer is made from.",
  ),
  QueryTokenEvent: eventOf("token", object({ text }), "The next words of the answer, to be joined as they are."),
  QueryDoneEvent: eventOf(
    "done",
    object({ model: text, usage: { $ref: "#/components/schemas/Usage" } }),
    "The answer is whole.",
  ),
  QueryErrorEvent: eventOf("error", { $ref: "#/components/schemas/Error" }, "The answer broke off, and costs nothing."),
};

/** Where a passage stands, and what its document says of itself. */
const placeFields: Record<keyof PassagePlace | keyof DocumentProperties, Schema> = {
  page: { type: "integer", description: "From 1 on; the first of the passage's." },
  lastPage: { type: "integer", description: "Where the passage goes on to another page." },
  slide: integer,
  lastSlide: integer,
  sheet: { type: "string", description: "Of a workbook." },
  row: { type: "integer", description: "As spreadsheet programs number it." },
  lastRow: integer,
  chapter: text,
  heading: {
    type: "string",
    description: `The headings above it, the highest first, joined by "${HEADING_SEPARATOR}".`,
  },
  line: integer,
  lastLine: integer,
  startTime: { type: "number", description: "Seconds." },
  endTime: { type: "number", description: "Seconds." },
  member: { type: "string", description: "The path in an archive, or the attachment of a mail." },
  title: text,
  author: text,
  date: { type: "string", description: "As ISO 8601 has it." },
  subject: text,
  language: { type: "string", description: "As BCP 47 has it." },
};

export const schemasFor = (chosen: ChosenLimits) => ({
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
      externalId: { ...text, description: "What its owner calls it, if anything; one file of a dataset is called so." },
      path: { ...text, description: "Where it lies for its owner, if that was said." },
      language: {
        ...text,
        description:
          "Of what is spoken or written in it, as its upload said, else as it was found out or the document says; as BCP 47 has it.",
      },
      status: {
        type: "string",
        enum: ["processing", "ready", "failed"],
        description:
          "ready: searches find it. processing: it was uploaded with async=true and is still to be read; loaderId is empty then, and mimeType as it was declared. failed: it could not be read, and stays listed until it is deleted.",
      },
      progress: {
        type: "number",
        minimum: 0,
        maximum: 1,
        description: "While it is processing: how much of a scan or recording has been recognised; 0 of other files.",
      },
      error: {
        ...object({ code: { $ref: "#/components/schemas/ErrorCode" }, message: text }),
        description: "Where it failed: why, as an upload would have been refused.",
      },
      unchanged: {
        ...constant(true),
        description:
          "In the answer to an upload: it was stored already as it was sent, nothing was done, and it cost nothing.",
      },
      transcriptionText: { ...nullableText, description: "What is said in audio and video, and in subtitle files." },
      transcriptionSrt: {
        type: ["array", "null"],
        items: { $ref: "#/components/schemas/SubtitleEntry" },
        description: "The same with its times.",
      },
      extraMeta: {
        type: ["object", "null"],
        additionalProperties: true,
        description: "The metadata that its upload gave it.",
      },
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
      "status",
      "transcriptionText",
      "transcriptionSrt",
      "extraMeta",
    ],
  ),
  SubtitleEntry: object({
    id: { ...integer, description: "From 1 on." },
    startTime: { type: "number", description: "Seconds." },
    endTime: { type: "number", description: "Seconds." },
    text,
  }),
  FileEnvelope: object(
    {
      success: constant(true),
      message: text,
      files: arrayOf({ $ref: "#/components/schemas/File" }),
      nextCursor: {
        ...nullableText,
        description: "Of a listing in pages alone: asks for the next; null on the last.",
      },
    },
    ["success", "message", "files"],
  ),
  Dataset: object({
    datasetId: text,
    files: integer,
    chunks: integer,
    bytes: { type: "integer", description: "Of the uploaded files together." },
    created: { type: "string", format: "date-time", description: "When the oldest of its files was stored." },
    updated: { type: "string", format: "date-time", description: "When the newest of its files was stored." },
  }),
  DatasetList: object({
    success: constant(true),
    data: arrayOf({ $ref: "#/components/schemas/Dataset" }),
    nextCursor: { ...nullableText, description: "Asks for the next page; null on the last." },
  }),
  Filter: object({
    key: {
      type: "string",
      ...fieldLimits.filterKey,
      description: `Metadata field: a top-level key of extraMeta, or fileId, originalName, customerId, datasetId, or chunkIndex, the passage's place in its file from 0 on; or path, where the file lies for its owner; or what the file's format says: ${[...FILTERED_PLACE_KEYS, ...PROPERTY_KEYS].join(", ")}. A passage of several pages or slides matches each of them, one of several rows, lines or seconds the first.`,
    },
    match: {
      description: 'Exactly one of value, any, not and range. Values are compared by type, too: "1" is not 1.',
      oneOf: [
        matchBy("value", { ...scalar, description: "Must be equal in type and value." }),
        matchBy("any", { ...scalars, description: "One of these must be equal. None: nothing matches." }),
        matchBy("not", {
          oneOf: [scalar, scalars],
          description: "None of these may be equal. A passage that has no such field matches.",
        }),
        matchBy("range", {
          type: "object",
          properties: {
            gt: bound("Above it."),
            gte: bound("It, or above."),
            lt: bound("Below it."),
            lte: bound("It, or below."),
          },
          minProperties: 1,
          additionalProperties: false,
          description:
            "All must hold. Bounds are all numbers, all dates or all other strings, and only values of the same kind match. A date is a year, a month, a day, or a day and a time as ISO 8601 has it, in UTC where it names no other offset; a year, month or day is all of it, so that lte reaches to its end and gt begins behind it. Other strings are compared by their UTF-16 units.",
        }),
      ],
    },
  }),
  PassageMetadata: {
    ...object(
      {
        fileId: text,
        originalName: text,
        customerId: text,
        datasetId: text,
        chunkIndex: integer,
        path: { type: "string", description: "Where the file lies for its owner, if that was said." },
        ...placeFields,
      },
      ["fileId", "originalName", "customerId", "datasetId", "chunkIndex"],
    ),
    additionalProperties: true,
    description:
      "The file's extraMeta, and these fields, whatever extraMeta holds. Where the passage stands, and what its document says of itself, are there where the file's format knows them.",
  },
  PassageList: object({
    success: constant(true),
    data: arrayOf(object({ pageContent: text, metadata: { $ref: "#/components/schemas/PassageMetadata" } })),
    total: { type: "integer", description: "How many passages the file has." },
  }),
  Explanation: {
    ...object({
      meaning: share("How near its meaning is to the question's: the cosine of their vectors."),
      words: share("Its words: BM25 as a share of the most that the question can have."),
      matched: {
        ...arrayOf(text),
        description: "The question's words, or other forms of them, as they stand in it.",
      },
      reading: share("How much of the question its best stretch answers, read word by word."),
      pairs: share("How many neighbours in the question are neighbours in it."),
    }),
    description:
      "What each kind of evidence said of a result; null where it said nothing, because results were not read. Only where it was asked for.",
  },
  SearchResult: object(
    {
      score: {
        type: "number",
        minimum: 0,
        maximum: 1,
        description: "0.9 and more: highly relevant; from 0.8: very; from 0.7: relevant; below: possibly.",
      },
      pageContent: text,
      highlights: {
        ...arrayOf(object({ start: integer, end: integer })),
        description:
          "Where the question's words, or other forms of them, stand in pageContent: UTF-16 units, the end excluded, ascending, apart from one another. Only where it was asked for.",
      },
      explanation: { $ref: "#/components/schemas/Explanation" },
      alsoIn: {
        ...arrayOf(object({ fileId: text, originalName: text, chunkIndex: integer })),
        description: "Where else the same text was found, best first. Not there where it was not.",
      },
      metadata: { $ref: "#/components/schemas/PassageMetadata" },
    },
    ["score", "pageContent", "metadata"],
  ),
  RetrievalRequest: object(
    {
      ...retrievalFields(chosen),
      explain: {
        type: ["boolean", "null"],
        description: "true: each result says what each kind of evidence gave it.",
      },
    },
    ["question"],
  ),
  QueryRequest: object(
    {
      ...retrievalFields(chosen),
      stream: {
        type: ["boolean", "null"],
        description: "true: Server-Sent Events. Without it the Accept header decides.",
      },
    },
    ["question"],
  ),
  SearchResponse: object({ success: constant(true), data: arrayOf({ $ref: "#/components/schemas/SearchResult" }) }),
  Usage: {
    ...object({ promptTokens: integer, completionTokens: integer }),
    description: "What a language model read and wrote; zero where none was used.",
  },
  QueryAnswer: object({
    answer: { ...text, description: "[1] cites the first of the sources." },
    sources: {
      ...arrayOf({ $ref: "#/components/schemas/SearchResult" }),
      description: "Exactly the passages that the answer is made from, or what was found where they do not answer.",
    },
    model: { ...text, description: "The language model's name, or `extractive`." },
    usage: { $ref: "#/components/schemas/Usage" },
  }),
  QueryResponse: object({ success: constant(true), data: { $ref: "#/components/schemas/QueryAnswer" } }),
  QueryEvent: {
    oneOf: Object.keys(queryEvents).map((name) => ({ $ref: `#/components/schemas/${name}` })),
    discriminator: {
      propertyName: "event",
      mapping: Object.fromEntries(
        Object.entries(queryEvents).map(([name, { properties }]) => [
          properties.event.const,
          `#/components/schemas/${name}`,
        ]),
      ),
    },
    description:
      "One of the Server-Sent Events of a query: first `sources`, then any number of `token`, last `done` or `error`.",
  },
  ...queryEvents,
  TokenRequest: object(
    {
      datasetId: newDatasetId("The token's dataset, which need not exist yet."),
      ttlSeconds: {
        type: "number",
        ...fieldLimits.ttlSeconds,
        default: fieldDefaults.ttlSeconds,
        description: "How long the token is valid; a fraction of a second is dropped.",
      },
      scope: {
        ...constant("read"),
        description: "For searches, queries, listings and downloads only; left out for everything in the dataset.",
      },
    },
    ["datasetId"],
  ),
  TokenResponse: object({
    success: constant(true),
    token: text,
    expiresIn: { type: "integer", description: "Seconds." },
    data: object({ token: text, expiresIn: integer }),
  }),
  UploadForm: object(
    {
      file: arrayOf(
        { type: "string", format: "binary" },
        {
          minItems: 1,
          maxItems: chosen.maxFilesPerUpload,
          description: `One or more parts named file (or files), each of at most ${chosen.maxFileBytes} bytes. A name has at most ${fieldLimits.fileName.maxLength} UTF-16 units; one that is percent-encoded UTF-8 beyond ASCII is decoded.`,
        },
      ),
      datasetId: newDatasetId("Required with an API key; a frontend token brings its own."),
      chunkSize: {
        type: "integer",
        ...fieldLimits.chunkSize,
        default: fieldDefaults.chunkSize,
        description: "Tokens of a chunk; no more than the embedding model reads.",
      },
      chunkOverlap: {
        type: "integer",
        ...fieldLimits.chunkOverlap,
        maximum: fieldLimits.chunkSize.maximum - 1,
        default: fieldDefaults.chunkOverlap,
        description: "Tokens that neighbouring chunks share; below chunkSize, and by default no more than half of it.",
      },
      extraMeta: {
        type: "string",
        maxLength: fieldLimits.extraMeta.maxBytes,
        description: `A JSON object: metadata of the files, to filter by. At most ${fieldLimits.extraMeta.maxBytes} bytes of UTF-8 and ${fieldLimits.json.maxDepth} levels deep. Keys that it may not hold: ${fieldLimits.extraMeta.reservedKeys.join(", ")}. A key chunkIndex is kept and shown with the file; results and filters mean by it the passage's place.`,
      },
      externalId: {
        type: "string",
        ...fieldLimits.externalId,
        description:
          "For a form of one file: what its owner calls it. It takes the place of the dataset's file of this externalId, in one moment, when it is indexed; where bytes, name, path, chunking, languages and extraMeta are the same, nothing is done, and it costs nothing.",
      },
      externalIds: {
        type: "string",
        description:
          "For a form of several files: a JSON object of their externalIds by file name. Those that it leaves out have none.",
      },
      path: {
        type: "string",
        ...fieldLimits.relativePath,
        description:
          'For a form of one file: where it lies for its owner, relative, "/" between folders. Shown with the file and in the metadata of its passages, which filters can match.',
      },
      language: {
        type: "string",
        ...fieldLimits.language,
        description: "The language that is spoken in the files, as BCP 47 has it. Without it, it is found out.",
      },
      ocrLanguages: {
        oneOf: [text, arrayOf({ type: "string", maxLength: ocr.maxLength, pattern: ocr.pattern })],
        description: `The languages that are written in scans and pictures: BCP 47 tags, or names as Tesseract has them, each of at most ${ocr.maxLength} characters; at most ${ocr.maxItems}, with commas between them, as a JSON array, or as a field of its own each. Without them, they are found out.`,
      },
      async: {
        type: "string",
        enum: ["true", "false"],
        description: "true: as the query parameter has it, which says it before the files are sent and wins over this.",
      },
      paths: { type: "string", description: "For a form of several files: a JSON object of their paths by file name." },
    },
    ["file"],
  ),
  JsonRpcRequest: {
    ...object(
      {
        jsonrpc: constant("2.0"),
        id: { type: ["string", "integer"], description: "Left out of a notification." },
        method: { ...text, description: "As the Model Context Protocol calls it, such as `tools/call`." },
        params: { type: "object", additionalProperties: true },
      },
      ["jsonrpc", "method"],
    ),
    description: "A request or notification in JSON-RPC 2.0.",
  },
  JsonRpcResult: object({
    jsonrpc: constant("2.0"),
    id: { type: ["string", "integer"] },
    result: { type: "object", additionalProperties: true },
  }),
  JsonRpcFailure: object({
    jsonrpc: constant("2.0"),
    id: { type: ["string", "integer", "null"] },
    error: object({ code: integer, message: text, data: {} }, ["code", "message"]),
  }),
  JsonRpcAnswer: {
    oneOf: [{ $ref: "#/components/schemas/JsonRpcResult" }, { $ref: "#/components/schemas/JsonRpcFailure" }],
  },
  Health: object({ status: constant("alive") }),
  Readiness: object(
    {
      status: { type: "string", enum: ["ready", "degraded"] },
      message: { ...text, description: "What is degraded, and what to do about it." },
      model: { ...text, description: "The embedding model: name, version and 12 digits of its files' hash." },
      chunks: { ...integer, description: "Passages that are stored." },
    },
    ["status", "model", "chunks"],
  ),
  ...errorSchemas,
});
