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

export const mboxLoader: Loader = { id: "mbox", name: "mailbox (.mbox)", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  const isEnveloped = /^From /.test(headText(content)) && mailFields(content) !== null;
  if (!isEnveloped) return null;
  // Some programs write the line also before a message that they save alone.
  return { certainty: namedFormat(emlLoader, content) === undefined ? "certain" : "possible", format };
}

/** Each message is a document of its own, named by its number and its subject. */
async function load(content: Content, blocks: BlockCollector, readMember: ReadMember): Promise<void> {
  let number = 0;
  for (const bytes of messagesOf(mailBytes(content))) {
    number += 1;
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
