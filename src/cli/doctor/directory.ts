/** The data directory as the file system shows it: owner, modes, room. */
import { access, constants, lstat, readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { asOwner, otherOwner, thisUser, userName } from "../../data-directory/owner.ts";
import { bad, good, warning, type Finding } from "./finding.ts";

const SUBJECT = "data directory";
const FEW_BYTES = 1024 ** 3;
/** What must be readable by nobody else, where it exists. */
const PRIVATE = [
  "",
  "secret",
  "access.db",
  "access.changes",
  "lectern.db",
  "files",
  "models",
  "indexes",
  "staging",
  "reserve",
];

/** Whether its owner can write it, all in it is its owner's, and nobody else can read it. */
export async function checkDirectory(directory: string): Promise<Finding[]> {
  const { uid } = await stat(directory);
  try {
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [
      bad(
        SUBJECT,
        `${directory} cannot be written by ${thisUser()}; it belongs to ${userName(uid)}.`,
        `Run as its owner: ${asOwner(userName(uid))}`,
      ),
    ];
  }
  const foreign = await foreignEntries(directory, uid);
  if (foreign.length > 0) {
    return [
      bad(
        SUBJECT,
        `${directory} belongs to ${userName(uid)}, and in it ${foreign.join(", ")} to others: the server cannot use that.`,
        `chown -R ${uid} ${directory}`,
      ),
    ];
  }
  const open = await openToOthers(directory);
  if (open.length > 0)
    return [
      bad(SUBJECT, `other users of this machine may look into ${open.join(", ")}.`, `chmod -R go-rwx ${directory}`),
    ];
  return [good(SUBJECT, `${directory} is writable and private.`)];
}

/** What must be private and is not. */
export async function openToOthers(directory: string): Promise<string[]> {
  const open: string[] = [];
  for (const name of PRIVATE) {
    const information = await stat(join(directory, name)).catch(() => null);
    if (information && (information.mode & 0o077) !== 0) open.push(join(directory, name));
  }
  return open;
}

/** Says what was not looked at, where the directory belongs to another user than the one who looks; nothing where it does not. */
export function checkUser(directory: string): Finding[] {
  const owner = otherOwner(directory);
  if (owner === null) return [];
  return [
    warning(
      "user",
      `this is ${thisUser()}, and ${directory} belongs to ${owner}: its native libraries and models were not looked at.`,
      `Look as its owner: ${asOwner(owner)}`,
    ),
  ];
}

/** What lies in the directory, and among its indexes, and belongs to another user than the directory. */
async function foreignEntries(directory: string, uid: number): Promise<string[]> {
  const found: string[] = [];
  for (const folder of [directory, join(directory, "indexes")]) {
    // One that this user may not read is itself among the foreign ones, or there is none.
    for (const name of (await readdir(folder).catch(() => [])).sort()) {
      const path = join(folder, name);
      const entry = await lstat(path).catch(() => null);
      if (entry !== null && entry.uid !== uid) found.push(path);
    }
  }
  return found;
}

/** Whether the file system has room to go on, beyond the `reserve` bytes that uploads leave. */
export async function checkFreeSpace(directory: string, reserve: number): Promise<Finding> {
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  const sentence = `${(free / 1024 ** 3).toFixed(1)} GiB are free.`;
  if (free < reserve)
    return bad(
      "disk",
      sentence,
      "Uploads are refused. Delete files, free some space, or move the data directory to a larger disk.",
    );
  if (free < reserve + FEW_BYTES) return warning("disk", sentence, "Free some space before many documents are added.");
  return good("disk", sentence);
}
