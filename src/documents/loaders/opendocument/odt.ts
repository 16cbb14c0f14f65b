/** OpenDocument texts (.odt, .fodt; ODF 1.3). */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import type { Loader } from "../loader.ts";
import { openOdf, recogniseOdf, runningLines, walkOdf } from "./odf-parts.ts";
import { OdfText } from "./odf-text.ts";
import { descendants, elementAt } from "../office/xml-tree.ts";

const TYPE = "application/vnd.oasis.opendocument.text";
const HEADS_AND_FEET = ["header", "header-left", "header-first", "footer", "footer-left", "footer-first"];

export const odtLoader: Loader = {
  id: "odt",
  formats: [
    { mimeType: TYPE, extensions: ["odt"] },
    { mimeType: `${TYPE}-template`, extensions: ["ott"] },
    { mimeType: `${TYPE}-master`, extensions: ["odm"] },
    { mimeType: `${TYPE}-flat-xml`, extensions: ["fodt"] },
  ],
  recognise: (content) => recogniseOdf(odtLoader, content),
  load,
};

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const document = openOdf(content, blocks);
  const text = new OdfText(content, blocks, document.styles, document.objects);
  walkOdf(content, document, text);
  text.finish();
  const places = descendants(elementAt(document.parts.tree("styles.xml"), "master-styles"), ...HEADS_AND_FEET);
  for (const line of runningLines(places)) blocks.add("paragraph", line);
}
