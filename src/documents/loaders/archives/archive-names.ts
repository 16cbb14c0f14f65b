/** Names of members of archives, as far as they say that there is nothing to read. */

/** What macOS and Windows put beside files for themselves. */
const SYSTEM_FILE = /(?:^|[\\/])(?:__MACOSX[\\/]|\._[^\\/]*$|(?:\.DS_Store|Thumbs\.db|desktop\.ini)$)/i;

/** Whether a member is a folder, or a file that a system keeps for itself. */
export function isLeftOut(name: string): boolean {
  return /[\\/]$/.test(name) || SYSTEM_FILE.test(name);
}
