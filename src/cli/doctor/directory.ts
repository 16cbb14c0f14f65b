/** The data directory as the file system shows it: owner, modes, room. */
import { access, constants, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { bad, good, warning, type Finding } from "./finding.ts";

const SUBJECT = "data directory";
const FEW_BYTES = 1024 ** 3;
/** What must be readable by nobody else, where it exists. */
const PRIVATE = ["", "secret", "access.db", "lectern.db", "files", "models", "indexes", "staging", "reserve"];

/** Whether this user can write it, and nobody else can read it. */
export async function checkDirectory(directory: string): Promise<Finding[]> {
  const { uid } = await stat(directory);
  try {
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [bad(SUBJECT, `${directory} cannot be written by this user (${process.getuid?.()}); it belongs to user ${uid}.`, `Run as its owner, or: chown -R ${process.getuid?.()} ${directory}`)];
  }
  const open: string[] = [];
  for (const name of PRIVATE) {
    const information = await stat(join(directory, name)).catch(() => null);
    if (information && (information.mode & 0o077) !== 0) open.push(join(directory, name));
  }
  if (open.length > 0) return [bad(SUBJECT, `other users of this machine may look into ${open.join(", ")}.`, `chmod -R go-rwx ${directory}`)];
  return [good(SUBJECT, `${directory} is writable and private.`)];
}

/** Whether the file system has room to go on, beyond the `reserve` bytes that uploads leave. */
export async function checkFreeSpace(directory: string, reserve: number): Promise<Finding> {
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  const sentence = `${(free / 1024 ** 3).toFixed(1)} GiB are free.`;
  if (free < reserve) return bad("disk", sentence, "Uploads are refused. Delete files, free some space, or move the data directory to a larger disk.");
  if (free < reserve + FEW_BYTES) return warning("disk", sentence, "Free some space before many documents are added.");
  return good("disk", sentence);
}
