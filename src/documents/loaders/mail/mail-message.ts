/** A message, of whatever format, → its text: what stands at its head, what it says, and the documents attached to it. */
import { oneLine } from "../../clean-text.ts";
import type { BlockKind } from "../../blocks.ts";
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { memberPath } from "../../members.ts";
import type { Member, ReadMember } from "../../members.ts";
import { htmlBlocks, TooDeep } from "../html/html-blocks.ts";
import type { Moment } from "../calendars/moments.ts";

/** A stretch of the body: in one form, or in both of which one is enough. */
export interface MailBody {
  readonly plain?: string;
  readonly html?: string;
}

/** What an attachment is called that neither has a name nor a type that tells anything. */
export const UNNAMED = "unnamed";

export type MailAttachment = (Member | EmbeddedMessage) & {
  /** Whether it is a part of the body's looks, e.g. a logo, and nothing that the sender would call attached. */
  readonly isInline: boolean;
};

/** A message that has no bytes of its own: its parts lie in the container of the one around it. */
export interface EmbeddedMessage {
  readonly name: string;
  readonly message: () => Promise<MailMessage>;
}

export interface MailMessage {
  readonly subject: string;
  readonly from: string;
  /** What stands at the head beside the subject, e.g. ["To", "Ada <ada@example.org>"]; empty values are left out. */
  readonly head: ReadonlyArray<readonly [name: string, value: string]>;
  readonly date: Moment | null;
  readonly bodies: readonly MailBody[];
  readonly attachments: readonly MailAttachment[];
}

/** Share of the HTML's words that the plain text must have to stand for it. */
const LEAST_HELD = 0.9;
/** People at the head of a message that are named; further ones are counted. */
const MOST_NAMED = 100;
/** Signatures and keys are text to the eye and say nothing. */
const NEVER_READ = /^application\/(?:pgp-(?:signature|encrypted|keys)|(?:x-)?pkcs7-signature)$/;
const ARMOUR = "-----BEGIN PGP ";

/** Writes the message; attachments that cannot be read are only named. `depth`: messages around it in the same container. */
export async function writeMail(
  message: MailMessage,
  content: Content,
  blocks: BlockCollector,
  readMember: ReadMember,
  depth = 0,
): Promise<void> {
  const { subject, from, date, head } = message;
  blocks.describe({ title: subject, author: from, ...(date !== null && { date: date.iso }) });
  blocks.add("heading", subject.replace(/\s+/g, " "), 1);
  const lines = [["From", from] as const, ...head, ["Date", date?.shown ?? ""] as const]
    .map(([name, value]) => [name, oneLine(value)] as const)
    .filter(([, value]) => value !== "");
  blocks.add("paragraph", lines.map(([name, value]) => `${name}: ${value}`).join("\n"));
  for (const body of message.bodies) writeBody(body, content, blocks);
  const attachments = distinctlyNamed(message.attachments);
  const named = attachments.filter(isMentioned).map(({ name }) => name.replace(/\s+/g, " "));
  if (named.length > 0) blocks.add("paragraph", `Attachments: ${listed(named)}`);
  for (const attachment of attachments) {
    if ("message" in attachment) await writeWithin(attachment, depth + 1, content, blocks, readMember);
    else if (isReadable(attachment)) await readMember(attachment, { optional: true });
  }
}

/** Writes a message that lies in the file as a member of it. Throws UNREADABLE_FILE when it lies too deep. */
export async function writeWithin(
  { name, message }: EmbeddedMessage,
  depth: number,
  content: Content,
  blocks: BlockCollector,
  readMember: ReadMember,
): Promise<void> {
  const { maxMemberDepth } = content.limits;
  if (content.depth + depth > maxMemberDepth)
    throw content.overLimit(`its members are nested more than ${maxMemberDepth} deep`);
  const path = name
    .replace(/[\s\p{Cc}/\\]+/gu, " ")
    .trim()
    .toWellFormed();
  const readInner: ReadMember = (member, options) => readMember({ ...member, name: `${path}/${member.name}` }, options);
  await blocks.within(memberPath(content, path), async () =>
    writeMail(await message(), content, blocks, readInner, depth),
  );
}

/** E.g. "Ada Lovelace <ada@example.org>". */
export function shownPerson(name: string, address: string): string {
  if (name === "" || name === address) return address;
  return address === "" ? name : `${name} <${address}>`;
}

/** Many names on one line. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(", ");
  return names.length <= MOST_NAMED ? shown : `${shown} and ${names.length - MOST_NAMED} more`;
}

function writeBody({ plain = "", html }: MailBody, content: Content, blocks: BlockCollector): void {
  const rich = html === undefined ? null : bodyBlocks(html, content);
  if (rich !== null && (plain.trim() === "" || !holdsWords(plain, rich.map(({ text }) => text).join("\n")))) {
    for (const { kind, text, level } of rich) blocks.add(kind, text, level);
    return;
  }
  const text = plain.replace(/\r\n?|\f/g, "\n");
  if (!text.trimStart().startsWith(ARMOUR) || text.includes("SIGNED MESSAGE"))
    for (const paragraph of text.split(/\n[^\S\n]*\n/)) blocks.add("paragraph", paragraph);
}

interface BodyBlock {
  readonly kind: BlockKind;
  readonly text: string;
  readonly level?: number;
}

/** The HTML's blocks; its headings stand below the subject. */
function bodyBlocks(html: string, content: Content): BodyBlock[] {
  const found: BodyBlock[] = [];
  const add = (kind: BlockKind, text: string, level?: number): void =>
    void found.push({ kind, text, ...(level !== undefined && { level: level + 1 }) });
  const { maxElementDepth: maxDepth } = content.limits;
  try {
    htmlBlocks(html, { add }, { dropBoilerplate: true, maxDepth });
  } catch (error) {
    if (error instanceof TooDeep) throw content.unreadable(`its elements are nested more than ${maxDepth} deep`);
    throw error;
  }
  return found;
}

/** Whether one text has the words of another, apart from a few. */
function holdsWords(text: string, other: string): boolean {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  const wanted = new Set(other.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  let held = 0;
  for (const word of wanted) if (words.has(word)) held += 1;
  return held >= wanted.size * LEAST_HELD;
}

/** Two of one name would be taken for one document. */
function distinctlyNamed(attachments: readonly MailAttachment[]): MailAttachment[] {
  const counts = new Map<string, number>();
  return attachments.map((attachment) => {
    const count = (counts.get(attachment.name) ?? 0) + 1;
    counts.set(attachment.name, count);
    const [, stem = "", extension = ""] = /^([^]*?)(\.\w{1,12})?$/.exec(attachment.name) ?? [];
    return count === 1 ? attachment : { ...attachment, name: `${stem} (${count})${extension}` };
  });
}

function isMentioned(attachment: MailAttachment): boolean {
  const isSignature = "bytes" in attachment && NEVER_READ.test(attachment.mimeType ?? "");
  return !attachment.isInline && !attachment.name.startsWith(UNNAMED) && !isSignature;
}

function isReadable({ mimeType, bytes }: Member): boolean {
  if (NEVER_READ.test(mimeType ?? "")) return false;
  return !Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200)).includes(ARMOUR);
}
