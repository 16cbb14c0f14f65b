/** Workbooks in the XML of Excel 2002 and 2003 (SpreadsheetML), which many programs still export, often named .xls. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import type { Loader } from "../loader.ts";
import { hasRoot2003, office2003Format, PROPERTIES_2003, properties2003 } from "../office/office-2003.ts";
import { decodeXml, qualified, readXml, type XmlHandler, XmlRefusal } from "../office/xml.ts";
import { XmlTrees } from "../office/xml-tree.ts";
import { numberFormatter } from "./number-format.ts";
import { CellBudget, SheetWriter } from "./sheet-writer.ts";
import { SpreadsheetMlSheets } from "./spreadsheetml-sheets.ts";

const NAMESPACE = "urn:schemas-microsoft-com:office:spreadsheet";

export const spreadsheetMlLoader: Loader = {
  id: "spreadsheetml",
  formats: [office2003Format],
  recognise: (content) =>
    hasRoot2003(content, "Workbook", NAMESPACE) ? { certainty: "certain", format: office2003Format } : null,
  load,
};

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const xml = decodeXml(content.bytes);
  const format = await numberFormatter(false);
  try {
    const hidden = hiddenSheets(xml, content);
    const budget = new CellBudget(content);
    let index = 0;
    const sheets = new SpreadsheetMlSheets(format, (name, { byRow }) => {
      const isHidden = hidden.has(index);
      index += 1;
      return new SheetWriter(content, blocks, { name, isHidden, merged: [], notes: byRow }, budget);
    });
    const describe = new XmlTrees(PROPERTIES_2003, content.limits, sheets, (said) =>
      blocks.describe(properties2003(said)),
    );
    readXml(xml, describe, content.limits);
  } catch (error) {
    if (error instanceof XmlRefusal) throw content.unreadable(error.message, error);
    throw error;
  }
}

/** Sheets that are not shown, counted from 0 on. It stands behind their rows. */
function hiddenSheets(xml: string, content: Content): Set<number> {
  const hidden = new Set<number>();
  let index = -1;
  let isVisibility = false;
  const handler: XmlHandler = {
    open(name, attributes) {
      if (name === "Worksheet" && qualified(attributes, "Name") !== undefined) index += 1;
      isVisibility = name === "Visible";
    },
    text(text) {
      if (isVisibility && text.includes("Hidden")) hidden.add(index);
    },
    close() {
      isVisibility = false;
    },
  };
  readXml(xml, handler, content.limits);
  return hidden;
}
