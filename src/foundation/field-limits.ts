/**
 * What the fields of requests may hold, in one table: what reads them refuses by it, and the OpenAPI document says it. Where JSON
 * Schema has a word for a limit, it stands under that word. Lengths of text are in UTF-16 units.
 *
 * What the operator chooses instead (the length of a question, the number and size of files) is in config.ts.
 */
export const fieldLimits = {
  /** Of a dataset that may come to exist. Clients resolve dots in an address, encoded or not, before they send it. */
  datasetId: { minLength: 1, maxLength: 100, pattern: "^(?!\\.{1,2}$)[^\\p{Cc}\\p{Cs}]*$" },
  /** Not blank. */
  question: { minLength: 1, pattern: "\\S" },
  filters: { maxItems: 32 },
  filterKey: { minLength: 1 },
  /** Of one list in a filter. */
  filterValues: { maxItems: 10_000 },
  /** Results; the operator's number is the maximum. */
  limit: { minimum: 1 },
  minScore: { minimum: 0, maximum: 1 },
  /** Seconds. */
  ttlSeconds: { minimum: 1, maximum: 86_400 },
  /** Tokens. A model that reads less lowers the maximum. */
  chunkSize: { minimum: 10, maximum: 4000 },
  /** Tokens; less than chunkSize, too. */
  chunkOverlap: { minimum: 0 },
  /** UTF-8 bytes of the JSON text; keys of every result's metadata that a file's own may not claim. */
  extraMeta: { maxBytes: 16 * 1024, reservedKeys: ["fileId", "originalName", "customerId", "datasetId"] },
  /** Any JSON: objects and arrays within one another. */
  json: { maxDepth: 64 },
  /** A JSON body: objects, arrays and commas. Parsing more holds up other requests; a list of as many values as a filter takes is within it. */
  body: { maxParts: 20_000 },
  /** A multipart form, its files apart; a field may be longer than extraMeta, so that one beyond its limit is told so. */
  form: { maxFields: 100, maxFieldBytes: 64 * 1024 },
  fileName: { maxLength: 1024 },
  externalId: { minLength: 1, maxLength: 512 },
  relativePath: { maxLength: 1024 },
  /** Spoken in a file: a BCP 47 tag. */
  language: { maxLength: 35, pattern: "^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$" },
  /** Written in its pictures; each is a BCP 47 tag, or named as Tesseract names its languages and scripts. */
  ocrLanguages: { maxItems: 16, maxLength: 35, pattern: "^[A-Za-z]{2,16}(?:[-_][A-Za-z0-9]{1,8})*$" },
  /** Texts of one request for embeddings. */
  embeddingInputs: { minItems: 1, maxItems: 256 },
  /** Each of them; a model reads no more of it than it can. */
  embeddingInput: { minLength: 1, maxLength: 32_768 },
  /** Items on a page of a listing. */
  pageLimit: { minimum: 1, maximum: 1000 },
  /** Number of the first passage of a file that is read, from 0. */
  passageFrom: { minimum: 0, maximum: 999_999_999 },
  /** Passages of a file that are read at once. */
  passageLimit: { minimum: 1, maximum: 100 },
} as const;

/** What fields are taken for that a request leaves out. */
export const fieldDefaults = {
  /** Seconds. */
  ttlSeconds: 3600,
  /** Tokens; less where the model reads less. */
  chunkSize: 300,
  /** Tokens; less where it would be more than half of chunkSize. */
  chunkOverlap: 20,
  /** Of a listing that comes in pages whatever is asked for. */
  limit: 100,
  passageFrom: 0,
  passageLimit: 20,
} as const;
