/** Shapes of the interface. Written by scripts/clients.ts from the OpenAPI document: do not edit. */

export interface StoredFile {
  fileId: string;
  originalName: string;
  datasetId: string;
  customerId: string;
  /** Storage path. */
  filePath: string;
  mimeType: string | null;
  /** Bytes. */
  size: number | null;
  /** Of the bytes, hexadecimal; null for a file from before it was recorded. */
  sha256?: string | null;
  /** What read the file. */
  loaderId: string;
  created: string;
  extension: string;
  /** What its owner calls it, if anything; one file of a dataset is called so. */
  externalId?: string;
  /** Where it lies for its owner, if that was said. */
  path?: string;
  /** Of what is spoken or written in it, as its upload said, else as it was found out or the document says; as BCP 47 has it. */
  language?: string;
  /** ready: searches find it. processing: it was uploaded with async=true and is still to be read; loaderId is empty then, and mimeType as it was declared. failed: it could not be read, and stays listed until it is deleted. */
  status: "processing" | "ready" | "failed";
  /** While it is processing: how much of a scan or recording has been recognised; 0 of other files. */
  progress?: number;
  /** Where it failed: why, as an upload would have been refused. */
  error?: {
    code: ErrorCode;
    message: string;
  };
  /** In the answer to an upload: it was stored already as it was sent, nothing was done, and it cost nothing. */
  unchanged?: true;
  /** What is said in audio and video, and in subtitle files. */
  transcriptionText: string | null;
  /** The same with its times. */
  transcriptionSrt: SubtitleEntry[] | null;
  /** The metadata that its upload gave it. */
  extraMeta: { [key: string]: unknown } | null;
  /** Signed download address, valid for 7 days, unchanged until its last. Only where one file is asked for. */
  permanentUrl?: string;
}

export interface SubtitleEntry {
  /** From 1 on. */
  id: number;
  /** Seconds. */
  startTime: number;
  /** Seconds. */
  endTime: number;
  text: string;
}

export interface FileEnvelope {
  success: true;
  message: string;
  files: StoredFile[];
  /** Of a listing in pages alone: asks for the next; null on the last. */
  nextCursor?: string | null;
}

export interface Dataset {
  datasetId: string;
  files: number;
  chunks: number;
  /** Of the uploaded files together. */
  bytes: number;
  /** When the oldest of its files was stored. */
  created: string;
  /** When the newest of its files was stored. */
  updated: string;
}

export interface DatasetList {
  success: true;
  data: Dataset[];
  /** Asks for the next page; null on the last. */
  nextCursor: string | null;
}

export interface Filter {
  /** Metadata field: a top-level key of extraMeta, or fileId, originalName, customerId, datasetId, or chunkIndex, the passage's place in its file from 0 on; or path, where the file lies for its owner; or what the file's format says: page, slide, sheet, row, chapter, heading, line, startTime, endTime, member, title, author, date, subject, language. A passage of several pages or slides matches each of them, one of several rows, lines or seconds the first. */
  key: string;
  /** Exactly one of value, any, not and range. Values are compared by type, too: "1" is not 1. */
  match: {
    /** Must be equal in type and value. */
    value: string | number | boolean;
  } | {
    /** One of these must be equal. None: nothing matches. */
    any: (string | number | boolean)[];
  } | {
    /** None of these may be equal. A passage that has no such field matches. */
    not: string | number | boolean | (string | number | boolean)[];
  } | {
    /** All must hold. Bounds are all numbers, all dates or all other strings, and only values of the same kind match. A date is a year, a month, a day, or a day and a time as ISO 8601 has it, in UTC where it names no other offset; a year, month or day is all of it, so that lte reaches to its end and gt begins behind it. Other strings are compared by their UTF-16 units. */
    range: {
      /** Above it. */
      gt?: string | number;
      /** It, or above. */
      gte?: string | number;
      /** Below it. */
      lt?: string | number;
      /** It, or below. */
      lte?: string | number;
    };
  };
}

/** The file's extraMeta, and these fields, whatever extraMeta holds. Where the passage stands, and what its document says of itself, are there where the file's format knows them. */
export type PassageMetadata = {
  fileId: string;
  originalName: string;
  customerId: string;
  datasetId: string;
  chunkIndex: number;
  /** Where the file lies for its owner, if that was said. */
  path?: string;
  /** From 1 on; the first of the passage's. */
  page?: number;
  /** Where the passage goes on to another page. */
  lastPage?: number;
  slide?: number;
  lastSlide?: number;
  /** Of a workbook. */
  sheet?: string;
  /** As spreadsheet programs number it. */
  row?: number;
  lastRow?: number;
  chapter?: string;
  /** The headings above it, the highest first, joined by " › ". */
  heading?: string;
  line?: number;
  lastLine?: number;
  /** Seconds. */
  startTime?: number;
  /** Seconds. */
  endTime?: number;
  /** The path in an archive, or the attachment of a mail. */
  member?: string;
  title?: string;
  author?: string;
  /** As ISO 8601 has it. */
  date?: string;
  subject?: string;
  /** As BCP 47 has it. */
  language?: string;
} & { [key: string]: unknown };

