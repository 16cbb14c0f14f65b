/** OpenDocument spreadsheets (.ods, .fods). */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { dublinCore } from "../office/dublin-core.ts";
import type { Format, Loader } from "../loader.ts";
import { openOdfPackage, recogniseOdf } from "../opendocument/odf-parts.ts";
import { OdsSheets } from "./ods-sheets.ts";
import { CellBudget, SheetWriter } from "./sheet-writer.ts";
import { elementAt } from "../office/xml-tree.ts";
import type { DocumentPackage } from "../office/document-package.ts";

const ods: Format = { mimeType: "application/vnd.oasis.opendocument.spreadsheet", extensions: ["ods"] };
const ots: Format = { mimeType: `${ods.mimeType}-template`, extensions: ["ots"] };
const fods: Format = { mimeType: `${ods.mimeType}-flat-xml`, extensions: ["fods"] };

export const odsLoader: Loader = {
  id: "ods",
  formats: [ods, ots, fods],
  recognise: (content) => recogniseOdf(odsLoader, content),
  load,
};

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const parts = openOdfPackage(content);
  const manifest = parts.text("META-INF/manifest.xml");
  if (manifest?.includes("encryption-data")) throw content.unreadable("it is protected with a password");
  blocks.describe(dublinCore(elementAt(parts.tree("meta.xml"), "meta")));
  const hidden = hiddenStyles(parts);
  const budget = new CellBudget(content);
  const sheets = new OdsSheets((name, style, { byRow }) => {
    const sheet = { name, isHidden: hidden.has(style), merged: [], notes: byRow };
    return new SheetWriter(content, blocks, sheet, budget);
  });
  if (!parts.walk("content.xml", sheets)) throw content.unreadable("its sheets are missing");
}

/** Styles of sheets that are not shown. Those that the document's writer made stand before its sheets. */
function hiddenStyles(parts: DocumentPackage): Set<string> {
  const names = new Set<string>();
  let style = "";
  parts.walk("content.xml", {
    open(name, attributes) {
      if (name === "style") style = attributes["style:name"] ?? "";
      else if (name === "table-properties" && attributes["table:display"] === "false") names.add(style);
    },
    text: () => undefined,
    close: () => undefined,
  });
  return names;
}
