/** What the operating system or SQLite refused, in words for whoever runs the server. */

const reasons: Readonly<Record<string, string>> = {
  EACCES: "this user may not",
  EPERM: "this user may not",
  EROFS: "its file system is read-only",
  ENOSPC: "its file system is full",
  EDQUOT: "this user's share of the file system is used up",
  ENOENT: "it is not there",
  ENOTDIR: "it, or what should hold it, is not a folder",
  EEXIST: "it is not a folder",
  EISDIR: "it is a folder",
  EMFILE: "this process has too many files open",
  ENFILE: "this machine has too many files open",
  EIO: "the disk reports an error",
};

/** One sentence, or null for an error that is neither: that is a mistake of ours. */
export function systemSentence(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, path } = error as NodeJS.ErrnoException;
  if (error.name === "SQLiteError")
    return `A database of the data directory cannot be used: ${error.message}. \`lectern doctor\` says what is wrong.`;
  if (typeof code !== "string" || typeof path !== "string" || !Object.hasOwn(reasons, code)) return null;
  return `${path} cannot be used: ${reasons[code]}.`;
}
