/** A MIME message → what a reader sees of it: the head, the body in its best form, the attachments. */
import type { Content } from "../../content.ts";
import { decodePage } from "../html/html.ts";
import { listed, shownPerson, UNNAMED } from "./mail-message.ts";
import type { MailAttachment, MailBody, MailMessage } from "./mail-message.ts";
import { mapiMessage, RECIPIENTS, RTF_BODY } from "./mapi-message.ts";
import type { MapiMessage } from "./mapi-message.ts";
import { declaredText, mimeTree, partBytes, plainText } from "./mime-tree.ts";
import type { MimePart } from "./mime-tree.ts";
import { isTnef, TnefDamage, tnefMessage } from "./tnef-reader.ts";
import { mailMoment } from "../calendars/moments.ts";

interface Found {
  readonly bodies: MailBody[];
  readonly attachments: MailAttachment[];
}

/** The message in these bytes. `content` is the file in which it lies. */
export async function mimeMessage(bytes: Uint8Array, content: Content): Promise<MailMessage> {
  const { addressParser, decodeWords } = await import("postal-mime");
  const root = await mimeTree(bytes, content);
  const first = (key: string): string => root.headers.find((header) => header.key === key)?.value ?? "";
  const people = (key: string): string => {
    const values = root.headers.filter((header) => header.key === key).map(({ value }) => value);
    const named = values.flatMap((value) => addressParser(value, { flatten: true }));
    return listed(named.map(({ name, address }) => shownPerson(name, address ?? "")).filter((person) => person !== ""));
  };
  const date = first("date");
  const moment = mailMoment(date);
  const { bodies, attachments, head } = await unwrapped(await found(root, content, decodeWords), content);
  return {
    subject: decodeWords(first("subject")),
    from: people("from") || people("sender"),
    head: [
      ["To", people("to")],
      ["Cc", people("cc")],
      ["Bcc", people("bcc")],
      ["Date", moment === null ? date : ""],
      ...head,
    ],
    date: moment,
    bodies,
    attachments,
  };
}

/** What Exchange packed into one attachment ("winmail.dat") is of the message itself: what is attached there is attached here. */
async function unwrapped({ bodies, attachments }: Found, content: Content): Promise<Found & Pick<MailMessage, "head">> {
  const hasBody = bodies.some(({ plain = "", html = "" }) => `${plain}${html}`.trim() !== "");
  const all: { bodies: MailBody[]; attachments: MailAttachment[]; head: Array<readonly [string, string]> } = {
    bodies: [...bodies],
    attachments: [],
    head: [],
  };
  for (const attachment of attachments) {
    const packed = "bytes" in attachment ? packedMessage(attachment.bytes, content) : null;
    if (packed === null) {
      all.attachments.push(attachment);
      continue;
    }
    const message = await mapiMessage(packed, content);
    if (!hasBody) all.bodies.push(...message.bodies);
    for (const inner of message.attachments) if (!hasBody || inner.name !== RTF_BODY) all.attachments.push(inner);
    for (const [name, value] of message.head) if (!RECIPIENTS.includes(name)) all.head.push([name, value]);
  }
  return all;
}

/** Null for what is no such attachment, or is damaged: it is an attachment as others are then. */
function packedMessage(bytes: Uint8Array, { limits }: Content): MapiMessage | null {
  if (!isTnef(bytes)) return null;
  try {
    return tnefMessage(bytes, limits.maxMembers);
  } catch (error) {
    if (error instanceof TnefDamage) return null;
    throw error;
  }
}

async function found(part: MimePart, content: Content, decode: (words: string) => string): Promise<Found> {
  const { multipart } = part.contentType;
  if (multipart !== false || part.childNodes.length > 0) {
    const inside: Found[] = [];
    for (const child of part.childNodes) inside.push(await found(child, content, decode));
    const bodies = inside.map((each) => each.bodies);
    return {
      bodies: multipart === "alternative" ? bestOf(bodies) : bodies.flat(),
      attachments: inside.flatMap(({ attachments }) => attachments),
    };
  }
  const { value: type } = part.contentType.parsed;
  const name = fileName(part, decode);
  const isAttached = part.contentDisposition.parsed.value === "attachment" || name !== "";
  if (!isAttached && type === "text/plain")
    return { bodies: [{ plain: await plainText(part, content) }], attachments: [] };
  if (!isAttached && type === "text/html")
    return { bodies: [{ html: await htmlText(part, content) }], attachments: [] };
  const bytes = partBytes(part);
  if (bytes.length === 0) return { bodies: [], attachments: [] };
  const isInline =
    part.contentId !== undefined && part.contentDisposition.parsed.value !== "attachment" && type.startsWith("image/");
  return {
    bodies: [],
    attachments: [{ name: name || nameFor(type), bytes, mimeType: type, isInline }],
  };
}

/** Of several forms of the same text, its plain and its rich one. */
function bestOf(forms: readonly (readonly MailBody[])[]): MailBody[] {
  const plain = forms.find((form) => form.length > 0 && form.every((body) => body.html === undefined));
  const rich = forms.findLast((form) => form.some((body) => body.html !== undefined));
  if (rich === undefined || plain === undefined) return [...(rich ?? plain ?? [])];
  const text = plain.map((body) => body.plain ?? "").join("\n\n");
  const html = rich.map((body) => body.html ?? `<pre>${Bun.escapeHTML(body.plain ?? "")}</pre>`).join("\n");
  return [{ plain: text, html }];
}

async function htmlText(part: MimePart, content: Content): Promise<string> {
  const declared = await declaredText(part, content);
  return declared ?? decodePage(await content.member("body.html", "body.html", partBytes(part), "text/html"));
}

function fileName(part: MimePart, decode: (words: string) => string): string {
  const name = part.contentDisposition.parsed.params.filename ?? part.contentType.parsed.params.name ?? "";
  return decode(name).trim();
}

/** A name for a part that has none; what stands after the dot helps to read it. */
function nameFor(type: string): string {
  if (type === "message/rfc822") return "message.eml";
  if (type === "text/calendar") return "invitation.ics";
  if (type === "text/html") return "page.html";
  if (type.startsWith("message/")) return `${type.slice("message/".length)}.txt`;
  return type.startsWith("text/") ? "text.txt" : UNNAMED;
}
