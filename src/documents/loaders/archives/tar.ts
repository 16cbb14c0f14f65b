/** TAR archives: their files in order, each read as an upload of its own would be. Links and devices are left out. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { memberPath } from "../../members.ts";
import type { ReadMember } from "../../members.ts";
import { isTar, TarDamage, tarEntries } from "./tar-entries.ts";
import { isLeftOut } from "./archive-names.ts";
import type { Loader, Recognition } from "../loader.ts";

const format = { mimeType: "application/x-tar", extensions: ["tar"] };

export const tarLoader: Loader = { id: "tar", formats: [format], recognise, load };

function recognise({ bytes }: Content): Recognition | null {
  return isTar(bytes) ? { certainty: "certain", format } : null;
}

async function load(content: Content, _blocks: BlockCollector, readMember: ReadMember): Promise<void> {
  try {
    for (const { name, isFile, bytes } of tarEntries(content.bytes))
      if (isFile && !isLeftOut(name)) await readMember({ name, bytes });
  } catch (error) {
    if (!(error instanceof TarDamage)) throw error;
    if (error.entryName === null) throw content.unreadable(error.message, error);
    throw content.unreadableMember(memberPath(content, error.entryName), error.message, error);
  }
}
