/** The migrations of `lectern.db`, carried inside the program. A new one is one more import and one more line. */
import journal from "../../drizzle/documents/meta/_journal.json" with { type: "json" };
import initial from "../../drizzle/documents/0000_initial.sql" with { type: "text" };
import chunkTerms from "../../drizzle/documents/0001_chunk_terms.sql" with { type: "text" };
import reembedding from "../../drizzle/documents/0002_reembedding.sql" with { type: "text" };
import fileHashes from "../../drizzle/documents/0003_file_hashes.sql" with { type: "text" };
import chunkTokens from "../../drizzle/documents/0004_chunk_tokens.sql" with { type: "text" };
import discardedDatasets from "../../drizzle/documents/0005_discarded_datasets.sql" with { type: "text" };
import chunkPlaces from "../../drizzle/documents/0006_chunk_places.sql" with { type: "text" };
import replacement from "../../drizzle/documents/0007_replacement.sql" with { type: "text" };
import uploadJobs from "../../drizzle/documents/0008_upload_jobs.sql" with { type: "text" };
import int8Vectors from "../../drizzle/documents/0009_int8_vectors.sql" with { type: "text" };
import subtitlesOfUploadJobs from "../../drizzle/documents/0010_subtitles_of_upload_jobs.sql" with { type: "text" };
import { orderMigrations } from "./migrate.ts";

export const documentMigrations = orderMigrations(journal, {
  "0000_initial": initial,
  "0001_chunk_terms": chunkTerms,
  "0002_reembedding": reembedding,
  "0003_file_hashes": fileHashes,
  "0004_chunk_tokens": chunkTokens,
  "0005_discarded_datasets": discardedDatasets,
  "0006_chunk_places": chunkPlaces,
  "0007_replacement": replacement,
  "0008_upload_jobs": uploadJobs,
  "0009_int8_vectors": int8Vectors,
  "0010_subtitles_of_upload_jobs": subtitlesOfUploadJobs,
});
