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

export interface MemberOptions {
  /** Damage in it is no fault of the container's. */
  readonly optional?: boolean;
  /** It is all there is in the container and stands for it: its places and properties are the file's, and so are all its faults. */
  readonly isWhole?: boolean;
}

/**
 * Reads a member into the container's blocks; false when there is nothing in it that can be read, which is no fault of the container's.
 * A damaged one is a fault, unless it is `optional`. Throws UNREADABLE_FILE, naming the member; always when the limits are reached.
 */
export type ReadMember = (member: Member, options?: MemberOptions) => Promise<boolean>;

/** UTF-16 units of a member's path. */
const LONGEST_NAME = 1000;

/** What is no fault of a member's container. */
const NOTHING_TO_READ: ReadonlySet<string> = new Set([
  "EMPTY_FILE",
  "UNSUPPORTED_FILE_TYPE",
  "NO_TEXT",
  "NO_SPEECH_MODEL",
  "NO_OCR_LANGUAGE",
]);

/** Members of `content`, which is read by `read` as any document is. */
export function memberReader(
  content: Content,
  blocks: BlockCollector,
  read: (member: Content) => Promise<void>,
): ReadMember {
  return async ({ name, bytes, mimeType = null }, { optional = false, isWhole = false } = {}) => {
    take(content, bytes.length);
    const path = isWhole ? content.memberPath : memberPath(content, name);
    const member = await content.member(path, shownPath(name), bytes, mimeType);
    const before = blocks.blocks.length;
    if (path === null || isWhole) {
      await read(member);
      return true;
    }
    try {
      await blocks.within(path, () => read(member));
    } catch (error) {
      if (!(error instanceof LecternError) || content.budget.isSpent) throw error;
      if (!NOTHING_TO_READ.has(error.code) && !optional) throw error;
      blocks.cut(before);
    }
    return blocks.blocks.length > before;
  };
}

/** A member's whole path in the uploaded file, as it is shown. */
export function memberPath(container: Content, name: string): string {
  const path = shownPath(name);
  return container.memberPath === null ? path : `${container.memberPath}/${path}`;
}

/** Counts a member of this size as read. Throws UNREADABLE_FILE when that is more than a file may hold. */
function take(content: Content, bytes: number): void {
  const { maxMemberDepth, maxMembers, maxInflatedBytes } = content.limits;
  const { budget } = content;
  budget.members += 1;
  budget.bytes += bytes;
  if (budget.members > maxMembers) throw content.overLimit(`it holds more than ${maxMembers} members`);
  if (budget.bytes > maxInflatedBytes) throw content.overLimit(`it unpacks to more than ${maxInflatedBytes} bytes`);
  if (content.depth >= maxMemberDepth)
    throw content.overLimit(`its members are nested more than ${maxMemberDepth} deep`);
}

/** A member's name as it is shown: relative, without drives and steps upward, letters whole as macOS does not write them. */
function shownPath(name: string): string {
  const parts = name
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .replace(/^[A-Za-z]:/, "")
    .split(/[\\/]+/)
    .filter((part) => part !== "" && part !== "." && part !== "..");
  return parts.join("/").slice(-LONGEST_NAME).toWellFormed().normalize("NFC") || "unnamed";
}
