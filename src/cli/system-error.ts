/** What the operating system or SQLite refused, in words for whoever runs the server. */
import { whoMayNot } from "../data-directory/owner.ts";

const reasons: Readonly<Record<string, string>> = {
  EROFS: "its file system is read-only",
  ENOSPC: "its file system is full",
  EDQUOT: "this user's share of the file system is used up",
  ENOENT: "it is not there",
  ENOTDIR: "it, or what should hold it, is not a folder",
  EEXIST: "it is not a folder",
  EISDIR: "it is a folder",
  EMFILE: "this process has too many files open",
  ENFILE: "this machine has too many files open",
  ENAMETOOLONG: "its name is too long",
  EIO: "the disk reports an error",
};

/** One sentence, or null for an error that is neither: that is a mistake of ours. */
export function systemSentence(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error.name === "SQLiteError")
    return `A database of the data directory cannot be used: ${error.message}. \`lectern doctor\` says what is wrong.`;
  const reason = systemReason(error);
  return reason === null ? null : `${(error as NodeJS.ErrnoException).path} cannot be used: ${reason}.`;
}

/** Why a file or folder could not be used, as part of a sentence that names it; null for any other error. */
export function systemReason(error: unknown): string | null {
  const { code, path } = error as NodeJS.ErrnoException;
  if (typeof code !== "string" || typeof path !== "string") return null;
  if (code === "EACCES" || code === "EPERM") return whoMayNot(path);
  return Object.hasOwn(reasons, code) ? reasons[code]! : null;
}
