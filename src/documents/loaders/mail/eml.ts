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

/** Fields that only mail systems write. */
const PROOFS = ["message-id", "received", "mime-version", "date", "return-path", "delivered-to"];
const USUAL = ["to", "subject", "cc", "reply-to", "content-type", "x-mailer", "sender"];

export const emlLoader: Loader = { id: "eml", name: "e-mail (.eml)", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  const fields = mailFields(content);
  if (fields === null) return null;
  const count = (names: readonly string[]): number => names.filter((name) => fields.has(name)).length;
  const proofs = count(PROOFS);
  const isFromSomeone = fields.has("from") || fields.has("received") || fields.has("return-path");
  if (isFromSomeone && proofs >= 1 && proofs + count(USUAL) >= 3) return { certainty: "certain", format };
  if (isFromSomeone && proofs + count(USUAL) >= 1) return { certainty: "likely", format };
  return namedFormat(emlLoader, content) === undefined ? null : { certainty: "possible", format };
}

async function load(content: Content, blocks: BlockCollector, readMember: ReadMember): Promise<void> {
  await writeMail(await mimeMessage(mailBytes(content), content), content, blocks, readMember);
}