export interface PassageList {
  success: true;
  data: ({
    pageContent: string;
    metadata: PassageMetadata;
  })[];
  /** How many passages the file has. */
  total: number;
}

/** What each kind of evidence said of a result; null where it said nothing, because results were not read. Only where it was asked for. */
export interface Explanation {
  /** How near its meaning is to the question's: the cosine of their vectors. */
  meaning: number | null;
  /** Its words: BM25 as a share of the most that the question can have. */
  words: number | null;
  /** The question's words, or other forms of them, as they stand in it. */
  matched: string[];
  /** How much of the question its best stretch answers, read word by word. */
  reading: number | null;
  /** How many neighbours in the question are neighbours in it. */
  pairs: number | null;
}

export interface SearchResult {
  /** 0.9 and more: highly relevant; from 0.8: very; from 0.7: relevant; below: possibly. */
  score: number;
  pageContent: string;
  /** Where the question's words, or other forms of them, stand in pageContent: UTF-16 units, the end excluded, ascending, apart from one another. Only where it was asked for. */
  highlights?: ({
    start: number;
    end: number;
  })[];
  explanation?: Explanation;
  /** Where else the same text was found, best first. Not there where it was not. */
  alsoIn?: ({
    fileId: string;
    originalName: string;
    chunkIndex: number;
  })[];
  metadata: PassageMetadata;
}

export interface RetrievalRequest {
  /** The dataset. Required with an API key; a frontend token brings its own. */
  datasetId?: string | null;
  /** What to look for, in any language. Its length is counted in UTF-16 units. */
  question: string;
  /** All must match. Applied before the similarity search. */
  filters?: Filter[] | null;
  /** Most results, or passages that an answer is made from. */
  limit?: number | null;
  /** What each of them scores at least. */
  minScore?: number | null;
  /** true: each result says where the question's words stand in it. */
  highlights?: boolean | null;
  /** true: each result says what each kind of evidence gave it. */
  explain?: boolean | null;
}

export interface QueryRequest {
  /** The dataset. Required with an API key; a frontend token brings its own. */
  datasetId?: string | null;
  /** What to look for, in any language. Its length is counted in UTF-16 units. */
  question: string;
  /** All must match. Applied before the similarity search. */
  filters?: Filter[] | null;
  /** Most results, or passages that an answer is made from. */
  limit?: number | null;
  /** What each of them scores at least. */
  minScore?: number | null;
  /** true: each result says where the question's words stand in it. */
  highlights?: boolean | null;
  /** true: Server-Sent Events. Without it the Accept header decides. */
  stream?: boolean | null;
}

export interface SearchResponse {
  success: true;
  data: SearchResult[];
}

/** What a language model read and wrote; zero where none was used. */
export interface Usage {
  promptTokens: number;
  completionTokens: number;
}

export interface QueryAnswer {
  /** [1] cites the first of the sources. */
  answer: string;
  /** Exactly the passages that the answer is made from, or what was found where they do not answer. */
  sources: SearchResult[];
  /** The language model's name, or `extractive`. */
  model: string;
  usage: Usage;
}

export interface QueryResponse {
  success: true;
  data: QueryAnswer;
}

/** One of the Server-Sent Events of a query: first `sources`, then any number of `token`, last `done` or `error`. */
export type QueryEvent = QuerySourcesEvent | QueryTokenEvent | QueryDoneEvent | QueryErrorEvent;

/** Exactly the passages that the answer is made from. */
export interface QuerySourcesEvent {
  event: "sources";
  data: SearchResult[];
}

/** The next words of the answer, to be joined as they are. */
export interface QueryTokenEvent {
  event: "token";
  data: {
    text: string;
  };
}

/** The answer is whole. */
export interface QueryDoneEvent {
  event: "done";
  data: {
    model: string;
    usage: Usage;
  };
}

/** The answer broke off, and costs nothing. */
export interface QueryErrorEvent {
  event: "error";
  data: ErrorBody;
}

export interface TokenRequest {
  /** The token's dataset, which need not exist yet. Its length is counted in UTF-16 units. */
  datasetId: string;
  /** How long the token is valid; a fraction of a second is dropped. */
  ttlSeconds?: number;
  /** For searches, queries, listings and downloads only; left out for everything in the dataset. */
  scope?: "read";
}

export interface TokenResponse {
  success: true;
  token: string;
  /** Seconds. */
  expiresIn: number;
  data: {
    token: string;
    expiresIn: number;
  };
}

