/** RTF → blocks: what groups and control words mean for the text that stands in them. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { RtfFlow, type RtfParagraph } from "./rtf-flow.ts";
import type { RtfFonts } from "./rtf-fonts.ts";
import { RtfProperties } from "./rtf-properties.ts";
import { RtfStyles } from "./rtf-styles.ts";
import type { RtfToken } from "./rtf-tokens.ts";
import { CHARACTERS, HEADS_AND_FEET, HOLDERS, MARKED, NO_TEXT, PARAGRAPH_ENDS } from "./rtf-words.ts";

/** Where the text of a group goes: into the flow, to its list mark, to a property of the document, to no place at all. */
type Destination = "text" | "mark" | "author" | "property" | "fonts" | "styles" | "nowhere";

interface Group {
  destination: Destination;
  /** Of the group around one that says the same in two ways. */
  outer: Destination;
  /** Nothing of it is looked at. */
  isSkipped: boolean;
  flow: RtfFlow;
  /** What is done with the flow where the group ends; groups inside it have none. */
  finish: ((flow: RtfFlow) => void) | null;
  font: number | null;
  /** Units after a Unicode character that stand for it in programs that do not know it. */
  fallbackUnits: number;
  isHidden: boolean;
  isDeleted: boolean;
  paragraph: RtfParagraph;
}

const BODY: RtfParagraph = { level: null, inTable: false, listLevel: 0 };
const MOST_LEVELS = 9;

export class RtfText {
  private group: Group;
  private readonly groups: Group[] = [];
  private readonly properties = new RtfProperties();
  /** Bytes that are still to be decoded, all in one encoding. */
  private bytes = "";
  private encoding = "";
  /** Units still to be passed over after a Unicode character. */
  private fallback = 0;
  private isMarked = false;
  private describedFont: number | null = null;
  private readonly styles = new RtfStyles();
  private notes = 0;
  private author = "";
  private readonly running = new Set<string>();

  constructor(
    private readonly content: Content,
    private readonly blocks: BlockCollector,
    private readonly fonts: RtfFonts,
  ) {
    this.group = {
      destination: "text",
      outer: "text",
      isSkipped: false,
      flow: new RtfFlow(content, blocks),
      finish: null,
      font: null,
      fallbackUnits: 1,
      isHidden: false,
      isDeleted: false,
      paragraph: BODY,
    };
  }

  read(tokens: Iterable<RtfToken>): void {
    for (const token of tokens) {
      if (token.type === "open") this.open();
      else if (token.type === "close") this.close();
      else if (this.group.isSkipped) continue;
      else if (token.type === "bytes") this.text(token.bytes);
      else this.control(token.word, token.value);
    }
    while (this.groups.length > 0) this.close();
    this.decode();
    this.group.flow.end(this.group.paragraph);
    for (const text of this.running) this.blocks.add("paragraph", text);
    this.blocks.describe(this.properties.values);
  }

  private open(): void {
    this.decode();
    this.fallback = 0;
    const { maxNesting } = this.content.limits;
    if (this.groups.length >= maxNesting)
      throw this.content.unreadable(`its groups are nested more than ${maxNesting} deep`);
    this.groups.push(this.group);
    this.group = { ...this.group, finish: null };
  }

  private close(): void {
    this.decode();
    this.fallback = 0;
    const { finish, flow, paragraph, destination, isSkipped } = this.group;
    if (destination === "styles" && !isSkipped) this.styles.end();
    if (destination === "property") this.properties.end();
    this.group = this.groups.pop() ?? this.group;
    if (finish === null) return;
    flow.end(paragraph);
    finish(flow);
  }

  private text(units: string): void {
    const passed = Math.min(this.fallback, units.length);
    this.fallback -= passed;
    const { font, destination } = this.group;
    const encoding = destination === "property" ? this.fonts.documentEncoding : this.fonts.encodingOf(font);
    if (encoding !== this.encoding) this.decode();
    this.encoding = encoding;
    this.bytes += units.slice(passed);
  }

  private decode(): void {
    const { bytes, encoding } = this;
    this.bytes = "";
    if (bytes !== "" && this.isShown) this.put(this.fonts.decode(bytes, encoding));
  }

  private get isShown(): boolean {
    const { isHidden, isDeleted, destination } = this.group;
    return !isHidden && !isDeleted && destination !== "nowhere";
  }

  private put(text: string): void {
    const { destination, flow } = this.group;
    if (!this.isShown) return;
    if (destination === "text") flow.add(text);
    else if (destination === "mark") flow.addMark(text);
    else if (destination === "author") this.author += text;
    else if (destination === "property") this.properties.add(text);
    else if (destination === "styles") this.styles.addName(text);
  }

  private control(word: string, value: number | null): void {
    if (this.fallback > 0 && word !== "u") {
      // A control word stands for one unit, too.
      this.fallback -= 1;
      return;
    }
    if (word === "u") return this.unicode(value ?? 0);
    if (word === "-") return;
    this.decode();
    const isMarked = this.isMarked;
    this.isMarked = word === "*";
    if (this.isMarked) return;
    if (isMarked && !MARKED.has(word)) this.group.isSkipped = true;
    else if (NO_TEXT.has(word)) this.group.isSkipped = true;
    else if (!this.destination(word)) this.property(word, value);
  }

