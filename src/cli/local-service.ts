/** Works on the data directory inside this process, while no server holds it. */
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Caller } from "../access/index.ts";
import type { Appliance } from "../appliance/index.ts";
import type { Config } from "../options/config.ts";
import { fail, LecternError } from "../foundation/errors.ts";
import type { OwnersNames, StagedFile } from "../files/index.ts";
import { readChunking } from "../operations/chunking.ts";
import { checkNewDatasetId } from "../operations/dataset-choice.ts";
import { readExpectedLanguages } from "../operations/expected-languages.ts";
import { readExtraMeta } from "../operations/extra-meta.ts";
import { query, refundQuery } from "../operations/query.ts";
import type { RetrievalRequest } from "../operations/retrieval.ts";
import { readRetrievalRequest } from "../operations/retrieval-request.ts";
import { search } from "../operations/search.ts";
import { upload, type UploadRequest as StoredUpload } from "../operations/upload.ts";
import type { StoredFile } from "../store/index.ts";
import type { DocumentService, LocalFile, SearchRequest, StreamedAnswer, UploadRequest } from "./document-service.ts";
import { localDocuments } from "./local-documents.ts";
import { noteChange } from "./operator-audit.ts";
import { openForCommand } from "./open-appliance.ts";
import { pause } from "./pause.ts";
import { chooseCustomer } from "./with-access.ts";

/** Opens the appliance. Throws OPERATION_FAILED when another process holds the data directory. */
export async function openLocalService(config: Config, namedCustomer: string | undefined): Promise<DocumentService> {
  const appliance = await openForCommand(config);
  try {
    return localService(appliance, config, chooseCustomer(appliance.access, namedCustomer));
  } catch (error) {
    await appliance.close();
    throw error;
  }
}

/** A customer's documents in an appliance, which closes with the service. */
export function localService(appliance: Appliance, config: Config, customerId: string): DocumentService {
  const caller: Caller = { customerId, datasetId: null, operator: true, expires: null, keyId: null, scope: "all" };
  return {
    place: config.dataDirectory,
    upload: (request, signal) => uploadLocally(appliance, config, caller, request, signal),
    search: (asked) => search(appliance, requestFor(caller, config, asked)),
    query: (asked) => queryLocally(appliance, requestFor(caller, config, asked)),
    ...localDocuments(appliance, caller, (action, details) =>
      noteChange(config, action, { customer: customerId, ...details }),
    ),
    close: () => appliance.close(),
  };
}

function requestFor(caller: Caller, config: Config, asked: SearchRequest): RetrievalRequest {
  const { maxQuestionCharacters, searchResults } = config;
  return readRetrievalRequest(
    caller,
    { ...asked },
    {
      maxQuestionCharacters,
      searchResults,
      mismatch: "SEARCH_DATASET_MISMATCH",
    },
  );
}

async function queryLocally(appliance: Appliance, request: RetrievalRequest): Promise<StreamedAnswer> {
  const { sources, answer } = await query(appliance, request, new AbortController().signal);
  async function* words(): AsyncGenerator<string> {
    try {
      yield* answer.text;
    } catch (error) {
      refundQuery(appliance, request.customerId);
      throw error;
    }
  }
  return { sources, words: words(), end: () => ({ model: answer.model, usage: answer.usage() }) };
}

async function uploadLocally(
  appliance: Appliance,
  config: Config,
  caller: Caller,
  request: UploadRequest,
  signal: AbortSignal,
): Promise<string[]> {
  checkNewDatasetId(request.datasetId);
  const chunking = readChunking(
    request.chunkSize,
    request.chunkOverlap,
    appliance.models.chosen.embedder.manifest.maxTokens,
  );
  const extraMeta = readExtraMeta(request.extraMeta ?? undefined);
  const sizes = await Promise.all(request.files.map(({ path }) => sizeWithin(config.maxFileBytes, path)));
  const { datasetId, language, ocrLanguages } = request;
  const expected = readExpectedLanguages({ language: language ?? undefined, ocrLanguages: ocrLanguages ?? undefined });
  const destination = { customerId: caller.customerId, datasetId, chunking, expected, extraMeta };
  const share = appliance.diskRoom.share(caller.customerId);
  try {
    const size = sizes.reduce((sum, one) => sum + one, 0);
    await whenThereIsRoom(() => share.take(size), signal);
    const stored = await whenThereIsRoom(() => uploadCopies(appliance, destination, request.files), signal);
    return stored.map(({ fileId }) => fileId);
  } finally {
    share.release();
  }
}

/** Bytes of a file. Throws PAYLOAD_TOO_LARGE. */
async function sizeWithin(limit: number, path: string): Promise<number> {
  const { size } = await stat(path);
  if (size > limit) throw fail("PAYLOAD_TOO_LARGE", { what: `The file "${basename(path)}"`, limit }, { limit });
  return size;
}

/** Uploads copies of the files, which are made anew each time it is tried: a failed upload may have used up those before. */
async function uploadCopies(
  appliance: Appliance,
  destination: Omit<StoredUpload, "files">,
  localFiles: readonly LocalFile[],
): Promise<StoredFile[]> {
  const { storage } = appliance;
  const staging = await storage.openStaging();
  try {
    const files: (StagedFile & OwnersNames)[] = [];
    for (const { path, externalId, relativePath } of localFiles)
      files.push({ ...(await storage.stage(staging, path)), externalId, relativePath });
    // The caller's signal ends waits alone: what has begun is finished.
    return await upload(appliance, { ...destination, files }, new AbortController().signal);
  } finally {
    await storage.discardStaging(staging);
  }
}

/**
 * Does the work again as long as what runs beside it leaves it no room, or files before it have brought about a pause. It ends:
 * nothing else works in this data directory. Throws what the work throws, and OPERATION_FAILED when the signal ends a wait.
 */
async function whenThereIsRoom<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LecternError) || !["BUSY", "UPLOADS_PAUSED"].includes(error.code)) throw error;
      await pause(error.retryAfter ?? 1, "room", signal);
    }
  }
}
