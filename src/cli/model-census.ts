/** Which models made the vectors of a data directory, read beside a running server. */
import { existsSync } from "node:fs";
import { documentsDatabasePath, openReading } from "../store/database.ts";

export interface DatasetsOfModel {
  modelId: string;
  datasets: number;
}

/** Models that made vectors which are still stored, with how many datasets each. Datasets without files count for none. */
export function datasetsByModel(dataDirectory: string): DatasetsOfModel[] {
  const path = documentsDatabasePath(dataDirectory);
  if (!existsSync(path)) return [];
  const database = openReading(path);
  try {
    const tables = database.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'datasets'").all();
    if (tables.length === 0) return [];
    return database
      .query<DatasetsOfModel, []>("SELECT modelId, count(*) AS datasets FROM datasets WHERE fileCount > 0 GROUP BY modelId ORDER BY modelId")
      .all();
  } finally {
    database.close();
  }
}
