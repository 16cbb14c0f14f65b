/** Outlook's messages (.msg, MS-OXMSG): mail, and the appointments, tasks and contacts that are kept in the same way. */
import type { BlockCollector } from "../../block-collector.ts";
import { holdsStream, isCompoundFile } from "../../compound-file.ts";
import { CompoundReader, CompoundRefusal } from "../office/compound-reader.ts";
import type { Storage } from "../office/compound-reader.ts";
import type { Content } from "../../content.ts";
import type { ReadMember } from "../../members.ts";
import { unpackedRtf } from "./compressed-rtf.ts";
import { decodePage } from "../html/html.ts";
import type { Loader, Recognition } from "../loader.ts";
import { listed, shownPerson, UNNAMED, writeMail } from "./mail-message.ts";
import type { MailAttachment, MailBody, MailMessage } from "./mail-message.ts";
import { momentAt } from "../calendars/moments.ts";
import { MsgProperties, namedProperties } from "./msg-properties.ts";

const format = { mimeType: "application/vnd.ms-outlook", extensions: ["msg", "oft"] };

/** Bytes before the values of fixed size, in a file's message, in one inside it, and elsewhere. */
const MESSAGE_HEAD = 32;
const INNER_MESSAGE_HEAD = 24;
const OTHER_HEAD = 8;
const EMBEDDED_MESSAGE = "__substg1.0_3701000D";
const RECIPIENTS = ["To", "Cc", "Bcc"];
/** What appointments, tasks and contacts say: names that are numbers (MS-OXPROPS) of times and of texts, and numbers of texts. */
const NAMED_TIMES = [
  ["Start", 0x820d],
  ["End", 0x820e],
  ["Start", 0x8104],
  ["Due", 0x8105],
] as const;
const NAMED_TEXTS = [
  ["Where", 0x8208],
  ["Recurrence", 0x8232],
  ["E-mail", 0x8083],
] as const;
const TEXTS = [
  ["Company", 0x3a16],
  ["Position", 0x3a17],
  ["Phone", 0x3a08],
  ["Home phone", 0x3a09],
  ["Mobile phone", 0x3a1c],
  ["Address", 0x3a15],
] as const;

export const msgLoader: Loader = { id: "msg", formats: [format], recognise, load };

function recognise({ bytes }: Content): Recognition | null {
  const isMessage = isCompoundFile(bytes) && holdsStream(bytes, "__properties_version1.0");
  return isMessage ? { certainty: "certain", format } : null;
}

async function load(content: Content, blocks: BlockCollector, readMember: ReadMember): Promise<void> {
  try {
    const reader = new CompoundReader(content.bytes);
    const properties = new MsgProperties(reader, reader.root, MESSAGE_HEAD, namedProperties(reader));
    await writeMail(await messageOf(properties, content), content, blocks, readMember);
  } catch (error) {
    if (error instanceof CompoundRefusal) throw content.unreadable(error.message, error);
    throw error;
  }
}

async function messageOf(message: MsgProperties, content: Content): Promise<MailMessage> {
  const time = message.time(0x0039) ?? message.time(0x0e06) ?? message.time(0x3007);
  return {
    subject: await message.text(0x0037, 0x0e1d, 0x3001),
    from: shownPerson(await message.text(0x0c1a, 0x0042), await addressOf(message)),
    head: [...(await recipientsOf(message)), ...(await particularsOf(message))],
    date: time === null ? null : momentAt(time, 0),
    bodies: await bodiesOf(message, content),
    attachments: await attachmentsOf(message, content),
  };
}

/** The sender's address on the internet; those inside an organisation mean nothing to people. */
async function addressOf(message: MsgProperties): Promise<string> {
  const addresses = [
    await message.text(0x5d01),
    await message.text(0x5d02),
    await message.text(0x0c1f),
    await message.text(0x0065),
  ];
  return addresses.find((address) => address.includes("@")) ?? "";
}

async function recipientsOf(message: MsgProperties): Promise<Array<readonly [string, string]>> {
  const people: string[][] = [[], [], []];
  for (const storage of message.storages("__recip_version1.0_")) {
    const recipient = message.inner(storage, OTHER_HEAD);
    const address = await recipient.text(0x39fe, 0x3003);
    const shown = shownPerson(await recipient.text(0x3001), address.includes("@") ? address : "");
    if (shown !== "") people[(recipient.number(0x0c15) ?? 1) - 1]?.push(shown);
  }
  const displayed = [await message.text(0x0e04), await message.text(0x0e03), await message.text(0x0e02)];
  return RECIPIENTS.map((name, index) => [name, listed(people[index] ?? []) || displayed[index]!] as const);
}

async function particularsOf(message: MsgProperties): Promise<Array<readonly [string, string]>> {
  const particulars: Array<readonly [string, string]> = [];
  for (const [name, number] of NAMED_TIMES) {
    const time = message.time(message.namedAs(number));
    particulars.push([name, time === null ? "" : (momentAt(time, 0)?.shown ?? "")]);
  }
  for (const [name, number] of NAMED_TEXTS) particulars.push([name, await message.text(message.namedAs(number))]);
  for (const [name, number] of TEXTS) particulars.push([name, await message.text(number)]);
  return particulars;
}

async function bodiesOf(message: MsgProperties, content: Content): Promise<MailBody[]> {
  const plain = await message.text(0x1000);
  const bytes = message.binary(0x1013);
  const page = bytes === null ? null : await content.member("body.html", "body.html", bytes, "text/html");
  const html = page === null ? await message.text(0x1013) : await decodePage(page);
  return [{ plain, ...(html.trim() !== "" && { html }) }];
}

async function attachmentsOf(message: MsgProperties, content: Content): Promise<MailAttachment[]> {
  const attachments: MailAttachment[] = [];
  for (const storage of message.storages("__attach_version1.0_")) {
    const attachment = message.inner(storage, OTHER_HEAD);
    const name = await attachment.text(0x3707, 0x3704, 0x3001);
    const mimeType = await attachment.text(0x370e);
    const isInline = (await attachment.text(0x3712)) !== "" && mimeType.startsWith("image/");
    const embedded = storage.storages.find((inner) => inner.name === EMBEDDED_MESSAGE);
    const bytes = attachment.binary(0x3701);
    if (embedded !== undefined) attachments.push(embeddedMessage(embedded, name, attachment, content));
    else if (bytes !== null) attachments.push({ name: name || UNNAMED, bytes, mimeType, isInline });
  }
  const rtf = (await message.text(0x1000, 0x1013)) === "" ? packedBody(message, content) : null;
  // A body in RTF alone is a document of its own, which another loader reads.
  return rtf === null
    ? attachments
    : [{ name: "body.rtf", bytes: rtf, mimeType: "application/rtf", isInline: true }, ...attachments];
}

/** The body in RTF, where there is no other. */
function packedBody(message: MsgProperties, { limits }: Content): Uint8Array | null {
  const packed = message.binary(0x1013) === null ? message.binary(0x1009) : null;
  return packed === null ? null : unpackedRtf(packed, limits.maxInflatedBytes);
}

function embeddedMessage(storage: Storage, name: string, attachment: MsgProperties, content: Content): MailAttachment {
  const message = (): Promise<MailMessage> => messageOf(attachment.inner(storage, INNER_MESSAGE_HEAD), content);
  return { name: name || "message", message, isInline: false };
}
