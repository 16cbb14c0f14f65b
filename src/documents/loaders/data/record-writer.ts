/** Structured data, of whatever notation, as "path: value" lines in the order of the file, one block for each record. */
import { oneLine } from "../../clean-text.ts";
import type { BlockCollector } from "../../block-collector.ts";
import type { JsonEvents } from "./json-scanner.ts";

/** Elements of an array are put on one line while they are at most this long. */
const SHORT_ELEMENT = 80;
/** A block is closed at the next record or member of the outermost object once it is longer than this. */
const LONG_BLOCK = 1000;
/** A block is closed wherever it is longer than this, so that the limit of all text is noticed while it is written. */
const LONGEST_BLOCK = 100_000;
/** Characters of one name, and of all names before a value: they are repeated with each value. */
const LONGEST_NAME = 200;
const LONGEST_PATH = 500;

interface Level {
  array: boolean;
  /** Whether values of this level extend the path by a key of their own. */
  keyed: boolean;
  /** Scalars of an array, waiting to be written on one line. */
  scalars: string[];
}

export class RecordWriter implements JsonEvents {
  private readonly path: string[] = [];
  private readonly levels: Level[] = [];
  private lines: string[] = [];
  private length = 0;

  constructor(private readonly blocks: BlockCollector) {}

  beginObject(): void {
    // An element of an array is a record of its own.
    if (this.levels.length === 0 || this.levels.at(-1)?.array) this.endRecord();
    this.levels.push({ array: false, keyed: false, scalars: [] });
  }

  key(name: string): void {
    const level = this.levels.at(-1);
    if (level?.keyed) this.path.pop();
    else if (level !== undefined) level.keyed = true;
    this.path.push(shortened(oneLine(name)));
    if (this.levels.length === 1 && this.length > LONG_BLOCK) this.flush();
  }

  endObject(): void {
    if (this.levels.pop()?.keyed) this.path.pop();
    if (this.levels.at(-1)?.array) this.flush();
  }

  beginArray(): void {
    this.writeScalars();
    this.levels.push({ array: true, keyed: false, scalars: [] });
  }

  endArray(): void {
    this.writeScalars();
    this.levels.pop();
  }

  string(value: string): void {
    if (/^data:[^,]{0,100};base64,/i.test(value)) return;
    this.scalar(value.trim());
  }

  literal(written: string): void {
    if (written !== "null") this.scalar(written);
  }

  /** What is said about the values that follow. */
  comment(text: string): void {
    if (text.trim() === "") return;
    this.writeScalars();
    this.lines.push(text.trim());
    this.length += text.length;
  }

  /** Writes out what has been gathered. */
  flush(): void {
    this.blocks.add("paragraph", this.lines.join("\n"));
    this.lines = [];
    this.length = 0;
  }

  private endRecord(): void {
    this.writeScalars();
    this.flush();
  }

  private scalar(value: string): void {
    if (value === "") return;
    const level = this.levels.at(-1);
    if (level?.array) level.scalars.push(value);
    else this.line(value);
  }

  private writeScalars(): void {
    const scalars = this.levels.at(-1)?.scalars.splice(0) ?? [];
    if (scalars.length === 0) return;
    if (scalars.every((value) => value.length <= SHORT_ELEMENT)) this.line(scalars.join(", "));
    else for (const value of scalars) this.line(value);
  }

  private line(value: string): void {
    const path = pathOf(this.path);
    const line = path === "" ? value : `${path}: ${value}`;
    this.lines.push(line);
    this.length += line.length;
    if (this.length > LONGEST_BLOCK) this.flush();
  }
}

/** Not cut inside a character. */
function shortened(name: string): string {
  return name.length <= LONGEST_NAME ? name : name.slice(0, LONGEST_NAME).replace(/[\ud800-\udbff]$/, "");
}

/** The names before a value; of very many, those next to it. */
function pathOf(names: readonly string[]): string {
  let first = names.length;
  for (let length = 0; first > 0; first -= 1) {
    length += names[first - 1]!.length + 1;
    if (length > LONGEST_PATH) break;
  }
  return names
    .slice(first)
    .filter((name) => name !== "")
    .join(".");
}
