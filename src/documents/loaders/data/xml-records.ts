/** XML of data: each value with the names of the elements in which it stands, and one block for each record. */
import type { BlockCollector } from "../../block-collector.ts";
import type { XmlElement, XmlReader } from "./xml-events.ts";

/** A block is closed at the end of an element once it is longer than this. */
const LONG_BLOCK = 1000;
/** A value of more characters is a text for itself. */
const LONG_VALUE = 200;
/** Names of elements before a value; what stands further out says little of it. */
const MOST_NAMES = 4;
/** Elements whose text needs no name, and in which others are words. */
const PARAGRAPHS = new Set(["p", "para", "simpara"]);
/** Attributes that are written for people, whatever they hold. */
const SPOKEN = new Set(
  "title alt name label caption summary description desc text value content subject message comment author".split(" "),
);
/** Attributes that are written for programs, also where they hold words. */
const UNSPOKEN =
  /^(?:xmlns|xsi?:|xml:|class$|style$|id$|.*[:-](?:id|ref|uri)$|schemaLocation$|d$|points$|transform$|viewBox$)/i;

/** An open element, as far as it is not written yet. */
interface Level {
  text: string[];
  /** The element in it that was closed last. */
  lastChild: string;
  isMixed: boolean;
}

export class RecordReader implements XmlReader {
  private readonly levels: Level[] = [];
  private lines: string[] = [];
  private length = 0;

  constructor(private readonly blocks: BlockCollector) {}

  open({ name, attributes }: XmlElement, path: readonly XmlElement[]): void {
    const around = this.levels.at(-1);
    if (around !== undefined && !around.isMixed) {
      around.isMixed = PARAGRAPHS.has(path.at(-2)!.name) || around.text.join("").trim() !== "";
      if (!around.isMixed) {
        around.text = [];
        // Where one of its kind stood before, another record begins.
        if (around.lastChild === name || this.levels.length === 1) this.flush();
      }
    }
    const isWord = around?.isMixed === true;
    this.levels.push({ text: [], lastChild: "", isMixed: isWord });
    if (isWord) return;
    for (const [key, value] of Object.entries(attributes)) {
      const isPhrase = /\p{L}\S*\s+\S*\p{L}/u.test(value) && !UNSPOKEN.test(key);
      if (SPOKEN.has(key.slice(key.lastIndexOf(":") + 1).toLowerCase()) || isPhrase) this.line(path, key, value);
    }
  }

  text(text: string): void {
    this.levels.at(-1)!.text.push(text);
  }

  close({ name }: XmlElement, path: readonly XmlElement[]): void {
    const { text, isMixed } = this.levels.pop()!;
    const around = this.levels.at(-1);
    const value = text.join("");
    // Elements inside a text are words of it.
    if (around?.isMixed) around.text.push(value);
    else {
      if (value.trim() !== "" || isMixed) this.line(path, null, value);
      if (around !== undefined) around.lastChild = name;
      if (this.length > LONG_BLOCK) this.flush();
    }
  }

  end(): void {
    this.flush();
  }

  private line(path: readonly XmlElement[], attribute: string | null, written: string): void {
    const value = written
      .replace(/[^\S\n]+/g, " ")
      .replace(/\s*\n\s*/g, "\n")
      .trim();
    if (value === "") return;
    const names = path
      .slice(path.length > 1 ? 1 : 0)
      .slice(-MOST_NAMES)
      .map(({ name }) => name);
    if (attribute !== null) names.push(attribute.slice(attribute.lastIndexOf(":") + 1));
    const isText = value.length > LONG_VALUE || PARAGRAPHS.has(names.at(-1)!);
    const line = isText ? value : `${names.join(".")}: ${value}`;
    this.lines.push(line);
    this.length += line.length;
  }

  private flush(): void {
    this.blocks.add("paragraph", this.lines.join("\n"));
    this.lines = [];
    this.length = 0;
  }
}
