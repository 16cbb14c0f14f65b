/** What lies among the stored files and no database knows of. */
import { readDeletions, surveyFiles } from "../files/index.ts";
import type { KnownFile } from "./known-files.ts";

/**
 * Stored files that the database has lost, which a later `doctor --adopt` finds, with their records: paths relative to the data directory.
 * Nothing that was deleted.
 */
export async function unknownFiles(dataDirectory: string, known: readonly KnownFile[]): Promise<string[]> {
  const ids = new Set(known.map(({ fileId }) => fileId));
  const [{ stored, recorded }, deleted] = await Promise.all([surveyFiles(dataDirectory), readDeletions(dataDirectory)]);
  const paths: string[] = [];
  for (const fileId of stored) {
    if (ids.has(fileId) || deleted.has(fileId)) continue;
    const path = `files/${fileId.slice(-2)}/${fileId}`;
    paths.push(path, ...(recorded.has(fileId) ? [`${path}.json`] : []));
  }
  return paths;
}
