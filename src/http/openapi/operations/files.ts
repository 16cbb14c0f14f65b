/** /v1/files and what is below it. */
import type { ErrorCode } from "../../../foundation/errors.ts";
import { fieldDefaults, fieldLimits } from "../../../foundation/field-limits.ts";
import { SUBTITLE_FORMATS } from "../../../operations/subtitles.ts";
import { examples } from "../examples.ts";
import type { Schema } from "../json-schema.ts";
import { answer, body, operation, pathParameter, queryParameter, type OpenApiPaths } from "../operation.ts";
import type { OpenApiOperation } from "../operation.ts";
import { pageParameters } from "../page-parameters.ts";
import { refer } from "../schemas.ts";

const OF_ONE_FILE: readonly ErrorCode[] = ["DATASET_MISMATCH", "FILE_NOT_FOUND"];
const OF_DELETION: readonly ErrorCode[] = ["SCOPE_INSUFFICIENT", "RESTARTING", "INSUFFICIENT_STORAGE"];
const fileId = pathParameter("fileId", examples.fileId);
const files = (description: string, example: unknown) => answer(description, refer("FileEnvelope"), example);
const bytes = { "*/*": { schema: { type: "string", format: "binary" } } };

const content = (operationId: string, summary: string, sent: Schema): OpenApiOperation =>
  operation({
    operationId,
    tag: "Files",
    summary,
    description:
      "The address comes from a file's `permanentUrl` and needs no credential; without its query it takes an API key or token of the file's owner.",
    credential: "optional",
    parameters: [
      fileId,
      { ...queryParameter("expires", "Of a signed link.", { type: "integer" }), example: examples.link.expires },
      { ...queryParameter("signature", "Of a signed link.", { type: "string" }), example: examples.link.signature },
      {
        name: "Range",
        in: "header",
        description: "One range of bytes.",
        schema: { type: "string" },
        example: "bytes=0-1023",
      },
    ],
    answers: {
      200: { description: "The whole file.", ...sent },
      206: { description: "The range asked for.", ...sent },
    },
    failures: ["PERMISSION_DENIED", ...OF_ONE_FILE],
    failuresAs: { 416: ["INVALID_REQUEST"] },
  });

