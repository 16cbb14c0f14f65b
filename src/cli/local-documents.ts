/** The stored documents of a data directory that this process holds. */
import type { Caller } from "../access/index.ts";
import type { Appliance } from "../appliance/index.ts";
import type { AuditAction } from "../data-directory/audit-log.ts";
import { checkIntact } from "../files/index.ts";
import { fail } from "../foundation/errors.ts";
import { everyDataset } from "../operations/datasets.ts";
import { fileJson, type ShownFile } from "../operations/file-object.ts";
import { findAnyFile, findBytes, listFiles } from "../operations/list.ts";
import { readPassages } from "../operations/passages.ts";
import { removeFile, removeFilesOfDataset } from "../operations/remove.ts";
import { findSubtitles, readSubtitleFormat } from "../operations/subtitles.ts";
import type { FileRecord, StoredDocuments } from "./stored-documents.ts";

/** `note` is told of what has been removed. */
export function localDocuments(
  appliance: Appliance,
  caller: Caller,
  note: (action: AuditAction, details: Readonly<Record<string, unknown>>) => void,
): StoredDocuments {
  return {
    datasets: () => everyDataset(appliance, caller),
    async *files(datasetId, name) {
      const { pages } = listFiles(appliance, caller.customerId, datasetId, {
        limit: null,
        cursor: null,
        name,
        externalId: null,
      });
      for (const page of pages) yield* page.map(recordOf);
    },
    file: async (fileId) => recordOf(findAnyFile(appliance, caller, fileId)),
    async content(fileId) {
      const { status } = findAnyFile(appliance, caller, fileId);
      const file = findBytes(appliance, fileId);
      if (file === null || status === "failed") throw fail("FILE_NOT_FOUND");
      const path = appliance.storage.resolve(file.storagePath);
      await checkIntact(path, file);
      return Bun.file(path).stream();
    },
    async subtitles(fileId, format) {
      const { parts } = findSubtitles(appliance, caller, fileId, readSubtitleFormat(format));
      return new Response(parts).body!;
    },
    passages: async (fileId, range) => readPassages(appliance, caller, fileId, range),
    async removeFile(fileId) {
      for (const file of await removeFile(appliance, caller, fileId))
        note("file.delete", { dataset: file.datasetName, file: file.fileId });
    },
    async removeDataset(datasetId) {
      const { length } = await removeFilesOfDataset(appliance, caller.customerId, datasetId);
      note("dataset.delete", { dataset: datasetId, files: length });
      return length;
    },
  };
}

const recordOf = (file: ShownFile): FileRecord => JSON.parse(fileJson(file)) as FileRecord;
