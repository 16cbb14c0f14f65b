/** /v1/datasets and what is below it. */
import { fieldDefaults, fieldLimits } from "../../../foundation/field-limits.ts";
import { examples } from "../examples.ts";
import { answer, operation, pathParameter, queryParameter, type OpenApiPaths } from "../operation.ts";
import { pageParameters } from "../page-parameters.ts";
import { refer } from "../schemas.ts";

export const datasetPaths: OpenApiPaths = {
  "/v1/datasets": {
    get: operation({
      operationId: "listDatasets",
      tag: "Datasets",
      summary: "List the datasets that hold files, ordered by id",
      description: "With a frontend token: its own.",
      credential: "any",
      parameters: pageParameters(`Datasets on a page; ${fieldDefaults.limit} without it.`),
      answers: { 200: answer("The datasets.", refer("DatasetList"), examples.datasets) },
      failures: ["INVALID_REQUEST"],
    }),
  },
  "/v1/datasets/{datasetId}/files": {
    delete: operation({
      operationId: "deleteDatasetFiles",
      tag: "Datasets",
      summary: "Delete all files of a dataset, or the one of an externalId",
      credential: "any",
      parameters: [
        pathParameter("datasetId", examples.datasetId),
        queryParameter("externalId", "Only the file that its owner calls so. 404 where there is none.", {
          type: "string",
          ...fieldLimits.externalId,
        }),
      ],
      answers: { 200: answer("What was deleted.", refer("FileEnvelope"), examples.deleted) },
      failures: [
        "INVALID_REQUEST",
        "SCOPE_INSUFFICIENT",
        "DATASET_MISMATCH",
        "DATASET_NOT_FOUND",
        "FILE_NOT_FOUND",
        "RESTARTING",
        "INSUFFICIENT_STORAGE",
      ],
    }),
  },
};
