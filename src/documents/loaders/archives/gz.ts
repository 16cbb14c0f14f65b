/** Files packed by gzip: each is the file inside, a .tgz the archive inside. */
import { gunzipSync } from "node:zlib";
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import type { ReadMember } from "../../members.ts";
import type { Loader, Recognition } from "../loader.ts";

const format = { mimeType: "application/gzip", extensions: ["gz", "tgz"] };

/** RFC 1952: two bytes that say gzip, one for the only method there is. */
const MAGIC = [0x1f, 0x8b, 8] as const;

export const gzLoader: Loader = { id: "gz", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  return content.startsWith(...MAGIC) ? { certainty: "certain", format } : null;
}

async function load(content: Content, _blocks: BlockCollector, readMember: ReadMember): Promise<void> {
  await readMember({ name: nameInside(content.name), bytes: unpacked(content) }, { isWhole: true });
}

/** "notes.txt" for "notes.txt.gz", "notes.tar" for "notes.tgz". */
function nameInside(name: string): string {
  return name.replace(/\.tgz$/i, ".tar").replace(/\.gz$/i, "");
}

/** What is inside. Unpacking stops as soon as it is more than the limits allow. */
function unpacked(content: Content): Uint8Array {
  const { maxInflatedBytes, maxInflationRatio, ratioAppliesFrom } = content.limits;
  const byRatio = Math.max(ratioAppliesFrom, content.bytes.length * maxInflationRatio);
  const most = Math.min(byRatio, maxInflatedBytes - content.budget.bytes);
  try {
    return gunzipSync(content.bytes, { maxOutputLength: Math.max(1, most) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE")
      throw content.unreadable("it is cut off or damaged", error);
    if (most < byRatio) throw content.overLimit(`it unpacks to more than ${maxInflatedBytes} bytes`);
    throw content.overLimit(`it unpacks to more than ${maxInflationRatio} times its size`);
  }
}
