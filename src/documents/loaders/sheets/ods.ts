/** OpenDocument spreadsheets. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { dublinCore } from "../office/dublin-core.ts";
import type { Format, Loader, Recognition } from "../loader.ts";
import { OdsSheets } from "./ods-sheets.ts";
import { CellBudget, SheetWriter } from "./sheet-writer.ts";
import { elementAt } from "../office/xml-tree.ts";
import { openPackage, recognisePackage, type ZipPackage } from "../office/zip-package.ts";

const ods: Format = { mimeType: "application/vnd.oasis.opendocument.spreadsheet", extensions: ["ods"] };
const ots: Format = { mimeType: "application/vnd.oasis.opendocument.spreadsheet-template", extensions: ["ots"] };

export const odsLoader: Loader = {
  id: "ods",
  formats: [ods, ots],
  recognise,
  load,
};

function recognise(content: Content): Recognition | null {
  return recognisePackage(odsLoader, content, (parts) => {
    if (!parts.has("mimetype") || !parts.has("content.xml")) return null;
    const type = new TextDecoder().decode(parts.read("mimetype") ?? undefined).trim();
    return odsLoader.formats.find(({ mimeType }) => mimeType === type) ?? null;
  });
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const parts = openPackage(content);
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
function hiddenStyles(parts: ZipPackage): Set<string> {
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