export const filePaths: OpenApiPaths = {
  "/v1/files/upload": {
    post: operation({
      operationId: "uploadFiles",
      tag: "Files",
      summary: "Upload and index files, all or none",
      description: `1 credit per file. Repeating an upload makes new files, unless they have an externalId: then they take the place of the former ones. A field that is empty counts as left out. A field that is one of these but for case, a separator or a letter is refused, any other that is unknown ignored, and named in the header X-Ignored-Fields. A form has at most ${fieldLimits.form.maxFields} fields beside its files, each of at most ${fieldLimits.form.maxFieldBytes} bytes.`,
      credential: "any",
      parameters: [
        queryParameter(
          "async",
          "true: answered with 202 once the files are kept, all or none, and paid. They are read in the background, across restarts, each by itself: one that cannot be read fails alone. `GET /v1/files/{fileId}` shows `status` and `progress`; searches find a file when it is ready, and a file of an externalId keeps its place until then. What an upload would give back is given back to one that fails. Too many waiting: 503 `BUSY`.",
          { type: "boolean", default: false },
        ),
      ],
      requestBody: body(refer("UploadForm"), examples.upload.request, "multipart/form-data"),
      answers: {
        200: files("Stored, indexed, and found by the next search.", examples.upload.answer),
        202: files("With `async`: kept, paid, and to be read.", examples.upload.accepted),
      },
      failures: [
        "DATASET_ID_REQUIRED",
        "DATASET_ID_LENGTH",
        "INVALID_REQUEST",
        "NO_FILE",
        "EMPTY_FILE",
        "UNSUPPORTED_FILE_TYPE",
        "UNREADABLE_FILE",
        "NO_OCR_LANGUAGE",
        "NO_TEXT",
        "NO_SPEECH_MODEL",
        "INVALID_CHUNKING",
        "INVALID_METADATA",
        "INSUFFICIENT_CREDITS",
        "SCOPE_INSUFFICIENT",
        "DATASET_MISMATCH",
        "REQUEST_TIMEOUT",
        "UPLOADS_PAUSED",
        "RESTARTING",
        "INSUFFICIENT_STORAGE",
      ],
    }),
  },
  "/v1/files": {
    get: operation({
      operationId: "listFiles",
      tag: "Files",
      summary: "List the files of a dataset, newest first",
      description: "Those that are still to be read, or could not be, come first.",
      credential: "any",
      parameters: [
        {
          ...queryParameter("datasetId", "Required with an API key.", { type: "string" }),
          example: examples.datasetId,
        },
        queryParameter("name", "Only files whose originalName is exactly this.", { type: "string" }),
        queryParameter("externalId", "Only the file of this externalId.", { type: "string" }),
        ...pageParameters(
          `Files on a page; without it, and without a cursor, all files come. With a cursor alone ${fieldDefaults.limit}.`,
        ),
      ],
      answers: { 200: files("The files; none for an unknown dataset.", examples.list) },
      failures: ["DATASET_ID_REQUIRED", "INVALID_REQUEST", "DATASET_MISMATCH"],
    }),
    delete: operation({
      operationId: "deleteAllFiles",
      tag: "Files",
      summary: "Delete all files of the customer",
      description: "With a frontend token: those of its dataset.",
      credential: "any",
      parameters: [
        queryParameter(
          "datasetId",
          "With a frontend token its own dataset; refused with an API key, which deletes everything.",
          { type: "string" },
        ),
      ],
      answers: { 200: files("What was deleted.", examples.deleted) },
      failures: ["INVALID_REQUEST", "DATASET_MISMATCH", ...OF_DELETION],
    }),
  },
  "/v1/files/{fileId}": {
    get: operation({
      operationId: "getFile",
      tag: "Files",
      summary: "A file's details and its download address",
      credential: "any",
      parameters: [fileId],
      answers: { 200: files("One file, with `permanentUrl`.", examples.details) },
      failures: OF_ONE_FILE,
    }),
    delete: operation({
      operationId: "deleteFile",
      tag: "Files",
      summary: "Delete one file",
      description:
        "One that is still to be read is not read any more. Its charge is given back where its reading had not begun; a file that was begun is paid, like an upload whose client goes away.",
      credential: "any",
      parameters: [fileId],
      answers: { 200: files("What was deleted.", examples.deleted) },
      failures: [...OF_ONE_FILE, ...OF_DELETION],
    }),
  },
  "/v1/files/{fileId}/content": {
    get: content("downloadFile", "Download a file", { content: bytes }),
    head: content("getFileSize", "Size and type of a file", {}),
  },
  "/v1/files/{fileId}/subtitles": {
    get: operation({
      operationId: "getSubtitles",
      tag: "Files",
      summary: "What is said in a file, as subtitles",
      description: "Of audio, video and subtitle files. 404 `NO_SUBTITLES` for others, and while a file is being read.",
      credential: "any",
      parameters: [
        pathParameter("fileId", examples.subtitledFileId),
        queryParameter("format", "SubRip or WebVTT.", {
          type: "string",
          enum: [...SUBTITLE_FORMATS],
          default: SUBTITLE_FORMATS[0],
        }),
      ],
      answers: {
        200: {
          description: "The subtitles.",
          content: {
            "application/x-subrip": { schema: { type: "string" }, example: examples.subtitles.srt },
            "text/vtt": { schema: { type: "string" }, example: examples.subtitles.vtt },
          },
        },
      },
      failures: ["INVALID_REQUEST", "SCOPE_INSUFFICIENT", ...OF_ONE_FILE, "NO_SUBTITLES"],
    }),
  },
  "/v1/files/{fileId}/passages": {
    get: operation({
      operationId: "listPassages",
      tag: "Files",
      summary: "A file's passages, in their order",
      description:
        "What stands before and behind a passage that was found: `chunkIndex` of a result is its number here.",
      credential: "any",
      parameters: [
        fileId,
        queryParameter("from", "Number of the first passage.", {
          type: "integer",
          ...fieldLimits.passageFrom,
          default: fieldDefaults.passageFrom,
        }),
        queryParameter("limit", "Passages at most.", {
          type: "integer",
          ...fieldLimits.passageLimit,
          default: fieldDefaults.passageLimit,
        }),
      ],
      answers: { 200: answer("The passages.", refer("PassageList"), examples.passages) },
      failures: ["INVALID_REQUEST", "SCOPE_INSUFFICIENT", ...OF_ONE_FILE],
    }),
  },
};
