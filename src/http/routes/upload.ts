/** POST /v1/files/upload */
import { Elysia } from "elysia";
import type { Caller } from "../../access/index.ts";
import { fail } from "../../foundation/errors.ts";
import { acceptUpload } from "../../operations/accept-upload.ts";
import { readChunking } from "../../operations/chunking.ts";
import { checkNewDatasetId, chooseDataset } from "../../operations/dataset-choice.ts";
import { readExpectedLanguages } from "../../operations/expected-languages.ts";
import { readExtraMeta } from "../../operations/extra-meta.ts";
import type { ShownFile } from "../../operations/file-object.ts";
import { readOwnersNames } from "../../operations/owners-names.ts";
import { checkAffordable, upload, type UploadedFile, type UploadRequest } from "../../operations/upload.ts";
import { followConnection } from "../connection.ts";
import { watchExpiry } from "../credentials.ts";
import { endpoint, unparsed } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import { UPLOAD_FIELDS } from "../field-names.ts";
import { answerFiles, countFiles } from "../file-envelope.ts";
import { receiveForm, type ReceivedForm } from "../multipart.ts";
import { queryOf } from "../request-address.ts";
import type { Service } from "../service.ts";

/** Room for the form's fields and part headers beside its files. */
const FORM_BYTES = 1024 * 1024;
/** The status of an upload whose files are read later. */
const ACCEPTED = 202;
/** Seconds that the connection of an answered upload may lie idle, and that the rest of a refused one is let come. */
const LINGERING_SECONDS = 60;

/**
 * The order of its checks, where only the end of the body tells how many files there are: the declared size, who, whether the
 * window has anything left at all (429 before a byte is read), room (503, 507), then while files come each one's size (413), whether
 * the balance pays so many (402), whether there is still room for them, and whether a token is still valid; who once more; how often (the n files against the window), what, pay, work.
 */
export function uploadRoutes(service: Service) {
  const { maxFileBytes, maxFilesPerUpload, stagingBytesPerCustomer } = service.options;
  const maxBodyBytes = Math.min(maxFileBytes * maxFilesPerUpload, stagingBytesPerCustomer) + FORM_BYTES;
  return new Elysia().post(
    "/v1/files/upload",
    endpoint(
      service,
      { route: "POST /v1/files/upload", credential: "any", needs: "write", body: "stream", maxBodyBytes, timed: true },
      async (exchange, caller) => {
        exchange.checkWindow(caller, "upload");
        return service.admitUpload(caller.customerId, () => receiveAndStore(exchange, caller));
      },
    ),
    unparsed,
  );
}

async function receiveAndStore(exchange: Exchange, caller: Caller): Promise<Response> {
  const { service, request } = exchange;
  const { engines } = service;
  const { storage, diskRoom } = engines;
  const {
    maxFileBytes,
    maxFilesPerUpload: maxFiles,
    uploadIdleSeconds: idleSeconds,
    uploadLeastRate: leastRate,
  } = service.options;
  const query = queryOf(request);
  exchange.checkNames(query.keys(), ["async"]);
  const isAsync = readFlag("async", query.get("async"));
  if (isAsync === true) engines.uploadJobs.checkRoom(caller.customerId, 1);
  const share = diskRoom.share(caller.customerId);
  await share.check(Math.max(0, Number(request.headers.get("content-length") ?? 0) - FORM_BYTES));
  const staging = await storage.openStaging();
  try {
    // The server's own time limit ends connections on which bytes still arrive; the receiving has one that does not.
    service.allowIdle(request, 0);
    using expiry = watchExpiry(caller);
    const form = await receiveForm(
      request,
      staging,
      { maxFileBytes, maxFiles, idleSeconds, leastRate },
      {
        admitFile: (count) => checkAffordable(engines, caller.customerId, count),
        admitBytes: share.take,
        signal: expiry.signal,
      },
    );
    // Hours may have passed: the key may be revoked by now, or the customer removed.
    await exchange.identify("any");
    exchange.take(caller, "upload", form.fileCount);
    if (form.problem !== null) throw form.problem;
    const received = readUpload(exchange, caller, form);
    if (isAsync ?? readFlag("async", form.fields.get("async"))) {
      const files = await acceptUpload(engines, received);
      return answerFiles(exchange, acceptedMessage(files), files, ACCEPTED);
    }
    const stored = await upload(engines, received, followConnection(service, request).signal);
    return await answerFiles(exchange, uploadMessage(stored), stored);
  } finally {
    service.allowIdle(request, LINGERING_SECONDS);
    // Not waited for: between an upload's last step and its answer nothing may take time. What is left a start sweeps.
    storage
      .discardStaging(staging)
      .then(share.release)
      .catch((error: unknown) => service.log.error("A staging folder could not be removed", { cause: error }));
  }
}

/** null: it is left out. Throws INVALID_REQUEST. */
function readFlag(name: string, text: string | null | undefined): boolean | null {
  if (!text) return null;
  if (text !== "true" && text !== "false")
    throw fail("INVALID_REQUEST", {
      reason: `${name} must be true or false, not ${JSON.stringify(text.slice(0, 50))}.`,
    });
  return text === "true";
}

function acceptedMessage(files: readonly ShownFile[]): string {
  const unchanged = files.filter((file) => file.unchanged === true).length;
  const accepted = `Accepted ${countFiles(files.length - unchanged)}, to be read in the background`;
  return unchanged === 0 ? `${accepted}.` : `${accepted}; ${countFiles(unchanged)} unchanged.`;
}

function uploadMessage(files: readonly UploadedFile[]): string {
  const unchanged = files.filter((file) => file.unchanged === true).length;
  const indexed = `Uploaded and indexed ${countFiles(files.length - unchanged)}`;
  return unchanged === 0 ? `${indexed}.` : `${indexed}; ${countFiles(unchanged)} unchanged.`;
}

/** Throws INVALID_REQUEST, DATASET_ID_REQUIRED, DATASET_ID_LENGTH, DATASET_MISMATCH, NO_FILE, INVALID_CHUNKING, INVALID_METADATA. */
function readUpload(exchange: Exchange, caller: Caller, { files, fields }: ReceivedForm): UploadRequest {
  const { engines } = exchange.service;
  const datasetId = chooseDataset(caller, fields.get("datasetId"), {
    missing: "DATASET_ID_REQUIRED",
    mismatch: "DATASET_MISMATCH",
  });
  checkNewDatasetId(datasetId);
  exchange.checkNames(fields.keys(), UPLOAD_FIELDS);
  if (files.length === 0) throw fail("NO_FILE");
  const names = readOwnersNames(
    {
      externalId: fields.get("externalId"),
      externalIds: fields.get("externalIds"),
      path: fields.get("path"),
      paths: fields.get("paths"),
    },
    files.map(({ originalName }) => originalName),
  );
  return {
    customerId: caller.customerId,
    datasetId,
    chunking: readChunking(
      fields.get("chunkSize"),
      fields.get("chunkOverlap"),
      engines.models.chosen.embedder.manifest.maxTokens,
    ),
    expected: readExpectedLanguages({ language: fields.get("language"), ocrLanguages: fields.get("ocrLanguages") }),
    extraMeta: readExtraMeta(fields.get("extraMeta")),
    files: files.map((file, at) => ({ ...file, ...names[at]! })),
  };
}
