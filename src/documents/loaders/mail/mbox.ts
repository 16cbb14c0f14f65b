/** Mailboxes: messages one after another, each behind a line that begins with "From " (RFC 4155). */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import type { ReadMember } from "../../members.ts";
import { emlLoader } from "./eml.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";
import { ENVELOPE, headText, mailBytes, mailFields } from "./mail-fields.ts";
import { writeWithin } from "./mail-message.ts";
import { mimeMessage } from "./mime-message.ts";

const format = { mimeType: "application/mbox", extensions: ["mbox", "mbx"] };

const LINE_FEED = 0x0a;
const ENVELOPE_BYTES = 400;
/** Characters of a subject in the name of its message. */
const LONGEST_SUBJECT = 80;

export const mboxLoader: Loader = { id: "mbox", formats: [format], recognise, load };

/** The envelope as mail programs write it, with the time as C's ctime has it: prose begins with "From", too. */
const DATED_ENVELOPE =
  /^From \S.{0,300}?\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]?\d \d\d:\d\d(?::\d\d)? .{0,20}\d{4}/;
const MAIL_FIELDS = ["from", "to", "subject", "date", "message-id", "received", "return-path", "delivered-to"];

function recognise(content: Content): Recognition | null {
  const head = headText(content);
  const fields = /^From /.test(head) ? mailFields(content) : null;
  if (fields === null) return null;
  const isMail = DATED_ENVELOPE.test(head) && MAIL_FIELDS.some((name) => fields.has(name));
  // Some programs write the line also before a message that they save alone.
  if (isMail && namedFormat(emlLoader, content) === undefined) return { certainty: "certain", format };
  return isMail || namedFormat(mboxLoader, content) !== undefined ? { certainty: "possible", format } : null;
}

/** Each message is a document of its own, named by its number and its subject. */
async function load(content: Content, blocks: BlockCollector, readMember: ReadMember): Promise<void> {
  let number = 0;
  for (const bytes of messagesOf(mailBytes(content))) {
    number += 1;
    content.budget.members += 1;
    const { maxMembers } = content.limits;
    if (content.budget.members > maxMembers) throw content.overLimit(`it holds more than ${maxMembers} members`);
    const message = await mimeMessage(bytes, content);
    const name = `${number} ${message.subject.slice(0, LONGEST_SUBJECT)}`;
    await writeWithin({ name, message: async () => message }, 1, content, blocks, readMember);
  }
}

/** The bytes of each message, without the line before it. Lines of a body that look like that one are marked with ">" by who wrote it. */
function* messagesOf(bytes: Uint8Array): Generator<Uint8Array> {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = lineAfter(data, 0);
  for (let at = data.indexOf("\nFrom ", start - 1); at >= 0; at = data.indexOf("\nFrom ", at + 1)) {
    if (!isBoundary(data, at)) continue;
    yield data.subarray(start, at + 1);
    start = lineAfter(data, at + 1);
  }
  yield data.subarray(start);
}

/** Whether a blank line lies before the line that begins after `at`, which names a sender and a year, and a field follows it. */
function isBoundary(data: Buffer, at: number): boolean {
  const before = data[at - 1] === 0x0d ? data[at - 2] : data[at - 1];
  if (before !== LINE_FEED) return false;
  const [line = "", next = ""] = data.toString("latin1", at + 1, at + 1 + ENVELOPE_BYTES).split(/\r?\n/);
  return ENVELOPE.test(line) && /^(?:[!-9;-~]+:|>?From )/.test(next);
}

function lineAfter(data: Buffer, at: number): number {
  const end = data.indexOf(LINE_FEED, at);
  return end < 0 ? data.length : end + 1;
}
