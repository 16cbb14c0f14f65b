/**
 * PowerPoint 97-2003 files as records: each has a type and a length, and many hold others. A file keeps what was before each saving; a directory says
 * which objects count. Format: MS-PPT 2.1 and 2.3.
 */
import type { Content } from "../../content.ts";
import type { CompoundStreams } from "../office/compound-streams.ts";

const HEADER_BYTES = 8;
const CONTAINER = 0xf;
/** What later versions added lies in one of these, though it is no container by its header. */
const ADDITIONS = 0x138b;
const ENCRYPTED = 0xf3d1c4df;
const MOST_SAVINGS = 10_000;
/** A saving says so when the file is encrypted: it is longer then. */
const PLAIN_SAVING_BYTES = 0x1c;

export interface PptRecord {
  readonly type: number;
  readonly instance: number;
  readonly isContainer: boolean;
  readonly data: Buffer;
}

/** The records that lie one after another in the bytes; one that is cut off is the last. */
export function* recordsOf(bytes: Buffer): Generator<PptRecord> {
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const head = bytes.readUInt16LE(at);
    const end = at + HEADER_BYTES + bytes.readUInt32LE(at + 4);
    const type = bytes.readUInt16LE(at + 2);
    yield {
      type,
      instance: head >>> 4,
      isContainer: (head & CONTAINER) === CONTAINER || type === ADDITIONS,
      data: bytes.subarray(at + HEADER_BYTES, end),
    };
    at = end;
  }
}

/** All records within the bytes, those inside others after them. What lies deeper than `depth` is left out. */
export function* allRecords(bytes: Buffer, depth: number): Generator<PptRecord> {
  if (depth === 0) return;
  for (const record of recordsOf(bytes)) {
    yield record;
    if (record.isContainer) yield* allRecords(record.data, depth - 1);
  }
}

export class PptFile {
  private constructor(
    private readonly stream: Buffer,
    /** Where each object was saved last. */
    private readonly offsets: ReadonlyMap<number, number>,
    private readonly documentNumber: number,
  ) {}

  /** Throws UNREADABLE_FILE for encrypted files and for older versions. */
  static open(content: Content, streams: CompoundStreams): PptFile {
    const stream = streams.get("powerpoint document");
    const user = streams.get("current user");
    if (stream === undefined || user === undefined)
      throw content.unreadable("it was made by PowerPoint 95 or older; open it in PowerPoint and save it as .pptx");
    if (user.readUInt32LE(12) === ENCRYPTED) throw content.unreadable("it is protected with a password");
    const offsets = new Map<number, number>();
    const seen = new Set<number>();
    let documentNumber = 0;
    let directoryBytes = 0;
    for (let at = user.readUInt32LE(16); at > 0 && !seen.has(at) && seen.size < MOST_SAVINGS; ) {
      seen.add(at);
      if (stream.readUInt32LE(at + 4) > PLAIN_SAVING_BYTES) throw content.unreadable("it is protected with a password");
      directoryBytes += takeDirectory(stream, stream.readUInt32LE(at + 20), offsets);
      if (directoryBytes > stream.length) throw new Error("its directories overlap");
      documentNumber ||= stream.readUInt32LE(at + 24);
      at = stream.readUInt32LE(at + 16);
    }
    return new PptFile(stream, offsets, documentNumber);
  }

  get document(): PptRecord | undefined {
    return this.object(this.documentNumber);
  }

  /** An object by its number. */
  object(number: number): PptRecord | undefined {
    const at = this.offsets.get(number);
    return at === undefined ? undefined : recordsOf(this.stream.subarray(at)).next().value;
  }
}

/** Later savings are taken first, so what is known already counts. Returns the directory's size. */
function takeDirectory(stream: Buffer, at: number, offsets: Map<number, number>): number {
  const directory: PptRecord | undefined = recordsOf(stream.subarray(at)).next().value;
  const data = directory?.data ?? Buffer.alloc(0);
  for (let entry = 0; entry + 4 <= data.length; ) {
    const packed = data.readUInt32LE(entry);
    const [first, count] = [packed & 0xfffff, packed >>> 20];
    entry += 4;
    for (let index = 0; index < count && entry + 4 <= data.length; index += 1, entry += 4)
      if (!offsets.has(first + index)) offsets.set(first + index, data.readUInt32LE(entry));
  }
  return data.length;
}
