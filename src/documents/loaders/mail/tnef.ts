/** Outlook's messages as Exchange sends them to other programs: "winmail.dat" (TNEF), kept as a file. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import type { ReadMember } from "../../members.ts";
import type { Format, Loader, Recognition } from "../loader.ts";
import { writeMail } from "./mail-message.ts";
import { mapiMessage } from "./mapi-message.ts";
import { isTnef, TnefDamage, tnefMessage } from "./tnef-reader.ts";

const format: Format = { mimeType: "application/vnd.ms-tnef", extensions: ["dat", "tnef"] };

export const tnefLoader: Loader = { id: "tnef", formats: [format], recognise, load };

function recognise({ bytes }: Content): Recognition | null {
  return isTnef(bytes) ? { certainty: "certain", format } : null;
}

async function load(content: Content, blocks: BlockCollector, readMember: ReadMember): Promise<void> {
  try {
    const message = tnefMessage(content.bytes, content.limits.maxMembers);
    await writeMail(await mapiMessage(message, content), content, blocks, readMember);
  } catch (error) {
    if (error instanceof TnefDamage) throw content.unreadable(error.message, error);
    throw error;
  }
}
