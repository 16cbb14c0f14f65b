/**
 * What documents of Office 97-2003 say of themselves, in the stream "\x05SummaryInformation".
 * Format: MS-OLEPS 2.20 and 2.21; the properties' numbers: 2.25.1.
 */
import type { DocumentProperties } from "../../../foundation/place.ts";
import { decodeAs } from "../../decode-text.ts";
import type { CompoundStreams } from "./compound-streams.ts";

const CODE_PAGE = 1;
const TITLE = 2;
const SUBJECT = 3;
const AUTHOR = 4;
const KEYWORDS = 5;
const CREATED = 12;
const SAVED = 13;
const SHORT = 2;
const BYTES = 30;
const WIDE = 31;
const FILE_TIME = 64;
const MOST_PROPERTIES = 256;
const LONGEST_TEXT = 4000;
/** Milliseconds from 1601, where these times begin, to 1970. */
const EPOCH = 11_644_473_600_000;
const UTF16 = 1200;
const UTF8 = 65001;

/** Nothing where the stream is missing or damaged: the document's text does not depend on it. */
export async function summaryInformation(streams: CompoundStreams): Promise<DocumentProperties> {
  const stream = streams.get("\u0005summaryinformation");
  if (stream === undefined || stream.length < 48) return {};
  const start = stream.readUInt32LE(44);
  const offsets = propertyOffsets(stream, start);
  const page = offsets.get(CODE_PAGE);
  const codePage =
    page !== undefined && has(stream, page, 6) && stream.readUInt32LE(page) === SHORT
      ? stream.readUInt16LE(page + 4)
      : 1252;
  const text = (id: number) => textAt(stream, offsets.get(id), codePage);
  const date = dateAt(stream, offsets.get(SAVED)) ?? dateAt(stream, offsets.get(CREATED));
  const subject = (await text(SUBJECT)) || (await text(KEYWORDS));
  return { title: await text(TITLE), author: await text(AUTHOR), subject, ...(date && { date }) };
}

function propertyOffsets(stream: Buffer, start: number): Map<number, number> {
  const offsets = new Map<number, number>();
  if (!has(stream, start, 8)) return offsets;
  const count = Math.min(MOST_PROPERTIES, stream.readUInt32LE(start + 4));
  for (let index = 0, at = start + 8; index < count && has(stream, at, 8); index += 1, at += 8)
    offsets.set(stream.readUInt32LE(at), start + stream.readUInt32LE(at + 4));
  return offsets;
}

async function textAt(stream: Buffer, at: number | undefined, codePage: number): Promise<string> {
  if (at === undefined || !has(stream, at, 8)) return "";
  const type = stream.readUInt32LE(at);
  const length = Math.min(LONGEST_TEXT, stream.readUInt32LE(at + 4));
  const isWide = type === WIDE || codePage === UTF16;
  if (type !== BYTES && type !== WIDE) return "";
  const bytes = stream.subarray(at + 8, at + 8 + (type === WIDE ? length * 2 : length));
  const name = codePage === UTF8 ? "utf-8" : `windows-${codePage}`;
  const text = isWide
    ? bytes.toString("utf16le")
    : ((await decodeAs(bytes, name)) ?? (await decodeAs(bytes, `cp${codePage}`)));
  return (text ?? bytes.toString("latin1")).split("\0", 1)[0] ?? "";
}

function dateAt(stream: Buffer, at: number | undefined): string | undefined {
  if (at === undefined || !has(stream, at, 12) || stream.readUInt32LE(at) !== FILE_TIME) return undefined;
  const time = Number(stream.readBigUInt64LE(at + 4) / 10_000n) - EPOCH;
  // Programs write nothing as the beginning of their time.
  return time > 0 && time < 8.64e15 ? new Date(time).toISOString() : undefined;
}

function has(stream: Buffer, at: number, bytes: number): boolean {
  return at >= 0 && at + bytes <= stream.length;
}
