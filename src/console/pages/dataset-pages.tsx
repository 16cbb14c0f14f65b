/** A customer's datasets, and the files of one. */
import type { Workspace } from "../service/workspace.ts";
import { DatasetsPage } from "./datasets.tsx";
import { FilesPage } from "./files.tsx";
import { NowherePage } from "./nowhere.tsx";

export function DatasetPages({ workspace, path }: { workspace: Workspace; path: readonly string[] }) {
  const [datasetId, ...rest] = path;
  if (rest.length > 0) return <NowherePage />;
  return datasetId === undefined ? (
    <DatasetsPage workspace={workspace} />
  ) : (
    <FilesPage key={datasetId} workspace={workspace} datasetId={datasetId} />
  );
}