  private unicode(value: number): void {
    this.decode();
    this.put(String.fromCharCode(value & 0xffff));
    this.fallback = this.group.fallbackUnits;
  }

  /** Whether the word says where the group's text goes. */
  private destination(word: string): boolean {
    const { group } = this;
    if (HOLDERS.has(word)) {
      group.outer = group.destination;
      group.destination = "nowhere";
    } else if (word === "ud") group.destination = group.outer;
    else if (word === "fonttbl") group.destination = "fonts";
    else if (word === "stylesheet") group.destination = "styles";
    else if (word === "pntext" || word === "listtext") group.destination = "mark";
    else if (word === "atnauthor") {
      group.destination = "author";
      this.author = "";
    } else if (this.properties.begin(word, group.destination === "nowhere")) group.destination = "property";
    else if (word === "footnote" || word === "shptxt" || word === "dptxbxtext") this.begin((lines) => lines.join("\n"));
    else if (word === "annotation") {
      const by = this.author.trim() === "" ? "Comment" : `Comment by ${this.author.trim()}`;
      this.begin((lines) => (lines.length === 0 ? "" : `${by}: ${lines.join("\n")}`));
    } else if (HEADS_AND_FEET.has(word)) this.beginRunning();
    else return false;
    return true;
  }

  /** A flow of its own, which is shown after what is being written. */
  private begin(shown: (lines: readonly string[]) => string): void {
    const around = this.group.flow;
    this.enter(({ lines }) => {
      const text = shown(lines);
      const shows = around.lines;
      if (text === "") return;
      around.after(() => (this.isMain(around) ? this.blocks.add("paragraph", text) : void shows.push(text)));
    });
  }

  /** What stands on all pages is shown once, at the end; what only numbers them is not. */
  private beginRunning(): void {
    this.enter(({ lines }) => {
      for (const line of lines) if (/\p{L}{3}/u.test(line)) this.running.add(line);
    });
  }

  private enter(finish: (flow: RtfFlow) => void): void {
    Object.assign(this.group, {
      destination: "text",
      flow: new RtfFlow(this.content, null),
      finish,
      paragraph: BODY,
    } satisfies Partial<Group>);
  }

  private isMain(flow: RtfFlow): boolean {
    return flow === (this.groups[0] ?? this.group).flow;
  }

  private property(word: string, value: number | null): void {
    const { group } = this;
    const isOn = value !== 0;
    const character = CHARACTERS.get(word);
    if (character !== undefined) this.put(character);
    else if (PARAGRAPH_ENDS.has(word)) this.ended(() => group.flow.endParagraph(group.paragraph));
    else if (word === "cell") this.ended(() => group.flow.endCell());
    else if (word === "nestcell") this.ended(() => group.flow.endNestedCell());
    else if (word === "row") this.ended(() => group.flow.endRow());
    // It stands among the properties of the row, where no text is.
    else if (word === "nestrow") group.flow.endNestedRow();
    else if (word === "trhdr") group.flow.headRow();
    else if (word === "chftn") this.noteMark();
    else if (word === "f") this.font(value ?? 0);
    else if (word === "uc") group.fallbackUnits = Math.max(0, value ?? 1);
    else if (word === "v") group.isHidden = isOn;
    else if (word === "deleted") group.isDeleted = isOn;
    else if (word === "plain") Object.assign(group, { font: null, isHidden: false, isDeleted: false });
    else if (word === "pard") group.paragraph = BODY;
    else if (word === "intbl") group.paragraph = { ...group.paragraph, inTable: true };
    else if (word === "ilvl") group.paragraph = { ...group.paragraph, listLevel: Math.max(0, value ?? 0) };
    else if (word === "s") this.style(value ?? 0);
    else if (word === "outlinelevel") this.outlineLevel(value ?? 0);
    else if (group.destination === "property") this.properties.number(word, value ?? 0);
    else this.fonts.declare(word, value, this.describedFont);
  }

  /** Ends are those of the text; in other groups the same words describe something. */
  private ended(end: () => void): void {
    if (this.group.destination === "text" && !this.group.isDeleted) end();
  }

  private font(number: number): void {
    if (this.group.destination === "fonts") this.describedFont = number;
    else this.group.font = number;
  }

  private style(number: number): void {
    if (this.group.destination === "styles") this.styles.begin(number);
    else this.group.paragraph = { ...this.group.paragraph, level: this.styles.levelOf(number) };
  }

  private outlineLevel(value: number): void {
    const level = value >= 0 && value < MOST_LEVELS ? value + 1 : null;
    if (this.group.destination !== "styles") this.group.paragraph = { ...this.group.paragraph, level };
    else if (level !== null) this.styles.setLevel(level);
  }

  /** The number of a note, where it is referred to and where it stands. */
  private noteMark(): void {
    if (this.isMain(this.group.flow) && this.isShown) this.notes += 1;
    this.put(`[${this.notes}]${this.isMain(this.group.flow) ? "" : " "}`);
  }
}
