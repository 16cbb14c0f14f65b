/** Outlook's messages, from the properties that they are made of: mail, and the appointments, tasks and contacts that are kept in the same way. */
import type { Content } from "../../content.ts";
import { momentAt } from "../calendars/moments.ts";
import { decodePage } from "../html/html.ts";
import { unpackedRtf } from "./compressed-rtf.ts";
import { listed, shownPerson, UNNAMED } from "./mail-message.ts";
import type { MailAttachment, MailBody, MailMessage } from "./mail-message.ts";
import type { MapiProperties } from "./mapi-properties.ts";

/** A message as its container holds it. */
export interface MapiMessage {
  readonly properties: MapiProperties;
  readonly recipients: readonly MapiProperties[];
  readonly attachments: readonly MapiAttachment[];
}

export interface MapiAttachment {
  readonly properties: MapiProperties;
  /** The message that it is, where that has no bytes of its own. */
  readonly message?: () => MapiMessage;
}

/** What a body is called that is a document of its own, which another loader reads: one in RTF. */
export const RTF_BODY = "body.rtf";

/** Kinds of recipients in the order of their numbers, from 1 on. */
export const RECIPIENTS: readonly string[] = ["To", "Cc", "Bcc"];
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

/** The message as any mail is written. */
export async function mapiMessage(message: MapiMessage, content: Content): Promise<MailMessage> {
  const { properties } = message;
  const time = properties.time(0x0039) ?? properties.time(0x0e06) ?? properties.time(0x3007);
  return {
    subject: await properties.text(0x0037, 0x0e1d, 0x3001, 0x0070),
    from: shownPerson(await properties.text(0x0c1a, 0x0042), await addressOf(properties)),
    head: [...(await recipientsOf(message)), ...(await particularsOf(properties))],
    date: time === null ? null : momentAt(time, 0),
    bodies: await bodiesOf(properties, content),
    attachments: await attachmentsOf(message, content),
  };
}

/** The sender's address on the internet; those inside an organisation mean nothing to people. */
async function addressOf(message: MapiProperties): Promise<string> {
  const addresses = [
    await message.text(0x5d01),
    await message.text(0x5d02),
    await message.text(0x0c1f),
    await message.text(0x0065),
  ];
  return addresses.find((address) => address.includes("@")) ?? "";
}

async function recipientsOf({ properties, recipients }: MapiMessage): Promise<Array<readonly [string, string]>> {
  const people: string[][] = [[], [], []];
  for (const recipient of recipients) {
    const address = await recipient.text(0x39fe, 0x3003);
    const shown = shownPerson(await recipient.text(0x3001), address.includes("@") ? address : "");
    if (shown !== "") people[(recipient.number(0x0c15) ?? 1) - 1]?.push(shown);
  }
  const displayed = [await properties.text(0x0e04), await properties.text(0x0e03), await properties.text(0x0e02)];
  return RECIPIENTS.map((name, index) => [name, listed(people[index] ?? []) || displayed[index]!] as const);
}

async function particularsOf(message: MapiProperties): Promise<Array<readonly [string, string]>> {
  const particulars: Array<readonly [string, string]> = [];
  for (const [name, number] of NAMED_TIMES) {
    const time = message.time(message.namedAs(number));
    particulars.push([name, time === null ? "" : (momentAt(time, 0)?.shown ?? "")]);
  }
  for (const [name, number] of NAMED_TEXTS) particulars.push([name, await message.text(message.namedAs(number))]);
  for (const [name, number] of TEXTS) particulars.push([name, await message.text(number)]);
  return particulars;
}

async function bodiesOf(message: MapiProperties, content: Content): Promise<MailBody[]> {
  const plain = await message.text(0x1000);
  const bytes = message.binary(0x1013);
  const page = bytes === null ? null : await content.member("body.html", "body.html", bytes, "text/html");
  const html = page === null ? await message.text(0x1013) : await decodePage(page);
  return [{ plain, ...(html.trim() !== "" && { html }) }];
}

async function attachmentsOf(message: MapiMessage, content: Content): Promise<MailAttachment[]> {
  const attachments: MailAttachment[] = [];
  for (const { properties, message: embedded } of message.attachments) {
    const name = await properties.text(0x3707, 0x3704, 0x3001);
    const mimeType = await properties.text(0x370e);
    const isInline = (await properties.text(0x3712)) !== "" && mimeType.startsWith("image/");
    const bytes = properties.binary(0x3701);
    if (embedded !== undefined)
      attachments.push({
        name: name || "message",
        message: () => mapiMessage(embedded(), content),
        isInline: false,
      });
    else if (bytes !== null) attachments.push({ name: name || UNNAMED, bytes, mimeType, isInline });
  }
  const rtf = (await message.properties.text(0x1000, 0x1013)) === "" ? packedBody(message.properties, content) : null;
  return rtf === null
    ? attachments
    : [{ name: RTF_BODY, bytes: rtf, mimeType: "application/rtf", isInline: true }, ...attachments];
}

/** The body in RTF, where there is no other. */
function packedBody(message: MapiProperties, { limits }: Content): Uint8Array | null {
  const packed = message.binary(0x1013) === null ? message.binary(0x1009) : null;
  return packed === null ? null : unpackedRtf(packed, limits.maxInflatedBytes);
}
