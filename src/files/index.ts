/**
 * The uploaded bytes on disk. A name from a client never becomes a path. types.ts is the interface; everything else in the
 * folder is how it is kept:
 *
 *   staging/…                    what is being received; garbage after a restart
 *   files/<2 hex>/<id>.new       put into place for an upload that the store has not committed yet
 *   files/<2 hex>/<id>           an uploaded file, as it came
 *   files/<2 hex>/<id>.json      its record: enough to index it again without the database (record.ts)
 *   files/deletions              ids of files that were deleted, so that an older database cannot bring them back (deletions.ts)
 *   lost+found/<id>, <id>.json   what lay in files/ and no database knew of
 */

export { readDeletions } from "./deletions.ts";
export { findDiscrepancies, type Discrepancies, type FilesSaid } from "./discrepancies.ts";
export { hashFileAt } from "./hash.ts";
export { checkIntact, isDamaged } from "./intact.ts";
export { readStoredRecord, stateOfBytes, type BytesState } from "./state.ts";
export { FILE_ID } from "./record.ts";
export type { OwnersNames, UploadRecord } from "./record.ts";
export { newFileId, openFileStorage } from "./storage.ts";
export { surveyFiles, surveySetAside } from "./survey.ts";
export type * from "./types.ts";
