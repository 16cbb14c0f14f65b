/** Where the samples of a track lie, by its tables or by fragments, read as they are needed. */
import { type ByteSource, ByteWindow } from "../byte-source.ts";
import { type Box, boxAt, boxesIn } from "./mp4-boxes.ts";
import { MOST_PACKET_BYTES, type Packet } from "./sound.ts";

export interface TrackTable {
  readonly id: number;
  /** Units of a second. */
  readonly timescale: number;
  /** The box `stbl`. */
  readonly table: Box;
  readonly moov: Box;
}

export interface TimedSample extends Packet {
  readonly time: number;
  /** Seconds. */
  readonly duration: number;
}

/** Every sample of the track, in the order in which they are stored. Those beyond the end of a file that is cut off are left out. */
export function* mp4Samples(source: ByteSource, track: TrackTable): Generator<TimedSample> {
  const data = new ByteWindow(source);
  for (const { offset, size, start, duration } of positions(source, track)) {
    if (size === 0 || size > MOST_PACKET_BYTES || offset + size > source.size) continue;
    yield {
      data: data.read(offset, size).slice(),
      time: start / track.timescale,
      duration: duration / track.timescale,
    };
  }
}

interface Position {
  readonly offset: number;
  readonly size: number;
  /** In units of the track. */
  readonly start: number;
  readonly duration: number;
}

function* positions(source: ByteSource, track: TrackTable): Generator<Position> {
  yield* tablePositions(source, track);
  yield* fragmentPositions(source, track);
}

/** A table of entries of so many 32-bit numbers, with a window of its own. */
class Table {
  readonly count: number;
  private readonly window: ByteWindow;

  constructor(
    source: ByteSource,
    box: Box | null,
    private readonly columns: number,
    private readonly width = 4,
    /** Bytes before the count. */
    head = 4,
  ) {
    this.window = new ByteWindow(source);
    this.start = (box?.start ?? 0) + head + 4;
    const rows = Math.floor(((box?.end ?? 0) - this.start) / (columns * width));
    this.count = box === null || rows <= 0 ? 0 : Math.min(rows, this.window.view(this.start - 4, 4).getUint32(0));
  }

  private readonly start: number;

  at(row: number, column = 0): number {
    const offset = this.start + (row * this.columns + column) * this.width;
    const view = this.window.view(offset, this.width);
    if (this.width === 8) return Number(view.getBigUint64(0));
    return this.width === 4 ? view.getUint32(0) : this.width === 2 ? view.getUint16(0) : view.getUint8(0);
  }
}

function* tablePositions(source: ByteSource, { table }: TrackTable): Generator<Position> {
  const window = new ByteWindow(source);
  const box = (type: string): Box | null => boxAt(window, table, type);
  const [stsz, stz2, stco, co64] = [box("stsz"), box("stz2"), box("stco"), box("co64")];
  const chunks = co64 === null ? new Table(source, stco, 1) : new Table(source, co64, 1, 8);
  const runs = new Table(source, box("stsc"), 3);
  const times = new Table(source, box("stts"), 2);
  const fixed = stsz === null ? 0 : window.view(stsz.start + 4, 4).getUint32(0);
  const narrow = stz2 === null ? 4 : Math.max(1, window.view(stz2.start + 7, 1).getUint8(0) / 8);
  const sizes = stsz === null ? new Table(source, stz2, 1, narrow, 8) : new Table(source, stsz, 1, 4, 8);
  const total = fixed > 0 && stsz !== null ? window.view(stsz.start + 8, 4).getUint32(0) : sizes.count;
  let sample = 0;
  let run = 0;
  let timeRow = 0;
  let timeLeft = times.count > 0 ? times.at(0) : 0;
  let start = 0;
  for (let chunk = 0; chunk < chunks.count && sample < total && runs.count > 0; chunk += 1) {
    while (run + 1 < runs.count && runs.at(run + 1) <= chunk + 1) run += 1;
    const perChunk = Math.min(runs.at(run, 1), total - sample);
    let offset = chunks.at(chunk);
    // Samples of plain sound are a few bytes each: they are read chunk by chunk.
    const isPlain = fixed > 0 && fixed <= 64;
    const together = isPlain ? Math.max(1, perChunk) : 1;
    // Numbers are claims; what lies behind the end of the file is not counted up.
    for (let index = 0; index < perChunk && offset < source.size; index += together) {
      while (timeLeft < 1 && timeRow + 1 < times.count) {
        timeRow += 1;
        timeLeft = times.at(timeRow);
      }
      const duration = (times.count > 0 ? times.at(timeRow, 1) : 0) * together;
      const size = (fixed > 0 ? fixed : sizes.at(sample)) * together;
      yield { offset, size, start, duration };
      offset += size;
      start += duration;
      timeLeft -= together;
      sample += together;
    }
  }
}

