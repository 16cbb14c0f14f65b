/**
 * Who may do what, and how often: customers, API keys, tokens, rate windows and credits, in `access.db`. This folder is
 * the interface; everything else in the folder is how it is kept.
 *
 * Several processes may have it open at once: every call reads the database, so what one process changes the next
 * call of another sees. Whatever writes throws INSUFFICIENT_STORAGE when the disk is full and its reserve used up.
 * Credits are integers, in thousandths of a credit. Times are milliseconds since 1970 unless a name says otherwise.
 */

export { changeNotePath, changesIn, describeOlder, OLDER_MEND, readChangeNote } from "./changes.ts";
export { INVITATION_DAYS, PASSWORD_LIMITS } from "./console.ts";
export { creditsRecord } from "./credits-record.ts";
export { keyRecord } from "./key-record.ts";
export { keyState, type KeyState } from "./key-state.ts";
export { accessMigrations } from "./migrations.ts";
export { openAccess, accessDatabasePath } from "./open.ts";
export { rebuildAccess, type RebuiltAccess } from "./rebuild.ts";
export { checkScope, SCOPES, type Scope } from "./scopes.ts";
export { checkSecret, secretPath } from "./secret.ts";
export type * from "./types.ts";
