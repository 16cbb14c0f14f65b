/**
 * Streams and storages of OLE compound files (MS-CFB), read with distrust: every chain and every tree of the file is followed at most once
 * around, so that damage and malice end in an error and not in a loop.
 */
import { isCompoundFile } from "../../compound-file.ts";

const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
const MINI_SECTOR_BYTES = 64;
const MINI_STREAM_BELOW = 4096;
/** Sector numbers from here on mean the end of a chain, or no sector. */
const FIRST_SPECIAL = 0xfffffffa;
const HEADER_TABLE_SECTORS = 109;
const NO_ENTRY = 0xffffffff;
const STORAGE = 1;
const STREAM = 2;
const ROOT = 5;

/** Why a container cannot be read, as the rest of a sentence about the file. */
export class CompoundRefusal extends Error {}

/** A folder of the container. Names are as they are written there. */
export interface Storage {
  readonly name: string;
  readonly storages: Storage[];
  readonly streams: Map<string, Stream>;
}

/** Where a stream lies; `CompoundReader.read` gives its bytes. */
export interface Stream {
  readonly start: number;
  readonly size: number;
}

interface Entry {
  readonly name: string;
  readonly type: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

export class CompoundReader {
  /** What lies at the top. */
  readonly root: Storage;
  private readonly data: DataView;
  private readonly sectorBytes: number;
  private readonly table: Uint32Array;
  private readonly miniTable: Uint32Array;
  private readonly miniStream: Uint8Array;

  /** Throws CompoundRefusal when the container is damaged. */
  constructor(private readonly bytes: Uint8Array) {
    if (!isCompoundFile(bytes) || bytes.length < HEADER_BYTES) throw damaged();
    this.data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const shift = this.data.getUint16(30, true);
    if (shift !== 9 && shift !== 12) throw damaged();
    this.sectorBytes = 1 << shift;
    this.table = this.numbersOf(this.tableSectors());
    const entries = this.entries();
    const top = entries[0];
    if (top?.type !== ROOT) throw damaged();
    this.miniTable = this.numbersOf(this.chain(this.data.getUint32(60, true), this.table));
    this.miniStream = this.joined(this.chain(top.start, this.table)).subarray(0, top.size);
    this.root = this.tree(top, entries, new Set([0]));
  }

  /** The bytes of a stream. Throws CompoundRefusal when its chain is damaged. */
  read({ start, size }: Stream): Uint8Array {
    if (size === 0) return new Uint8Array();
    if (size > this.bytes.length) throw damaged();
    if (size >= MINI_STREAM_BELOW)
      return this.joined(this.chain(start, this.table, Math.ceil(size / this.sectorBytes))).subarray(0, size);
    const sectors = this.chain(start, this.miniTable, Math.ceil(size / MINI_SECTOR_BYTES));
    const parts = sectors.map((at) => this.miniStream.subarray(at * MINI_SECTOR_BYTES, (at + 1) * MINI_SECTOR_BYTES));
    return Buffer.concat(parts).subarray(0, size);
  }

  /** The sectors in which the table of chains lies: those named in the header, then those named in a chain of their own. */
  private tableSectors(): number[] {
    const sectors: number[] = [];
    const take = (at: number, count: number): void => {
      for (let index = 0; index < count; index += 1) {
        const sector = this.data.getUint32(at + index * 4, true);
        if (sector < FIRST_SPECIAL) sectors.push(sector);
      }
    };
    take(76, HEADER_TABLE_SECTORS);
    const seen = new Set<number>();
    for (let next = this.data.getUint32(68, true); next < FIRST_SPECIAL; ) {
      if (seen.has(next)) throw damaged();
      seen.add(next);
      const at = this.offsetOf(next);
      if (at + this.sectorBytes > this.bytes.length) throw damaged();
      take(at, this.sectorBytes / 4 - 1);
      next = this.data.getUint32(at + this.sectorBytes - 4, true);
    }
    if (sectors.length * this.sectorBytes > this.bytes.length) throw damaged();
    return sectors;
  }

  /** The sectors of a chain, at most so many. */
  private chain(start: number, table: Uint32Array, most = table.length): number[] {
    const sectors: number[] = [];
    for (let next = start; next < FIRST_SPECIAL && sectors.length < most; next = table[next] ?? FIRST_SPECIAL) {
      if (next >= table.length) throw damaged();
      sectors.push(next);
    }
    return sectors;
  }

  private joined(sectors: readonly number[]): Uint8Array {
    return Buffer.concat(
      sectors.map((sector) => this.bytes.subarray(this.offsetOf(sector), this.offsetOf(sector) + this.sectorBytes)),
    );
  }

  private numbersOf(sectors: readonly number[]): Uint32Array {
    const joined = this.joined(sectors);
    const view = new DataView(joined.buffer, joined.byteOffset, joined.byteLength);
    return Uint32Array.from({ length: Math.floor(joined.length / 4) }, (_, index) => view.getUint32(index * 4, true));
  }

  private offsetOf(sector: number): number {
    return (sector + 1) * this.sectorBytes;
  }

  private entries(): Entry[] {
    const joined = this.joined(this.chain(this.data.getUint32(48, true), this.table));
    const view = new DataView(joined.buffer, joined.byteOffset, joined.byteLength);
    const entries: Entry[] = [];
    for (let at = 0; at + ENTRY_BYTES <= joined.length; at += ENTRY_BYTES) {
      const nameBytes = Math.min(64, view.getUint16(at + 64, true));
      entries.push({
        name: Buffer.from(joined.buffer, joined.byteOffset + at, Math.max(0, nameBytes - 2)).toString("utf16le"),
        type: view.getUint8(at + 66),
        left: view.getUint32(at + 68, true),
        right: view.getUint32(at + 72, true),
        child: view.getUint32(at + 76, true),
        start: view.getUint32(at + 116, true),
        size: view.getUint32(at + 120, true),
      });
    }
    return entries;
  }

  /** The folder with all that lies in it. Each entry belongs to one folder. */
  private tree(top: Entry, entries: readonly Entry[], taken: Set<number>): Storage {
    const root: Storage = { name: "", storages: [], streams: new Map() };
    const waiting: Array<readonly [number, Storage]> = [[top.child, root]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [index, folder] = next;
      const entry = entries[index];
      if (index === NO_ENTRY || entry === undefined || taken.has(index)) continue;
      taken.add(index);
      if (entry.type === STREAM) folder.streams.set(entry.name, entry);
      if (entry.type === STORAGE) {
        const inner: Storage = { name: entry.name, storages: [], streams: new Map() };
        folder.storages.push(inner);
        waiting.push([entry.child, inner]);
      }
      waiting.push([entry.right, folder], [entry.left, folder]);
    }
    return root;
  }
}

function damaged(): CompoundRefusal {
  return new CompoundRefusal("its container is cut off or damaged");
}
