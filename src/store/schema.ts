/**
 * The tables of `lectern.db`. The migrations in `drizzle/documents` are generated from this file
 * by `drizzle/generate NAME`.
 *
 * Texts that users supply and that are looked up by equality are stored well-formed; JSON is stored as text, so that
 * any key and any character in it survives.
 */
import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** A row outlives its files: a dataset that once existed is known for as long as its customer is. */
export const datasets = sqliteTable(
  "datasets",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    customerId: text().notNull(),
    name: text().notNull(),
    /** The model of the live generation. */
    modelId: text().notNull(),
    /** Which vectors and terms searches look at: see generations.ts. */
    generation: integer().notNull().default(0),
    created: integer().notNull(),
    /** Kept in the transactions that add and delete files, so that counting never scans. */
    fileCount: integer().notNull().default(0),
    chunkCount: integer().notNull().default(0),
  },
  (table) => [uniqueIndex("datasets_customer_name").on(table.customerId, table.name)],
);

export const files = sqliteTable(
  "files",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    fileId: text().notNull(),
    /** Of `datasets`, or of `discardedDatasets` once it is deleted. */
    datasetId: integer().notNull(),
    customerId: text().notNull(),
    firstChunkId: integer().notNull(),
    chunkCount: integer().notNull(),
    originalName: text().notNull(),
    storagePath: text().notNull(),
    mimeType: text(),
    size: integer(),
    /** Of the bytes, hexadecimal; null for files stored before it was recorded, until it is made up for. */
    sha256: text(),
    loaderId: text().notNull(),
    created: integer().notNull(),
    extension: text().notNull(),
    /** What its owner calls it: of files that are not held back, one in a dataset. */
    externalId: text(),
    /** Where it lies for its owner, relative to something of theirs. */
    relativePath: text(),
    /** Held back: stored and indexed, but shown to nobody until it takes the place of another. */
    isPending: integer({ mode: "boolean" }).notNull().default(false),
    chunkSize: integer().notNull(),
    chunkOverlap: integer().notNull(),
    chargeId: text(),
    /** Spoken in it, as whoever uploaded it said: a BCP 47 tag. */
    language: text(),
    /** Written in its pictures, as whoever uploaded it said: a JSON array. */
    ocrLanguages: text(),
    /** JSON object. */
    extraMeta: text(),
    /** JSON object: what the document says of itself, as `DocumentProperties`. */
    properties: text(),
    transcriptionText: text(),
    /** JSON array. */
    transcriptionSrt: text(),
  },
  (table) => [
    uniqueIndex("files_fileId").on(table.fileId),
    // Holds all that listing chunk ranges needs, so that wide rows are not read for it.
    index("files_dataset").on(table.datasetId, table.id, table.firstChunkId, table.chunkCount),
    index("files_dataset_name").on(table.datasetId, table.originalName),
    uniqueIndex("files_externalId")
      .on(table.datasetId, table.externalId)
      .where(sql`"externalId" IS NOT NULL AND "isPending" = 0`),
    index("files_pending").on(table.id).where(sql`"isPending" = 1`),
    index("files_charge").on(table.chargeId).where(sql`"chargeId" IS NOT NULL`),
    index("files_without_hash").on(table.id).where(sql`"sha256" IS NULL`),
  ],
);

/**
 * Files that were accepted and are still to be read, or that could not be. Their bytes lie where those of other files do. A row goes in
 * the transaction that shows its file.
 */
export const uploadJobs = sqliteTable(
  "uploadJobs",
  {
    /** Ascending in the order of acceptance. */
    id: integer().primaryKey({ autoIncrement: true }),
    fileId: text().notNull(),
    customerId: text().notNull(),
    datasetName: text().notNull(),
    originalName: text().notNull(),
    storagePath: text().notNull(),
    /** As the client declared it. */
    mimeType: text(),
    size: integer().notNull(),
    /** Of the bytes, hexadecimal. */
    sha256: text().notNull(),
    created: integer().notNull(),
    externalId: text(),
    relativePath: text(),
    chunkSize: integer().notNull(),
    chunkOverlap: integer().notNull(),
    chargeId: text().notNull(),
    language: text(),
    /** JSON array. */
    ocrLanguages: text(),
    /** JSON object. */
    extraMeta: text(),
    /** The file of subtitles that came with it, should it be a recording. */
    subtitlesFileId: text(),
    /** How often it was begun by processes that may not have lived to end it. */
    attempts: integer().notNull().default(0),
    /** Why the file could not be read, as errors.ts has it; null: it is still to be. */
    errorCode: text(),
    errorMessage: text(),
  },
  (table) => [
    uniqueIndex("uploadJobs_fileId").on(table.fileId),
    index("uploadJobs_dataset").on(table.customerId, table.datasetName, table.id),
  ],
);

