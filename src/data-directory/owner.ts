/** Whose a data directory is. What another user makes in it, the superuser included, its owner cannot open. */
import { lstatSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { fail } from "../foundation/errors.ts";

/** The user whom the directory belongs to where that is not the one of this process; null too when it is not there, or cannot be looked at. */
export function otherOwner(dataDirectory: string): string | null {
  const owner = ownerOf(dataDirectory);
  return owner === null || owner === process.geteuid?.() ? null : userName(owner);
}

/** Throws OPERATION_FAILED, with the command that would do, when the data directory belongs to another user. One that is not there yet will be this user's. */
export function requireOwner(dataDirectory: string): void {
  const owner = otherOwner(dataDirectory);
  if (owner === null) return;
  throw fail("OPERATION_FAILED", {
    reason: `The data directory ${dataDirectory} belongs to ${owner}, and this is ${thisUser()}: what one makes there, the other cannot use. Run this as its owner: ${asOwner(owner)}`,
  });
}

/** How a command is run as a user. */
export const asOwner = (owner: string): string => `sudo -u ${owner.startsWith("#") ? `'${owner}'` : owner} lectern …`;

/** The name of the user who runs this process. */
export const thisUser = (): string => userName(process.geteuid?.() ?? 0);

/** A user's name, or `#` and the number of one without a name, as sudo takes it. */
export function userName(uid: number): string {
  let users: string;
  try {
    users = readFileSync("/etc/passwd", "utf8");
  } catch {
    // Small containers have no such file.
    return `#${uid}`;
  }
  const entry = users
    .split("\n")
    .map((line) => line.split(":"))
    .find((fields) => fields[2] === String(uid));
  return entry?.[0] || `#${uid}`;
}

/**
 * Why this user may not use a path, as part of a sentence that names it: whose it is, or whose the folder above it is behind which
 * nothing can be seen, and who asks.
 */
export function whoMayNot(path: string): string {
  let nearest = path;
  while (ownerOfEntry(nearest) === null && nearest !== dirname(nearest)) nearest = dirname(nearest);
  const owner = ownerOfEntry(nearest);
  if (owner === null || owner === process.geteuid?.())
    return `its permissions do not let this user, ${thisUser()}, use it`;
  return `${nearest === path ? "it" : nearest} belongs to ${userName(owner)}, and this user, ${thisUser()}, may not use it`;
}

/** Of a link its own. */
function ownerOfEntry(path: string): number | null {
  try {
    return lstatSync(path).uid;
  } catch {
    // Out of sight as well: the folder that hides it is the one to name.
    return null;
  }
}

function ownerOf(path: string): number | null {
  try {
    return statSync(path, { throwIfNoEntry: false })?.uid ?? null;
  } catch {
    // A folder above it is closed to this user, or none: whoever opens something in it says so.
    return null;
  }
}
