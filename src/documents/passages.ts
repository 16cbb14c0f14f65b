/** A document's blocks → its passages: cut, each with its place, and with the context it would lack where it stands alone. */
import { HEADING_SEPARATOR, type PassagePlace, type Place } from "../foundation/place.ts";
import { joinBlocks } from "./blocks.ts";
import type { Block, JoinedText } from "./blocks.ts";
import { Cutter } from "./chunk.ts";
import { Outline } from "./outline.ts";
import { Sections } from "./sections.ts";
import { TokenMarks } from "./token-marks.ts";
import type { Chunking, Passage, TokenCounterLike } from "./types.ts";

const LINE_FEED = 10;
const SPANS = [
  ["page", "lastPage"],
  ["slide", "lastSlide"],
  ["row", "lastRow"],
  ["line", "lastLine"],
] as const;

/** The passages of a document, in order, none blank. What belongs to different members, sheets or chapters is never in one passage. */
export async function* passagesOf(
  blocks: readonly Block[],
  chunking: Chunking,
  counter: TokenCounterLike,
): AsyncGenerator<Passage> {
  for (const part of partsOf(blocks)) yield* passagesOfPart(part, chunking, counter);
}

/** Blocks in a row that belong to one member, one sheet and one chapter. */
function* partsOf(blocks: readonly Block[]): Generator<readonly Block[]> {
  let start = 0;
  for (let index = 1; index <= blocks.length; index += 1) {
    const [before, next] = [blocks[index - 1]?.place, blocks[index]?.place];
    if (
      index < blocks.length &&
      before?.member === next?.member &&
      before?.sheet === next?.sheet &&
      before?.chapter === next?.chapter
    )
      continue;
    yield blocks.slice(start, index);
    start = index;
  }
}

async function* passagesOfPart(
  blocks: readonly Block[],
  chunking: Chunking,
  counter: TokenCounterLike,
): AsyncGenerator<Passage> {
  const joined = joinBlocks(blocks);
  const outline = new Outline(joined);
  const sections = await Sections.of(joined, outline, chunking.chunkSize, counter);
  const tokens = new TokenMarks(joined.text, counter);
  const cutter = new Cutter(joined.text, outline, tokens, chunking, (start) => sections.contextAt(start).tokens);
  const [starts, ends] = [new Places(joined, outline), new Places(joined, outline)];
  for await (const { start, end } of cutter.ranges()) {
    const context = sections.contextAt(start).text;
    const path = sections.pathAt(start);
    yield {
      text: context + joined.text.slice(start, end),
      contextLength: context.length,
      place: {
        ...spanning(starts.at(start), firstNumbers(joined, outline, start, end), ends.at(end - 1)),
        ...(path.length > 0 && { heading: path.join(HEADING_SEPARATOR) }),
      },
    };
  }
}

/** The numbers of the first part of each kind: a title before the first row, say, has none. */
function firstNumbers({ blocks }: JoinedText, outline: Outline, start: number, end: number): Place {
  const numbers: Place = {};
  const last = outline.blockAt(end - 1);
  for (const [unit] of SPANS) {
    let index = outline.blockAt(start);
    while (index < last && blocks[index]?.place?.[unit] === undefined) index += 1;
    const number = blocks[index]?.place?.[unit];
    if (number !== undefined) numbers[unit] = number;
  }
  return numbers;
}

function spanning(first: Place, numbers: Place, last: Place): PassagePlace {
  const place: PassagePlace = { ...numbers, ...first };
  for (const [unit, lastUnit] of SPANS)
    if (last[unit] !== undefined && last[unit] !== place[unit]) place[lastUnit] = last[unit];
  if (last.endTime !== undefined) place.endTime = last.endTime;
  return place;
}

/** Where ascending positions stand. A line is that of the position itself, not of its block. */
class Places {
  private block = -1;
  /** Up to where line breaks of the block are counted, and how many there are. */
  private counted = 0;
  private breaks = 0;

  constructor(
    private readonly joined: JoinedText,
    private readonly outline: Outline,
  ) {}

  at(position: number): Readonly<Place> {
    const index = this.outline.blockAt(position);
    const place = this.joined.blocks[index]?.place ?? {};
    if (place.line === undefined) return place;
    if (index !== this.block) {
      this.block = index;
      this.counted = this.joined.starts[index] ?? 0;
      this.breaks = 0;
    }
    for (; this.counted < position; this.counted += 1)
      if (this.joined.text.charCodeAt(this.counted) === LINE_FEED) this.breaks += 1;
    return { ...place, line: place.line + this.breaks };
  }
}
