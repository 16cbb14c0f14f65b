/**
 * Documents inside documents: members of archives, attachments of mail. All that lie in one file, however deep, share what may be read of
 * them, and their text goes where the file's goes, each passage with its member's path.
 */
import { LecternError } from "../foundation/errors.ts";
import type { BlockCollector } from "./block-collector.ts";
import type { Content } from "./content.ts";

export interface Member {
  /** Its path in the container. It is shown and decides between formats, and is no path of ours. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mimeType?: string | null;
}

/**
 * Reads a member into the container's blocks; false when there is nothing in it that can be read, which is no fault of the container's.
 * A damaged one is a fault, unless it is `optional`. Throws UNREADABLE_FILE, naming the member; always when the limits are reached.
 */
export type ReadMember = (member: Member, options?: { readonly optional?: boolean }) => Promise<boolean>;

/** UTF-16 units of a member's path. */
const LONGEST_NAME = 1000;

/** What is no fault of a member's container. */
const NOTHING_TO_READ: ReadonlySet<string> = new Set(["EMPTY_FILE", "UNSUPPORTED_FILE_TYPE", "NO_TEXT"]);

/** Members of `content`, which is read by `read` as any document is. */
export function memberReader(
  content: Content,
  blocks: BlockCollector,
  read: (member: Content) => Promise<void>,
): ReadMember {
  return async ({ name, bytes, mimeType = null }, { optional = false } = {}) => {
    const { maxMemberDepth, maxMembers, maxInflatedBytes } = content.limits;
    const path = shownPath(name);
    const within = content.memberPath === null ? path : `${content.memberPath}/${path}`;
    const { budget } = content;
    budget.members += 1;
    budget.bytes += bytes.length;
    if (budget.members > maxMembers) throw content.overLimit(`it holds more than ${maxMembers} members`);
    if (budget.bytes > maxInflatedBytes) throw content.overLimit(`it unpacks to more than ${maxInflatedBytes} bytes`);
    if (content.depth >= maxMemberDepth)
      throw content.overLimit(`its members are nested more than ${maxMemberDepth} deep`);
    const before = blocks.blocks.length;
    try {
      await blocks.within(within, async () => read(await content.member(within, path, bytes, mimeType)));
    } catch (error) {
      if (!(error instanceof LecternError) || content.budget.isSpent) throw error;
      if (!NOTHING_TO_READ.has(error.code) && !optional) throw error;
      blocks.cut(before);
    }
    return blocks.blocks.length > before;
  };
}

/** A member's name as it is shown: relative, without steps upward. */
function shownPath(name: string): string {
  const parts = name
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .split(/[\\/]+/)
    .filter((part) => part !== "" && part !== "." && part !== "..");
  return parts.join("/").slice(-LONGEST_NAME).toWellFormed() || "unnamed";
}
