/** GET /v1/datasets, DELETE /v1/datasets/:datasetId/files */
import { Elysia } from "elysia";
import { fail } from "../../foundation/errors.ts";
import { chooseDataset } from "../../operations/dataset-choice.ts";
import { listDatasets } from "../../operations/datasets.ts";
import { readExternalId } from "../../operations/owners-names.ts";
import { removeFileByExternalId, removeFilesOfDataset } from "../../operations/remove.ts";
import { auditDeleted } from "../deleted-files.ts";
import { endpoint, unparsed } from "../endpoint.ts";
import { answerFiles, countFiles } from "../file-envelope.ts";
import { queryOf } from "../request-address.ts";
import type { Service } from "../service.ts";

export function datasetRoutes(service: Service) {
  const { engines } = service;

  const list = endpoint(
    service,
    { route: "GET /v1/datasets", credential: "any", body: "none", bucket: "free" },
    async (exchange, caller) => {
      const query = queryOf(exchange.request);
      exchange.checkNames(query.keys(), ["limit", "cursor"]);
      const { datasets, nextCursor } = await listDatasets(engines, caller, {
        limit: query.get("limit"),
        cursor: query.get("cursor"),
      });
      return exchange.json({ success: true, data: datasets, nextCursor });
    },
  );

  const removeFiles = endpoint(
    service,
    { route: "DELETE /v1/datasets/:datasetId/files", credential: "any", needs: "write", body: "none", bucket: "free" },
    async (exchange, caller) => {
      service.allowIdle(exchange.request, 0);
      // A path segment that cannot be decoded names no dataset.
      if (!exchange.params.datasetId) throw fail(caller.datasetId === null ? "DATASET_NOT_FOUND" : "DATASET_MISMATCH");
      const datasetId = chooseDataset(caller, exchange.params.datasetId, {
        missing: "DATASET_NOT_FOUND",
        mismatch: "DATASET_MISMATCH",
      });
      const query = queryOf(exchange.request);
      exchange.checkNames(query.keys(), ["externalId"]);
      const externalId = query.get("externalId");
      const removed =
        externalId === null
          ? await removeFilesOfDataset(engines, caller.customerId, datasetId)
          : await removeFileByExternalId(engines, caller.customerId, datasetId, readExternalId(externalId));
      if (externalId === null) exchange.audit("dataset.delete", { dataset: datasetId, files: removed.length });
      else auditDeleted(exchange, removed);
      return answerFiles(exchange, `Deleted ${countFiles(removed.length)}.`, removed);
    },
  );

  return new Elysia()
    .get("/v1/datasets", list, unparsed)
    .delete("/v1/datasets/:datasetId/files", removeFiles, unparsed);
}
