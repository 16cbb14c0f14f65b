/** Electronic mail as it travels (RFC 5322 and MIME), one message a file. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import type { ReadMember } from "../../members.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";
import { mailBytes, mailFields } from "./mail-fields.ts";
import { writeMail } from "./mail-message.ts";
import { mimeMessage } from "./mime-message.ts";

const format = { mimeType: "message/rfc822", extensions: ["eml", "emlx", "email"] };

/** Fields of messages, beside "From". */
const USUAL = new Set(
  "message-id received mime-version date return-path delivered-to to subject cc reply-to content-type x-mailer sender".split(
    " ",
  ),
);
/** How many of them a message has at least. */
const FEWEST = 3;
/** What only mail systems write. Memos and timetables have fields of the same names. */
const PROOFS: ReadonlyArray<readonly [string, RegExp]> = [
  ["message-id", /<[^<>\s@]+@[^<>\s]+>/],
  ["mime-version", /\b1\.0\b/],
  ["received", /^(?:from|by)\s.*;\s*(?:[a-z]{3},\s*)?\d{1,2}\s/i],
];
const MAIL_DATE =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),\s*)?\d{1,2}\s+(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{2,4}\s+\d{1,2}:\d\d(?::\d\d)?\s+(?:[+-]\d{4}|[A-Z]{1,5}\b)/i;

export const emlLoader: Loader = { id: "eml", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  const fields = mailFields(content);
  if (fields === null) return null;
  const isFromSomeone = fields.has("from") || fields.has("received") || fields.has("return-path");
  const count = [...fields.keys()].filter((name) => USUAL.has(name)).length;
  if (isFromSomeone && count >= FEWEST && isProven(fields)) return { certainty: "certain", format };
  return namedFormat(emlLoader, content) === undefined ? null : { certainty: "possible", format };
}

function isProven(fields: ReadonlyMap<string, string>): boolean {
  if (PROOFS.some(([name, proof]) => proof.test(fields.get(name) ?? ""))) return true;
  return (fields.get("from") ?? "").includes("@") && MAIL_DATE.test(fields.get("date") ?? "");
}

async function load(content: Content, blocks: BlockCollector, readMember: ReadMember): Promise<void> {
  await writeMail(await mimeMessage(mailBytes(content), content), content, blocks, readMember);
}