export interface UploadForm {
  /** One or more parts named file (or files), each of at most 104857600 bytes. A name has at most 1024 UTF-16 units; one that is percent-encoded UTF-8 beyond ASCII is decoded. */
  file: Blob[];
  /** Required with an API key; a frontend token brings its own. Its length is counted in UTF-16 units. */
  datasetId?: string;
  /** Tokens of a chunk; no more than the embedding model reads. */
  chunkSize?: number;
  /** Tokens that neighbouring chunks share; below chunkSize, and by default no more than half of it. */
  chunkOverlap?: number;
  /** A JSON object: metadata of the files, to filter by. At most 16384 bytes of UTF-8 and 64 levels deep. Keys that it may not hold: fileId, originalName, customerId, datasetId. A key chunkIndex is kept and shown with the file; results and filters mean by it the passage's place. */
  extraMeta?: string;
  /** For a form of one file: what its owner calls it. It takes the place of the dataset's file of this externalId, in one moment, when it is indexed; where bytes, name, path, chunking, languages and extraMeta are the same, nothing is done, and it costs nothing. */
  externalId?: string;
  /** For a form of several files: a JSON object of their externalIds by file name. Those that it leaves out have none. */
  externalIds?: string;
  /** For a form of one file: where it lies for its owner, relative, "/" between folders. Shown with the file and in the metadata of its passages, which filters can match. */
  path?: string;
  /** The language that is spoken in the files, as BCP 47 has it. Without it, it is found out. */
  language?: string;
  /** The languages that are written in scans and pictures: BCP 47 tags, or names as Tesseract has them, each of at most 35 characters; at most 16, with commas between them, as a JSON array, or as a field of its own each. Without them, they are found out. */
  ocrLanguages?: string | string[];
  /** true: as the query parameter has it, which says it before the files are sent and wins over this. */
  async?: "true" | "false";
  /** For a form of several files: a JSON object of their paths by file name. */
  paths?: string;
}

/** For programs. Later versions of v1 may add some. */
export type ErrorCode = "NOT_SIGNED_IN" | "INVALID_SIGN_IN" | "OPERATOR_ONLY" | "FOREIGN_PAGE" | "CUSTOMER_NOT_NAMED" | "CUSTOMER_UNKNOWN" | "BACKUP_UNKNOWN" | "MODEL_UNKNOWN" | "KEY_UNKNOWN" | "SIGN_IN_PAUSED" | "REFUSED" | "INVALID_REQUEST" | "INVALID_FILTER" | "NO_FILE" | "EMPTY_FILE" | "UNSUPPORTED_FILE_TYPE" | "UNREADABLE_FILE" | "NO_OCR_LANGUAGE" | "NO_TEXT" | "NO_SPEECH_MODEL" | "INVALID_CHUNKING" | "QUESTION_TOO_LONG" | "INVALID_METADATA" | "INSUFFICIENT_CREDITS" | "DATASET_MISMATCH" | "PERMISSION_DENIED" | "SCOPE_INSUFFICIENT" | "FILE_NOT_FOUND" | "NO_SUBTITLES" | "DATASET_NOT_FOUND" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "RATE_LIMIT_EXCEEDED" | "UPLOADS_PAUSED" | "SHUTTING_DOWN" | "WARMING_UP" | "RESTARTING" | "ANSWER_UNAVAILABLE" | "MODEL_MISSING" | "INSUFFICIENT_STORAGE" | "BUSY";

/** Of errors whose whole body is this sentence. */
export type ErrorSentence = "Missing API key" | "Invalid API key" | "Missing API key or token" | "Invalid API key or token" | "datasetId is required" | "datasetId must be between 1 and 100 characters" | "ttlSeconds must be between 1 and 86400" | "datasetId and question are required" | "datasetId mismatch between token and request" | "Internal error";

export interface ErrorBody {
  /** A code, or a sentence where that is the whole body. */
  error: ErrorCode | ErrorSentence;
  /** What happened and what to do, for people. */
  message?: string;
  /** What it is about, by name: `file` of an upload that was refused, `limit`, `size`. */
  details?: { [key: string]: unknown };
  /** Seconds after which the same request may succeed. */
  retryAfter?: number;
}

export interface InsufficientCredits {
  error: "INSUFFICIENT_CREDITS";
  /** What happened and what to do, for people. */
  message: string;
  details: {
    required: number;
    available: number;
  };
}

export interface PayloadTooLarge {
  error: "PAYLOAD_TOO_LARGE";
  /** What happened and what to do, for people. */
  message: string;
  details: {
    /** Bytes; of an upload with too many passages, passages. */
    limit: number;
  };
}

export interface TooManyRequests {
  error: "SIGN_IN_PAUSED" | "RATE_LIMIT_EXCEEDED" | "UPLOADS_PAUSED";
  /** What happened and what to do, for people. */
  message: string;
  /** Seconds after which the same request may succeed. */
  retryAfter: number;
}

export interface Unavailable {
  error: "SHUTTING_DOWN" | "WARMING_UP" | "RESTARTING" | "ANSWER_UNAVAILABLE" | "MODEL_MISSING" | "BUSY" | "INSUFFICIENT_STORAGE";
  /** What happened and what to do, for people. */
  message: string;
  /** Seconds after which the same request may succeed. */
  retryAfter?: number;
}