/**
 * Datasets whose files were all deleted at once. A new row of `datasets` has taken the name, so that nothing that looks for files by
 * their dataset finds these any more; they are cleared up in steps, and this row goes with the last of them. Row 0 holds files that were
 * deleted one by one and are too long for one step, row -1 those that others have replaced.
 */
export const discardedDatasets = sqliteTable("discardedDatasets", {
  id: integer().primaryKey(),
  name: text().notNull(),
  /** Whether the files are on the list of deletions beside the stored bytes. Before that, nothing of them is removed. */
  isNoted: integer({ mode: "boolean" }).notNull().default(false),
});

/** Ids of one file's chunks are consecutive, so a chunk's position in its file follows from its id. Never used twice. */
export const chunks = sqliteTable("chunks", {
  id: integer().primaryKey({ autoIncrement: true }),
  fileRow: integer().notNull(),
  text: text().notNull(),
  /** UTF-16 units at the text's beginning that say what it belongs to and do not stand there in the document. */
  contextLength: integer().notNull().default(0),
  /** JSON object: where it stands in the document, as `PassagePlace`; null where nothing is known. */
  place: text(),
});

/** Apart from the texts, so that building an index reads vectors and nothing else. */
export const vectors = sqliteTable("vectors", {
  /** As `indexedChunk` makes it of the chunk's id and the generation. */
  chunkId: integer().primaryKey(),
  /** As `encodeVector` writes it. */
  vector: blob({ mode: "buffer" }).notNull(),
});

/** What lexical search compares and the ranking reads, apart from texts and vectors for the same reason. */
export const chunkTokens = sqliteTable("chunkTokens", {
  /** As in `vectors`. */
  chunkId: integer().primaryKey(),
  /** As `encodeChunkTokens` writes it. */
  tokens: blob({ mode: "buffer" }).notNull(),
});

/** The same without the tokens' order, of chunks that an older version stored, until they are read anew. A chunk is in one of both tables. */
export const chunkTerms = sqliteTable("chunkTerms", {
  chunkId: integer().primaryKey(),
  /** As `appendUnorderedTerms` reads it. */
  terms: blob({ mode: "buffer" }).notNull(),
});

/** Datasets that are being embedded anew by another model: how far their next generation has come. */
export const reembeddings = sqliteTable("reembeddings", {
  datasetId: integer().primaryKey(),
  generation: integer().notNull(),
  modelId: text().notNull(),
  /** Every chunk of the dataset up to this one has its vector and terms. */
  throughChunkId: integer().notNull().default(0),
});

/** Generations that were replaced or given up, whose vectors and terms are still to be removed, from the first chunk on. */
export const discardedGenerations = sqliteTable(
  "discardedGenerations",
  {
    datasetId: integer().notNull(),
    generation: integer().notNull(),
    throughChunkId: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.datasetId, table.generation] })],
);

/** What filters can match of a chunk's place. By chunk, so that it goes with it; by attribute, so that it is found. WITHOUT ROWID is added as for `fileAttributes`. */
export const chunkAttributes = sqliteTable(
  "chunkAttributes",
  {
    chunkId: integer().notNull(),
    /** As `placeAttribute` makes it. */
    attribute: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chunkId, table.attribute] }),
    index("chunkAttributes_attribute").on(table.attribute, table.chunkId),
  ],
);

/** The top-level scalar fields of extraMeta, but those named like a place that one of the file's chunks has, and what the document says of itself, for filters. WITHOUT ROWID is added to the migration by hand: the generator does not know it. */
export const fileAttributes = sqliteTable(
  "fileAttributes",
  {
    datasetId: integer().notNull(),
    /** As `attributeText` writes it, like `value`. */
    key: text().notNull(),
    value: text().notNull(),
    fileRow: integer().notNull(),
    firstChunkId: integer().notNull(),
    lastChunkId: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.datasetId, table.key, table.value, table.fileRow] })],
);
