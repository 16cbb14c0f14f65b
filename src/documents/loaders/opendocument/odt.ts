/** OpenDocument texts (.odt; ODF 1.3). */
import { oneLine } from "../../clean-text.ts";
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import type { Loader } from "../loader.ts";
import { openOdf, recogniseOdf, walkOdf } from "./odf-parts.ts";
import { OdfText } from "./odf-text.ts";
import { descendants, elementAt, textIn, type XmlElement } from "../office/xml-tree.ts";

const TYPE = "application/vnd.oasis.opendocument.text";
const HEADS_AND_FEET = ["header", "header-left", "header-first", "footer", "footer-left", "footer-first"];

export const odtLoader: Loader = {
  id: "odt",
  name: "OpenDocument text (.odt)",
  formats: [
    { mimeType: TYPE, extensions: ["odt"] },
    { mimeType: `${TYPE}-template`, extensions: ["ott"] },
    { mimeType: `${TYPE}-master`, extensions: ["odm"] },
  ],
  recognise: (content) => recogniseOdf(odtLoader, content),
  load,
};

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const document = openOdf(content, blocks);
  const text = new OdfText(content, blocks, document.styles, document.objects);
  walkOdf(content, document, text);
  text.finish();
  for (const line of runningLines(document.parts.tree("styles.xml"))) blocks.add("paragraph", line);
}

/** What stands at the head and the foot of pages, once; not what only numbers them. */
function runningLines(styles: XmlElement | null): Set<string> {
  const places = descendants(elementAt(styles, "master-styles"), ...HEADS_AND_FEET);
  const lines = places.flatMap((place) => descendants(place, "p", "h")).map((line) => oneLine(textIn(line)));
  return new Set(lines.filter((line) => /\p{L}{3}/u.test(line)));
}
