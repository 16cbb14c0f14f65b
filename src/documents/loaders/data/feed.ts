/** News feeds (RSS 0.9 to 2.0, Atom): each entry under its title, with its fullest text. */
import type { BlockCollector } from "../../block-collector.ts";
import { htmlBlocks } from "../html/html-blocks.ts";
import { mailMoment } from "../calendars/moments.ts";
import type { XmlElement, XmlReader } from "./xml-events.ts";

/** The outermost elements of feeds. */
export const FEED_ROOTS = new Set(["rss", "feed", "RDF"]);

const ENTRIES = new Set(["item", "entry"]);
/** The texts of an entry, the fullest first. */
const TEXTS = ["encoded", "content", "description", "summary"];
/** The element around what is said of pictures and videos (Media RSS). */
const MEDIA = "group";
const MEDIA_TEXT = `${MEDIA} description`;
const BLANK_LINE = /\n[^\S\n]*\n/;
const PEOPLE = ["creator", "author"];
const DATES = ["pubDate", "published", "date", "updated"];
/** Elements of a feed that have titles and texts of their own. */
const ASIDE = new Set(["image", "textInput", "thumbnail", "source"]);

type Fields = Map<string, string[]>;

export class FeedReader implements XmlReader {
  private readonly feed: Fields = new Map();
  private entry: Fields | null = null;
  private isFeedWritten = false;
  private buffer: string[] = [];
  private aside = 0;

  constructor(
    private readonly blocks: BlockCollector,
    private readonly maxDepth: number,
  ) {}

  open({ name }: XmlElement, path: readonly XmlElement[]): void {
    if (this.aside > 0 || ASIDE.has(name)) {
      this.aside += 1;
      return;
    }
    if (ENTRIES.has(name)) {
      this.writeFeed();
      this.entry = new Map();
    }
    // XHTML in an entry is markup of its text.
    if (isInsideText(path)) this.buffer.push(`<${name}>`);
    else this.buffer = [];
  }

  text(text: string): void {
    if (this.aside === 0) this.buffer.push(text);
  }

  close({ name }: XmlElement, path: readonly XmlElement[]): void {
    if (this.aside > 0) {
      this.aside -= 1;
      return;
    }
    if (isInsideText(path)) {
      this.buffer.push(`</${name}>`);
      return;
    }
    if (ENTRIES.has(name)) {
      this.writeEntry(this.entry ?? new Map());
      this.entry = null;
      return;
    }
    const value = this.buffer.splice(0).join("").trim();
    if (value === "") return;
    const fields = this.entry ?? this.feed;
    const key = keyOf(name, path.at(-2)?.name);
    const values = fields.get(key);
    if (values === undefined) fields.set(key, [value]);
    else values.push(value);
  }

  end(): void {
    this.writeFeed();
  }

  private writeFeed(): void {
    if (this.isFeedWritten) return;
    this.isFeedWritten = true;
    const first = (...names: readonly string[]): string => firstOf(this.feed, names);
    this.blocks.describe({ title: first("title"), author: first("author", "creator"), language: first("language") });
    this.blocks.add("heading", first("title"), 1);
    this.markup(first("description", "subtitle"));
  }

  private writeEntry(entry: Fields): void {
    const written = firstOf(entry, DATES);
    const lines = [
      ["Author", firstOf(entry, PEOPLE)],
      ["Date", mailMoment(written)?.shown ?? written],
      ["Categories", (entry.get("category") ?? []).slice(0, 100).join(", ")],
    ].filter(([, value]) => value !== "");
    this.blocks.add("heading", firstOf(entry, ["title"]).replace(/\s+/g, " "), 2);
    this.blocks.add("paragraph", lines.map(([name, value]) => `${name}: ${value}`).join("\n"));
    const text = firstOf(entry, TEXTS);
    if (text !== "") this.markup(text);
    // Where an entry is a video, its only text describes that, and is no markup.
    else
      for (const paragraph of firstOf(entry, [MEDIA_TEXT]).split(BLANK_LINE)) this.blocks.add("paragraph", paragraph);
  }

  private markup(text: string): void {
    const blocks = this.blocks;
    // What stands in an entry stands below its title.
    const add: BlockCollector["add"] = (kind, said, level) =>
      blocks.add(kind, said, level === undefined ? undefined : Math.min(6, level + 2));
    htmlBlocks(text, { add }, { maxDepth: this.maxDepth });
  }
}

/** The author of an Atom entry is an element with a name in it; what lies in a group describes its media. */
function keyOf(name: string, around: string | undefined): string {
  if (around === MEDIA) return `${MEDIA} ${name}`;
  return name === "name" && around === "author" ? "author" : name;
}

function isInsideText(path: readonly XmlElement[]): boolean {
  return path.slice(0, -1).some(({ name }) => TEXTS.includes(name));
}

function firstOf(fields: Fields, names: readonly string[]): string {
  for (const name of names) {
    const value = fields.get(name)?.[0];
    if (value !== undefined) return value;
  }
  return "";
}
