/** Excel 97-2003 workbooks, and those of Excel 5 and 95. */
import type { BlockCollector } from "../../block-collector.ts";
import { holdsStream, isCompoundFile } from "../../compound-file.ts";
import type { Content } from "../../content.ts";
import { BiffCells } from "./biff-sheet.ts";
import { BiffWorkbook } from "./biff-workbook.ts";
import { compoundStreams, openCompound } from "../office/compound-streams.ts";
import type { Format, Loader, Recognition } from "../loader.ts";
import { CellBudget, SheetWriter } from "./sheet-writer.ts";
import { summaryInformation } from "../office/summary-information.ts";

const format: Format = { mimeType: "application/vnd.ms-excel", extensions: ["xls", "xlt"] };
/** Times the file's length that are read of it: its sheets lie one after another, but for those of damaged files. */
const MOST_READ = 16;
/** The second is that of Excel 5 and 95. */
const STREAMS = ["Workbook", "Book"];

export const xlsLoader: Loader = { id: "xls", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  if (!isCompoundFile(content.bytes)) return null;
  const streams = compoundStreams(content);
  const isWorkbook = STREAMS.some((name) =>
    streams === null ? holdsStream(content.bytes, name) : streams.has(name.toLowerCase()),
  );
  return isWorkbook ? { certainty: "certain", format } : null;
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const streams = openCompound(content);
  const stream = streams.get("workbook") ?? streams.get("book") ?? Buffer.alloc(0);
  const workbook = await BiffWorkbook.open(content, stream);
  blocks.describe(await summaryInformation(streams));
  const budget = new CellBudget(content);
  const seen = new Set<number>();
  let read = 0;
  for (const { name, isHidden, at } of workbook.sheets) {
    // No sheet lies where another does, but in a file that is to take long.
    if (seen.has(at)) continue;
    seen.add(at);
    const { rows, merged, notes, lines, end } = await BiffCells.read(workbook, stream, at);
    read += Math.max(0, end - at);
    if (read > MOST_READ * stream.length) throw content.unreadable("its sheets lie within one another");
    const writer = new SheetWriter(content, blocks, { name, isHidden, merged, notes: notes.byRow }, budget);
    for (const row of [...rows.keys()].sort((a, b) => a - b))
      writer.write(
        row,
        rows.get(row)!.sort((a, b) => a.column - b.column),
      );
    writer.finish(lines);
  }
}