/** Fragments say themselves what they hold, as streams and cameras write them. */
function* fragmentPositions(source: ByteSource, { id, moov }: TrackTable): Generator<Position> {
  const window = new ByteWindow(source);
  const extends_ = boxAt(window, moov, "mvex");
  if (extends_ === null) return;
  const usual = usualOf(window, extends_, id);
  let next = 0;
  for (const box of boxesIn(window, 0, source.size)) {
    if (box.type !== "moof") continue;
    for (const fragment of boxesIn(window, box.start, box.end)) {
      if (fragment.type !== "traf") continue;
      const moofStart = box.start - 8;
      for (const position of runsOf(window, fragment, id, moofStart, usual, next)) {
        yield position;
        next = position.start + position.duration;
      }
    }
  }
}

interface Usual {
  readonly duration: number;
  readonly size: number;
}

function usualOf(window: ByteWindow, mvex: Box, id: number): Usual {
  for (const { type, start } of boxesIn(window, mvex.start, mvex.end)) {
    if (type !== "trex") continue;
    const view = window.view(start, 24);
    if (view.byteLength === 24 && view.getUint32(4) === id)
      return { duration: view.getUint32(12), size: view.getUint32(16) };
  }
  return { duration: 0, size: 0 };
}

function* runsOf(
  window: ByteWindow,
  fragment: Box,
  id: number,
  moofStart: number,
  usual: Usual,
  next: number,
): Generator<Position> {
  const tfhd = boxAt(window, fragment, "tfhd");
  if (tfhd === null) return;
  const head = new Fields(window, tfhd);
  const flags = head.flags;
  if (head.number() !== id) return;
  const base = (flags & 1) !== 0 ? head.long() : moofStart;
  if ((flags & 2) !== 0) head.number();
  const duration = (flags & 8) !== 0 ? head.number() : usual.duration;
  const size = (flags & 16) !== 0 ? head.number() : usual.size;
  const tfdt = boxAt(window, fragment, "tfdt");
  let start = next;
  if (tfdt !== null) {
    const time = new Fields(window, tfdt);
    start = time.version === 1 ? time.long() : time.number();
  }
  let offset = base;
  for (const box of boxesIn(window, fragment.start, fragment.end)) {
    if (box.type !== "trun") continue;
    const run = new Fields(window, box);
    const count = run.number();
    if ((run.flags & 1) !== 0) offset = base + run.signed();
    if ((run.flags & 4) !== 0) run.number();
    for (let index = 0; index < count && !run.isOver; index += 1) {
      const own = {
        duration: (run.flags & 0x100) !== 0 ? run.number() : duration,
        size: (run.flags & 0x200) !== 0 ? run.number() : size,
      };
      if ((run.flags & 0x400) !== 0) run.number();
      if ((run.flags & 0x800) !== 0) run.number();
      // Without anything said of each, nothing in the box bounds their number.
      if (own.size === 0) return;
      yield { offset, start, ...own };
      offset += own.size;
      start += own.duration;
      if (offset > window.size) return;
    }
  }
}

/** The numbers of a box with version and flags, one after the other. */
class Fields {
  readonly version: number;
  readonly flags: number;
  private at: number;

  constructor(
    private readonly window: ByteWindow,
    private readonly box: Box,
  ) {
    const first = window.view(box.start, 4).getUint32(0);
    this.version = first >>> 24;
    this.flags = first & 0xffffff;
    this.at = box.start + 4;
  }

  /** Whether entries would reach behind the box; one without fields never does. */
  get isOver(): boolean {
    return this.at > this.box.end;
  }

  number(): number {
    return this.take(4).getUint32(0);
  }

  signed(): number {
    return this.take(4).getInt32(0);
  }

  long(): number {
    return Number(this.take(8).getBigUint64(0));
  }

  private take(length: number): DataView {
    const view = this.window.view(this.at, length);
    this.at += length;
    return view;
  }
}
