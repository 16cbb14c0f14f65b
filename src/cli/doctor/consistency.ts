/** Whether what the tables of a whole database say agrees: with each other, and with the other database. */
import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { FILTERED_PLACE_KEYS, type PassagePlace } from "../../foundation/place.ts";
import {
  attributesOf,
  attributeText,
  isPlaceKey,
  placeAttribute,
  placeAttributes,
  type FileDescription,
} from "../../store/attributes.ts";
import { openReading } from "../../store/database.ts";
import { CHUNKS } from "../../store/generations.ts";

/** Chunk numbers of the dataset's live generation, as `indexedChunk` makes them. */
const LIVE_RANGE = `firstChunkId + generation * ${CHUNKS} AND firstChunkId + files.chunkCount - 1 + generation * ${CHUNKS}`;
/** Looking at one takes some 20 microseconds. */
const PLACES_LOOKED_AT = 200_000;
const FILES = "FROM files JOIN datasets ON datasets.id = files.datasetId";

/** Each counts what is wrong; 0 is as it should be. */
const counts: readonly [query: string, sentence: (count: number) => string][] = [
  [
    "SELECT count(*) AS wrong FROM files WHERE datasetId NOT IN (SELECT id FROM datasets UNION ALL SELECT id FROM discardedDatasets)",
    (count) => `${count} files belong to no dataset.`,
  ],
  [
    `SELECT count(*) AS wrong FROM datasets WHERE (fileCount, chunkCount) IS NOT
       (SELECT count(*), coalesce(sum(files.chunkCount), 0) FROM files WHERE datasetId = datasets.id)`,
    (count) => `${count} datasets count other files or passages than they have.`,
  ],
  [
    `SELECT count(*) AS wrong ${FILES} WHERE files.chunkCount <>
       (SELECT count(*) FROM chunks WHERE chunks.id BETWEEN firstChunkId AND firstChunkId + files.chunkCount - 1 AND fileRow = files.id)`,
    (count) => `${count} files lack passages.`,
  ],
  [
    "SELECT count(*) - (SELECT coalesce(sum(chunkCount), 0) FROM files) AS wrong FROM chunks",
    (count) => `${count} more passages are stored than files have.`,
  ],
  [
    `SELECT count(*) AS wrong ${FILES} WHERE files.chunkCount <> (SELECT count(*) FROM vectors WHERE chunkId BETWEEN ${LIVE_RANGE})`,
    (count) => `${count} files lack vectors: searches miss their passages.`,
  ],
  [
    `SELECT count(*) AS wrong ${FILES} WHERE files.chunkCount <>
       (SELECT count(*) FROM chunkTokens WHERE chunkId BETWEEN ${LIVE_RANGE}) + (SELECT count(*) FROM chunkTerms WHERE chunkId BETWEEN ${LIVE_RANGE})`,
    (count) => `${count} files lack words: searches miss some of their passages.`,
  ],
  [
    "SELECT count(*) AS wrong FROM chunkTokens JOIN chunkTerms USING (chunkId)",
    (count) => `${count} passages have their words twice.`,
  ],
];

/** Sentences on what does not agree, for `lectern.db`. */
export function documentFaults(database: Database): string[] {
  const faults = counts.flatMap(([query, sentence]) => {
    const { wrong } = database.query<{ wrong: number }, []>(query).get()!;
    return wrong === 0 ? [] : [sentence(wrong)];
  });
  return [...faults, ...metadataFaults(database), ...placeFaults(database)];
}

/** And others for where chunks stand: of a large database, those of some chunks all over it are looked at. */
function placeFaults(database: Database): string[] {
  const { last } = database.query<{ last: number | null }, []>("SELECT max(id) AS last FROM chunks").get()!;
  const step = Math.ceil((last ?? 0) / PLACES_LOOKED_AT) || 1;
  const row = database.query<{ one: number }, [number, number]>(
    "SELECT 1 AS one FROM chunkAttributes WHERE chunkId = ? AND attribute = ?",
  );
  let missing = 0;
  for (const { id, datasetId, place } of database
    .query<{ id: number; datasetId: number; place: string }, [number]>(
      `SELECT chunks.id, files.datasetId, chunks.place ${FILES} JOIN chunks ON chunks.id BETWEEN firstChunkId AND firstChunkId + files.chunkCount - 1
       WHERE place IS NOT NULL AND chunks.id % ? = 0`,
    )
    .iterate(step))
    for (const said of placeAttributes(JSON.parse(place) as PassagePlace))
      if (!row.get(id, placeAttribute(datasetId, said))) missing++;
  const { orphans } = database
    .query<{ orphans: number }, []>(
      "SELECT count(*) AS orphans FROM chunkAttributes WHERE chunkId NOT IN (SELECT id FROM chunks)",
    )
    .get()!;
  return missing === 0 && orphans === 0
    ? []
    : [
        `filters look at other places than the passages have (${missing} missing, ${orphans} of passages that are gone).`,
      ];
}

/** Filters look up rows of their own, which must say what the files' metadata says. */
function metadataFaults(database: Database): string[] {
  const row = database.query<{ one: number }, [number, string, string, number]>(
    "SELECT 1 AS one FROM fileAttributes WHERE datasetId = ? AND key = ? AND value = ? AND fileRow = ?",
  );
  let [expected, missing] = [0, 0];
  for (const { id, datasetId, ...said } of database
    .query<FileDescription & { id: number; datasetId: number }, []>(
      "SELECT id, datasetId, extraMeta, properties, relativePath FROM files WHERE coalesce(extraMeta, properties, relativePath) IS NOT NULL",
    )
    .iterate()) {
    for (const { key, value } of attributesOf(said)) {
      // Where some of its chunks have a place of their own, a file's metadata is looked up by chunk.
      if (isPlaceKey(key)) continue;
      expected++;
      if (!row.get(datasetId, attributeText(key), attributeText(value), id)) missing++;
    }
  }
  const placeKeys = FILTERED_PLACE_KEYS.map((key) => attributeText(key));
  const { stored } = database
    .query<{ stored: number }, string[]>(
      `SELECT count(*) AS stored FROM fileAttributes WHERE key NOT IN (${placeKeys.map(() => "?").join()})`,
    )
    .get(...placeKeys)!;
  return missing === 0 && stored === expected
    ? []
    : [
        `filters look at other metadata than the files have (${missing} fields missing, ${stored - expected + missing} too many).`,
      ];
}

/** Sentences where documents belong to customers that `access.db` does not know, as after the loss of it: nobody can reach them. */
export function ownerFaults(accessPath: string, documentsPath: string): string[] {
  if (!existsSync(documentsPath)) return [];
  using documents = openReading(documentsPath);
  const isThere = documents.query("SELECT 1 FROM sqlite_schema WHERE name = 'datasets'").get() !== null;
  const owners = isThere
    ? documents.query<{ customerId: string }, []>("SELECT DISTINCT customerId FROM datasets WHERE fileCount > 0").all()
    : [];
  // Read after the documents: a customer is there before its first one, and until its last is gone.
  using access = openReading(accessPath);
  const known = access.query<{ one: number }, [string]>("SELECT 1 AS one FROM customers WHERE id = ?");
  const unknown = owners.filter(({ customerId }) => !known.get(customerId));
  if (unknown.length === 0) return [];
  return [
    `${unknown.length} customers have documents in ${documentsPath} and are not in ${accessPath}, such as "${unknown[0]!.customerId}".`,
  ];
}
