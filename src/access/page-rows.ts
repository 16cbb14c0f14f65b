/**
 * Rows taken from the pages of an SQLite file themselves, wherever one holds rows that can be read: also where what leads to them is
 * damaged, the first page included. The form of the file: https://sqlite.org/fileformat2.html
 */
import { readFileSync } from "node:fs";

export type Value = string | number | Uint8Array | null;

export interface PageRow {
  /** Whether it is of a table with row numbers; else of an index, or of a table without them. */
  readonly isNumbered: boolean;
  readonly values: readonly Value[];
}

/** By the first byte of a page that holds rows: whether these have numbers, and the bytes of the page's head and of a child's number before each row. */
const ROW_PAGES: Readonly<Record<number, { isNumbered: boolean; headBytes: number; childBytes: number }>> = {
  2: { isNumbered: false, headBytes: 12, childBytes: 4 },
  10: { isNumbered: false, headBytes: 8, childBytes: 0 },
  13: { isNumbered: true, headBytes: 8, childBytes: 0 },
};
/** In front of the first page. */
const FILE_HEAD_BYTES = 100;
/** Rows here are never so large: what says so is damaged. */
const MOST_ROW_BYTES = 1024 ** 2;
/** Bytes that describe each page which another may be moved to. */
const POINTER_BYTES = 5;

/**
 * Every row that is whole, of the database at `path` with what its write-ahead log holds. A page of which the head is damaged has none, a row
 * that does not add up is left out. `pageBytes` is taken where neither file says how large its pages are.
 */
export function* rowsInPages(path: string, pageBytes: number): Generator<PageRow> {
  const pages = readPages(path, pageBytes);
  for (const [number, page] of pages.all()) if (!isPointerMap(number, page.length)) yield* rowsOf(pages, number, page);
}

class Pages {
  constructor(
    private readonly file: Buffer,
    readonly size: number,
    private readonly logged: ReadonlyMap<number, Buffer>,
  ) {}

  get(number: number): Buffer | undefined {
    const logged = this.logged.get(number);
    if (logged !== undefined) return logged;
    const page = this.file.subarray((number - 1) * this.size, number * this.size);
    return page.length === this.size ? page : undefined;
  }

  *all(): Generator<[number, Buffer]> {
    const last = Math.max(Math.floor(this.file.length / this.size), ...this.logged.keys());
    for (let number = 1; number <= last; number++) {
      const page = this.get(number);
      if (page !== undefined) yield [number, page];
    }
  }
}

function readPages(path: string, pageBytes: number): Pages {
  const file = readIfThere(path);
  const log = readIfThere(`${path}-wal`);
  const logged = log.length > LOG_HEAD_BYTES ? log.readUInt32BE(8) : 0;
  const said = file.length > FILE_HEAD_BYTES ? file.readUInt16BE(16) : 0;
  const size = [logged, said].find(isPageSize) ?? pageBytes;
  return new Pages(file, size, committedPages(log, size));
}

const isPageSize = (bytes: number): boolean => bytes >= 512 && bytes <= 32_768 && (bytes & (bytes - 1)) === 0;

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    // Missing, or something else than a file: it holds nothing.
    return Buffer.alloc(0);
  }
}

const LOG_HEAD_BYTES = 32;
const FRAME_HEAD_BYTES = 24;
const LOG_MAGIC = 0x377f0682;

/** The newest content of each page in a write-ahead log, up to the last commit before the first damage. */
function committedPages(log: Buffer, size: number): Map<number, Buffer> {
  const committed = new Map<number, Buffer>();
  if (log.length < LOG_HEAD_BYTES || log.readUInt32BE(0) >>> 1 !== LOG_MAGIC >>> 1 || log.readUInt32BE(8) !== size)
    return committed;
  const isBigEndian = (log.readUInt32BE(0) & 1) === 1;
  let sum = addToSum([0, 0], log.subarray(0, 24), isBigEndian);
  if (sum[0] !== log.readUInt32BE(24) || sum[1] !== log.readUInt32BE(28)) return committed;
  const salts = log.subarray(16, 24);
  let waiting: [number, Buffer][] = [];
  for (let at = LOG_HEAD_BYTES; at + FRAME_HEAD_BYTES + size <= log.length; at += FRAME_HEAD_BYTES + size) {
    const head = log.subarray(at, at + FRAME_HEAD_BYTES);
    const page = log.subarray(at + FRAME_HEAD_BYTES, at + FRAME_HEAD_BYTES + size);
    sum = addToSum(addToSum(sum, head.subarray(0, 8), isBigEndian), page, isBigEndian);
    const isWhole =
      head.subarray(8, 16).equals(salts) && sum[0] === head.readUInt32BE(16) && sum[1] === head.readUInt32BE(20);
    if (!isWhole) break;
    waiting.push([head.readUInt32BE(0), page]);
    const isCommit = head.readUInt32BE(4) !== 0;
    if (!isCommit) continue;
    for (const [number, content] of waiting) committed.set(number, content);
    waiting = [];
  }
  return committed;
}

