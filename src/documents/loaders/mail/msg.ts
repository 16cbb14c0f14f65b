/** Outlook's messages as files (.msg, MS-OXMSG). */
import type { BlockCollector } from "../../block-collector.ts";
import { holdsStream, isCompoundFile } from "../../compound-file.ts";
import { CompoundReader, CompoundRefusal } from "../office/compound-reader.ts";
import type { Content } from "../../content.ts";
import type { ReadMember } from "../../members.ts";
import type { Loader, Recognition } from "../loader.ts";
import { writeMail } from "./mail-message.ts";
import { mapiMessage } from "./mapi-message.ts";
import type { MapiMessage } from "./mapi-message.ts";
import { MsgProperties, namedProperties } from "./msg-properties.ts";

const format = { mimeType: "application/vnd.ms-outlook", extensions: ["msg", "oft"] };

/** Bytes before the values of fixed size, in a file's message, in one inside it, and elsewhere. */
const MESSAGE_HEAD = 32;
const INNER_MESSAGE_HEAD = 24;
const OTHER_HEAD = 8;
const EMBEDDED_MESSAGE = "__substg1.0_3701000D";

export const msgLoader: Loader = { id: "msg", formats: [format], recognise, load };

function recognise({ bytes }: Content): Recognition | null {
  const isMessage = isCompoundFile(bytes) && holdsStream(bytes, "__properties_version1.0");
  return isMessage ? { certainty: "certain", format } : null;
}

async function load(content: Content, blocks: BlockCollector, readMember: ReadMember): Promise<void> {
  try {
    const reader = new CompoundReader(content.bytes);
    const properties = new MsgProperties(reader, reader.root, MESSAGE_HEAD, namedProperties(reader));
    await writeMail(await mapiMessage(messageIn(properties), content), content, blocks, readMember);
  } catch (error) {
    if (error instanceof CompoundRefusal) throw content.unreadable(error.message, error);
    throw error;
  }
}

function messageIn(properties: MsgProperties): MapiMessage {
  const recipients = properties.storages("__recip_version1.0_").map((storage) => properties.inner(storage, OTHER_HEAD));
  const attachments = properties.storages("__attach_version1.0_").map((storage) => {
    const attachment = properties.inner(storage, OTHER_HEAD);
    const embedded = storage.storages.find(({ name }) => name === EMBEDDED_MESSAGE);
    if (embedded === undefined) return { properties: attachment };
    return { properties: attachment, message: () => messageIn(attachment.inner(embedded, INNER_MESSAGE_HEAD)) };
  });
  return { properties, recipients, attachments };
}
