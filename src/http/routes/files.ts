/** GET /v1/files, GET and DELETE /v1/files/:fileId, DELETE /v1/files */
import { Elysia } from "elysia";
import { fail } from "../../foundation/errors.ts";
import { chooseDataset } from "../../operations/dataset-choice.ts";
import type { ShownFile } from "../../operations/file-object.ts";
import { downloadLink } from "../../operations/links.ts";
import { findAnyFile, listFiles } from "../../operations/list.ts";
import { removeFile, removeFilesOfCustomer, removeFilesOfDataset } from "../../operations/remove.ts";
import { auditDeleted } from "../deleted-files.ts";
import { endpoint, unparsed } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import { answerFiles, answerPages, countFiles } from "../file-envelope.ts";
import { publicOrigin } from "../public-origin.ts";
import { queryOf } from "../request-address.ts";
import type { Service } from "../service.ts";

export function fileRoutes(service: Service) {
  const { engines } = service;

  const list = endpoint(
    service,
    { route: "GET /v1/files", credential: "any", body: "none", bucket: "free" },
    (exchange, caller) => {
      const query = queryOf(exchange.request);
      const datasetId = chooseDataset(caller, query.get("datasetId"), {
        missing: "DATASET_ID_REQUIRED",
        mismatch: "DATASET_MISMATCH",
      });
      exchange.checkNames(query.keys(), ["datasetId", "limit", "cursor", "name", "externalId"]);
      const listing = listFiles(engines, caller.customerId, datasetId, {
        limit: query.get("limit"),
        cursor: query.get("cursor"),
        name: query.get("name"),
        externalId: query.get("externalId"),
      });
      return answerPages(exchange, (count) => `Found ${countFiles(count)}.`, listing);
    },
  );

  const details = endpoint(
    service,
    { route: "GET /v1/files/:fileId", credential: "any", body: "none", bucket: "free" },
    (exchange, caller) => {
      const file = findAnyFile(engines, caller, fileIdOf(exchange));
      exchange.mayCompress = false;
      const permanentUrl = publicOrigin(exchange) + downloadLink(engines.access, file);
      // Nothing is kept of the bytes of a file that could not be read.
      const shown = file.status === "failed" ? file : { ...file, permanentUrl };
      return answerFiles(exchange, "Found 1 file.", [shown]);
    },
  );

  const removeOne = endpoint(
    service,
    { route: "DELETE /v1/files/:fileId", credential: "any", needs: "write", body: "none", bucket: "free" },
    async (exchange, caller) => {
      const removed = await removeFile(engines, caller, fileIdOf(exchange));
      auditDeleted(exchange, removed);
      return answerFiles(exchange, "Deleted 1 file.", removed);
    },
  );

  const removeAll = endpoint(
    service,
    { route: "DELETE /v1/files", credential: "any", needs: "write", body: "none", bucket: "free" },
    async (exchange, caller) => {
      service.allowIdle(exchange.request, 0);
      const query = queryOf(exchange.request);
      exchange.checkNames(query.keys(), ["datasetId"]);
      const given = query.get("datasetId");
      let removed: ShownFile[];
      if (caller.datasetId !== null) {
        const datasetId = chooseDataset(caller, given, {
          missing: "DATASET_ID_REQUIRED",
          mismatch: "DATASET_MISMATCH",
        });
        removed =
          engines.store.dataset(caller.customerId, datasetId) === null
            ? []
            : await removeFilesOfDataset(engines, caller.customerId, datasetId);
        exchange.audit("dataset.delete", { dataset: datasetId, files: removed.length });
      } else {
        // Whoever names a dataset here means that one, not everything.
        if (given)
          throw fail("INVALID_REQUEST", {
            reason: "this would delete every file; DELETE /v1/datasets/:datasetId/files deletes those of one dataset.",
          });
        removed = await removeFilesOfCustomer(engines, caller.customerId);
        exchange.audit("files.delete", { files: removed.length });
      }
      return answerFiles(exchange, `Deleted ${countFiles(removed.length)}.`, removed);
    },
  );

  return new Elysia()
    .get("/v1/files", list, unparsed)
    .get("/v1/files/:fileId", details, unparsed)
    .delete("/v1/files/:fileId", removeOne, unparsed)
    .delete("/v1/files", removeAll, unparsed);
}

/** A path segment that cannot be decoded names no file. */
function fileIdOf(exchange: Exchange): string {
  const { fileId } = exchange.params;
  if (!fileId) throw fail("FILE_NOT_FOUND");
  return fileId;
}
