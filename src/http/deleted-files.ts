/** Notes single files that a request has deleted: by their ids, since nothing that is deleted may stay, its name included. */
import type { ShownFile } from "../operations/file-object.ts";
import type { Exchange } from "./exchange.ts";

export function auditDeleted(exchange: Exchange, files: readonly ShownFile[]): void {
  for (const { datasetName, fileId } of files) exchange.audit("file.delete", { dataset: datasetName, file: fileId });
}
