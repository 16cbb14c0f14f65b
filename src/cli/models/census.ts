/** What a data directory holds, and which models made its vectors, read beside a running server. */
import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { documentsDatabasePath, openReading } from "../../store/database.ts";

export interface DatasetsOfModel {
  modelId: string;
  datasets: number;
}

/** A dataset whose vectors another model than the chosen one made. */
export interface DatasetToReembed {
  customerId: string;
  datasetId: string;
  /** The model that made its present vectors. */
  modelId: string;
  chunks: number;
  /** How many of them the chosen model has embedded. */
  done: number;
}

export interface CustomerDocuments {
  datasets: number;
  files: number;
  chunks: number;
}

/** What the chosen model is still to embed anew. */
export function datasetsToReembed(dataDirectory: string, modelId: string): DatasetToReembed[] {
  return readDocuments(dataDirectory, "reembeddings", (database) =>
    database
      .query<DatasetToReembed, [string]>(
        `SELECT customerId, name AS datasetId, datasets.modelId, chunkCount AS chunks,
           coalesce((SELECT sum(min(firstChunkId + files.chunkCount - 1, throughChunkId) - firstChunkId + 1)
             FROM files WHERE files.datasetId = datasets.id AND firstChunkId <= throughChunkId), 0) AS done
         FROM datasets LEFT JOIN reembeddings ON reembeddings.datasetId = datasets.id AND reembeddings.modelId = ?1
         WHERE fileCount > 0 AND datasets.modelId <> ?1 ORDER BY chunkCount, datasets.id`,
      )
      .all(modelId),
  );
}

/** Models that made vectors which are still stored, with how many datasets each. Datasets without files count for none. */
export function datasetsByModel(dataDirectory: string): DatasetsOfModel[] {
  return readDocuments(dataDirectory, "datasets", (database) =>
    database
      .query<DatasetsOfModel, []>(
        "SELECT modelId, count(*) AS datasets FROM datasets WHERE fileCount > 0 GROUP BY modelId ORDER BY modelId",
      )
      .all(),
  );
}

/** How many datasets, files and chunks a customer has. */
export function documentsOfCustomer(dataDirectory: string, customerId: string): CustomerDocuments {
  const [counts] = readDocuments(dataDirectory, "datasets", (database) =>
    database
      .query<CustomerDocuments, [string]>(
        "SELECT count(*) AS datasets, coalesce(sum(fileCount), 0) AS files, coalesce(sum(chunkCount), 0) AS chunks FROM datasets WHERE customerId = ? AND fileCount > 0",
      )
      .all(customerId.toWellFormed()),
  );
  return counts ?? { datasets: 0, files: 0, chunks: 0 };
}

/** Nothing where the database, or the table in it, is not there yet. */
function readDocuments<Row>(dataDirectory: string, table: string, read: (database: Database) => Row[]): Row[] {
  const path = documentsDatabasePath(dataDirectory);
  if (!existsSync(path)) return [];
  const database = openReading(path);
  try {
    const isThere = database.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table) !== null;
    return isThere ? read(database) : [];
  } finally {
    database.close();
  }
}
