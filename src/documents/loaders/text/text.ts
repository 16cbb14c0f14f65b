/** Plain text of any encoding, and everything that is text and no other format. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import type { Loader, Recognition } from "../loader.ts";
import { addParagraphs, linesOf } from "./text-paragraphs.ts";

const format = {
  mimeType: "text/plain",
  // Those of other formats are here where a text of that name may be none of them.
  extensions: ["txt", "text", "conf", "log", "out", "err", "ini", "cfg", "inf", "properties", "env", "srt", "asc"],
};

export const textLoader: Loader = { id: "text", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  return content.decoded === null ? null : { certainty: "possible", format };
}

/** Paragraphs are what blank lines separate. */
async function load({ decoded }: Content, blocks: BlockCollector): Promise<void> {
  addParagraphs(blocks, linesOf(decoded?.text ?? ""));
}