function addToSum([first, second]: readonly [number, number], bytes: Buffer, isBigEndian: boolean): [number, number] {
  let [a, b] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + b) >>> 0;
    b = (b + (isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + a) >>> 0;
  }
  return [a, b];
}

/** Of a database that can give space back, some pages say where others are used. */
const isPointerMap = (number: number, size: number): boolean =>
  number >= 2 && (number - 2) % (Math.floor(size / POINTER_BYTES) + 1) === 0;

function* rowsOf(pages: Pages, number: number, page: Buffer): Generator<PageRow> {
  const head = number === 1 ? FILE_HEAD_BYTES : 0;
  const kind = ROW_PAGES[page[head]!];
  if (kind === undefined) return;
  const count = page.readUInt16BE(head + 3);
  const cells = head + kind.headBytes;
  for (let index = 0; index < count && cells + 2 * index + 2 <= page.length; index++) {
    const values = valuesAt(pages, page, page.readUInt16BE(cells + 2 * index) + kind.childBytes, kind.isNumbered);
    if (values !== null) yield { isNumbered: kind.isNumbered, values };
  }
}

/** The row that begins at a place of a page; null where it is not whole. */
function valuesAt(pages: Pages, page: Buffer, start: number, isNumbered: boolean): Value[] | null {
  try {
    const reader = new Reader(page, start);
    const bytes = reader.variable();
    if (isNumbered) reader.variable();
    if (bytes > MOST_ROW_BYTES) return null;
    return decode(payload(pages, page, reader.at, bytes, isNumbered));
  } catch {
    // It points out of its page, or holds what no text is.
    return null;
  }
}

/** A row's bytes: those in its page, and those in the pages that these lead to. Throws RangeError where they lead nowhere. */
function payload(pages: Pages, page: Buffer, at: number, bytes: number, isNumbered: boolean): Buffer {
  const size = page.length;
  const most = isNumbered ? size - 35 : Math.floor(((size - 12) * 64) / 255) - 23;
  const least = Math.floor(((size - 12) * 32) / 255) - 23;
  const overlap = least + ((bytes - least) % (size - 4));
  const here = bytes <= most ? bytes : overlap <= most ? overlap : least;
  const parts = [part(page, at, here)];
  let next = here < bytes ? page.readUInt32BE(at + here) : 0;
  for (let left = bytes - here; left > 0; ) {
    const more = pages.get(next);
    if (more === undefined) throw new RangeError("A row leads out of its file.");
    parts.push(part(more, 4, Math.min(left, size - 4)));
    left -= parts.at(-1)!.length;
    next = more.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

function part(page: Buffer, at: number, bytes: number): Buffer {
  if (at + bytes > page.length) throw new RangeError("A row leads out of its page.");
  return page.subarray(at, at + bytes);
}

/** Throws where the bytes are no row. */
function decode(bytes: Buffer): Value[] {
  const head = new Reader(bytes, 0);
  const headBytes = head.variable();
  const types: number[] = [];
  while (head.at < headBytes) types.push(head.variable());
  const values: Value[] = [];
  let at = headBytes;
  for (const type of types) {
    const length = type >= 12 ? Math.floor((type - 12) / 2) : INTEGER_BYTES[type]!;
    values.push(decodeValue(type, part(bytes, at, length)));
    at += length;
  }
  if (head.at !== headBytes || at !== bytes.length) throw new RangeError("A row does not add up.");
  return values;
}

/** By the type of a value; 7 is a number with a fraction, 8 and 9 are 0 and 1. */
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];
const TEXT = new TextDecoder("utf-8", { fatal: true });

function decodeValue(type: number, bytes: Buffer): Value {
  if (type === 0) return null;
  if (type === 8 || type === 9) return type - 8;
  if (type === 7) return bytes.readDoubleBE();
  if (type === 6) return Number(bytes.readBigInt64BE());
  if (type < 6) return bytes.readIntBE(0, bytes.length);
  return type % 2 === 0 ? new Uint8Array(bytes) : TEXT.decode(bytes);
}

class Reader {
  constructor(
    private readonly bytes: Buffer,
    public at: number,
  ) {}

  /** A number of 1 to 9 bytes; one beyond what is exact is not what it was. */
  variable(): number {
    let value = 0;
    for (let index = 0; index < 9; index++) {
      const byte = this.bytes.readUInt8(this.at++);
      if (index === 8) return value * 256 + byte;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    return value;
  }
}
