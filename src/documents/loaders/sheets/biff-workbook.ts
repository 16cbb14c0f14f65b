/** What the sheets of an Excel 97-2003 workbook share: which there are, the texts and formats of their cells. Format: MS-XLS 2.1.7.20.3. */
import type { Content } from "../../content.ts";
import { decodeAs } from "../../decode-text.ts";
import { BiffReader, type BiffRecord, biffRecords } from "./biff-records.ts";
import { type NumberFormatter, numberFormatter } from "./number-format.ts";
import { oneLine } from "../../clean-text.ts";

const BEGIN = 0x809;
const END = 0x0a;
const ENCRYPTED = 0x2f;
const CODE_PAGE = 0x42;
const DATE_1904 = 0x22;
const SHEET = 0x85;
const FORMAT = 0x41e;
const CELL_FORMAT = 0xe0;
const STRINGS = 0xfc;
const UNICODE = 0x600;
/** A sheet of cells among those of charts and macros. */
const CELLS = 0;
const MACROS = 1;

export interface BiffSheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** Where in the stream it begins. */
  readonly at: number;
}

export class BiffWorkbook {
  readonly sheets: BiffSheet[] = [];
  readonly strings: string[] = [];
  /** Whether texts are in Unicode, and not in a code page. */
  isUnicode = true;
  private readonly formats = new Map<number, string>();
  private readonly cellFormats: number[] = [];
  private codePage = 1252;
  private from1904 = false;
  private show: NumberFormatter = String;

  private constructor(private readonly content: Content) {}

  /** Throws UNREADABLE_FILE where the workbook is encrypted. */
  static async open(content: Content, stream: Buffer): Promise<BiffWorkbook> {
    const workbook = new BiffWorkbook(content);
    for (const record of biffRecords(stream)) {
      if (record.type === END) break;
      await workbook.take(record);
    }
    workbook.show = await numberFormatter(workbook.from1904);
    return workbook;
  }

  /** A number as it is shown in cells of a format. */
  shown(value: number, cellFormat: number): string {
    const format = this.cellFormats[cellFormat] ?? 0;
    return this.show(value, this.formats.get(format) ?? format);
  }

  /** A text of the code page, or of Unicode with the mark of its width before it. */
  async text(data: Buffer, at: number, lengthBytes: 1 | 2): Promise<string> {
    const length = lengthBytes === 1 ? data.readUInt8(at) : data.readUInt16LE(at);
    const start = at + lengthBytes;
    if (this.isUnicode) return new BiffReader([data], start).string(length);
    const bytes = data.subarray(start, start + length);
    // Apple's code page has a number of its own.
    const name = this.codePage === 10_000 || this.codePage === 32_768 ? "macintosh" : `windows-${this.codePage}`;
    return (await decodeAs(bytes, name)) ?? (await decodeAs(bytes, `cp${this.codePage}`)) ?? bytes.toString("latin1");
  }

  private async take({ type, data, parts }: BiffRecord): Promise<void> {
    if (type === ENCRYPTED) throw this.content.unreadable("it is protected with a password");
    else if (type === BEGIN) this.isUnicode = data.readUInt16LE(0) >= UNICODE;
    else if (type === CODE_PAGE) this.codePage = data.readUInt16LE(0);
    else if (type === DATE_1904) this.from1904 = data.readUInt16LE(0) === 1;
    else if (type === CELL_FORMAT) this.cellFormats.push(data.readUInt16LE(2));
    else if (type === FORMAT) this.formats.set(data.readUInt16LE(0), await this.text(data, 2, this.isUnicode ? 2 : 1));
    else if (type === STRINGS) this.takeStrings(parts);
    else if (type === SHEET && (data[5] === CELLS || data[5] === MACROS || data[5] === 2))
      this.sheets.push({
        at: data.readUInt32LE(0),
        isHidden: ((data[4] ?? 0) & 3) !== 0,
        name: await this.text(data, 6, 1),
      });
  }

  private takeStrings(parts: readonly Buffer[]): void {
    const reader = new BiffReader(parts, 4);
    // The number that is said may be any; the record's end is what holds.
    for (let left = reader.long(); left > 0; left -= 1) {
      try {
        this.strings.push(oneLine(reader.string(reader.short())));
      } catch (error) {
        if (error instanceof RangeError) return;
        throw error;
      }
    }
  }
}
