/** Where loaders put what they find: text is cleaned, blanks are dropped, and the whole stays within its limit. */
import { PROPERTY_KEYS, type DocumentProperties, type Place } from "../foundation/place.ts";
import type { Block, BlockKind } from "./blocks.ts";
import { cleanText, oneLine } from "./clean-text.ts";
import type { Content } from "./content.ts";
import { languageTag } from "./language-tag.ts";
import type { SubtitleEntry } from "./types.ts";
import { writtenDate } from "./written-date.ts";

/** UTF-16 units of one of a document's properties; what is longer is not one. */
const LONGEST_PROPERTY = 1000;
/** UTF-16 units of what gives meaning to other blocks. */
const LONGEST_CONTEXT = 200;

export class BlockCollector {
  readonly blocks: Block[] = [];
  readonly properties: DocumentProperties = {};
  /** What is said when in a recording, where the document is its subtitles. */
  subtitles: SubtitleEntry[] | null = null;
  private characters = 0;
  private place: Readonly<Place> | undefined;
  private context: string | undefined;
  /** What `context` was made of. */
  private said: string | null = null;
  private member: string | undefined;
  /** Where the blocks of what is being read begin: the file, or one of its members. */
  private start = 0;

  constructor(private readonly content: Content) {}

  /** Forgets the blocks of the document that is being read, for a loader that must begin again. */
  clear(): void {
    this.cut(this.start);
  }

  /** Forgets all blocks but the first so many. */
  cut(count: number): void {
    for (const { text } of this.blocks.splice(count)) this.characters -= text.length;
  }

  /** Adds what `read` adds as the text of a member, which says nothing of the whole document. */
  async within(member: string, read: () => Promise<void>): Promise<void> {
    const { place, context, said, member: outer, subtitles, start } = this;
    const properties = { ...this.properties };
    this.member = member;
    this.place = this.context = undefined;
    this.said = null;
    this.start = this.blocks.length;
    try {
      await read();
    } finally {
      Object.assign(this, { place, context, said, member: outer, subtitles, start });
      for (const key of PROPERTY_KEYS) delete this.properties[key];
      Object.assign(this.properties, properties);
    }
  }

  /** Where what is added from now on stands, until the next call. */
  at(place: Place): void {
    this.place = place;
  }

  /** What gives meaning to what is added from now on where it is parted from what came before, until the next call: a table's column names. */
  under(context: string | null): void {
    if (context === this.said) return;
    this.said = context;
    this.context =
      context === null ? undefined : startOf(cleanLine(context.slice(0, 4 * LONGEST_CONTEXT))) || undefined;
  }

  /** What the document says of itself; what was said first stays. Blanks say nothing, nor do dates and languages that are none. */
  describe(properties: DocumentProperties): void {
    for (const [key, value] of Object.entries(properties) as [keyof DocumentProperties, string | undefined][]) {
      const clean = inOneForm(key, cleanLine(value ?? ""));
      if (clean !== "" && clean.length <= LONGEST_PROPERTY) this.properties[key] ??= clean;
    }
  }

  /** Adds a block; a blank one is ignored. Throws UNREADABLE_FILE when the document becomes longer than the limit. */
  add(kind: BlockKind, text: string, level?: number): void {
    const clean = cleanText(text)
      .trimEnd()
      .replace(/^(?:[^\S\n]*\n)+/, "");
    if (clean.trim() === "") return;
    this.characters += clean.length;
    if (this.characters > this.content.limits.maxTextCharacters) throw this.content.tooMuchText();
    this.blocks.push({
      kind,
      ...(level !== undefined && { level }),
      text: clean,
      ...this.placed(),
      ...(this.context !== undefined && { context: this.context }),
    });
  }

  private placed(): Pick<Block, "place"> {
    if (this.member !== undefined) return { place: { ...this.place, member: this.member } };
    return this.place === undefined ? {} : { place: this.place };
  }
}

function startOf(context: string): string {
  return context.length <= LONGEST_CONTEXT ? context : `${context.slice(0, LONGEST_CONTEXT - 1).toWellFormed()}…`;
}

function inOneForm(key: keyof DocumentProperties, value: string): string {
  if (key === "date") return writtenDate(value) ?? "";
  return key === "language" ? (languageTag(value) ?? "") : value;
}

function cleanLine(text: string): string {
  return oneLine(cleanText(text));
}
