/**
 * Backups of a data directory, made beside a running server. This is the interface; everything else in the folder is how it is done.
 *
 * A backup is a folder, or the same packed into one file:
 *
 *   manifest                        what it is, every file of the data directory, and the SHA-256 of each of its parts (manifest.ts)
 *   parts/<2 digits>/<SHA-256>      contents; databases are cut into blocks, and some small files of a folder's share a part
 *
 * A folder that was made since an earlier one has that one's parts as links, so each is whole by itself and any may be deleted. A file that was
 * made since an earlier one holds only what that one lacks.
 */
export { createBackup, type BackupRequest, type BackupSummary } from "./create.ts";
export { listBackups, type ListedBackup } from "./list.ts";
export { sizeOf, type Manifest } from "./manifest.ts";
export { ARCHIVE_ENDING } from "./open.ts";
export { restoreBackup } from "./restore.ts";
export { verifyBackup, type VerifyOptions } from "./verify.ts";
