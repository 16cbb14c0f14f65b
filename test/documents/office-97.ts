/** Files of Office 97-2003 made by code: streams in a compound file. */
import { utils, write } from "cfb";

/** A compound file of these streams, with properties of its own where they are given. */
export function compoundOf(streams: Readonly<Record<string, Uint8Array>>, title?: string): Uint8Array {
  const container = utils.cfb_new();
  for (const [name, bytes] of Object.entries(streams)) utils.cfb_add(container, `/${name}`, Buffer.from(bytes));
  if (title !== undefined) utils.cfb_add(container, "/\u0005SummaryInformation", summary(title));
  return Uint8Array.from(write(container, { type: "buffer" }) as Buffer);
}

function summary(title: string): Buffer {
  // A code page at 32, a time at 40, the title at 52.
  const section = Buffer.alloc(60 + title.length);
  section.set(u32(section.length, 3, 1, 32, 13, 40, 2, 52, 2, 1252, 64, 0x3a5f8000, 0x01c11d3a, 30), 0);
  section.writeUInt32LE(title.length, 56);
  section.write(title, 60, "latin1");
  const head = Buffer.alloc(48);
  head.writeUInt16LE(0xfffe, 0);
  head.writeUInt32LE(1, 24);
  head.writeUInt32LE(48, 44);
  return Buffer.concat([head, section]);
}

export function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32LE(value >>> 0, index * 4));
  return bytes;
}

export interface WordParagraph97 {
  readonly text: string;
  /** The number of its style: 1 to 9 are headings. */
  readonly style?: number;
  /** Modifiers, each its bytes. */
  readonly modifiers?: readonly number[];
  /** Modifiers of its characters. */
  readonly characters?: readonly number[];
  /** Its mark; a paragraph's by default. */
  readonly mark?: string;
}

/** A level of a list: how it is numbered, and what is printed, with "\u0000" for the number of the first level. */
export interface WordLevel97 {
  readonly format: number;
  readonly text: string;
  readonly start?: number;
}

export interface WordLists97 {
  readonly lists: readonly (readonly WordLevel97[])[];
  /** What paragraphs refer to, from 1 on: a list by its place, and where each of its levels begins. */
  readonly references: readonly { readonly list: number; readonly starts?: readonly number[] }[];
  /** Modifiers of the paragraphs of styles. */
  readonly styles?: Readonly<Record<number, readonly number[]>>;
}

export interface WordStories97 {
  readonly body: readonly WordParagraph97[];
  readonly footnotes?: readonly string[];
  readonly headers?: readonly string[];
  readonly comments?: readonly { readonly author: string; readonly text: string }[];
  readonly endnotes?: readonly string[];
  readonly textBoxes?: readonly string[];
}

export const TABLE_CELL = { modifiers: [0x16, 0x24, 1], mark: "\u0007" };
export const TABLE_ROW = { text: "", modifiers: [0x16, 0x24, 1, 0x17, 0x24, 1], mark: "\u0007" };
export const LIST_ITEM = { modifiers: [0x0b, 0x46, 1, 0] };
/** A paragraph of a level, from 0 on, of what the document refers to as a list, from 1 on. */
export const listItem = (list: number, level: number) => ({ modifiers: [0x0b, 0x46, list, 0, 0x0a, 0x26, level] });
export const DELETED = { characters: [0x00, 0x08, 1] };

/** A Word 97 document. Notes are referred to by "\u0002" in the body, comments by "\u0005", in their order: footnotes, then endnotes. */
export function word97(
  stories: WordStories97,
  { flags = 0, identifier = 0xa5ec, title = "", numbering = undefined as WordLists97 | undefined } = {},
): Uint8Array {
  const plain = (texts: readonly string[] = []) => texts.map((text): WordParagraph97 => ({ text }));
  const { body, footnotes = [], headers = [], comments = [], endnotes = [], textBoxes = [] } = stories;
  const inOrder = [
    body,
    plain(footnotes),
    plain(headers),
    plain(comments.map(({ text }) => text)),
    plain(endnotes),
    plain(textBoxes),
  ];
  const lengths = inOrder.map((story) =>
    story.reduce((sum, { text, mark = "\r" }) => sum + text.length + mark.length, 0),
  );
  const paragraphs = inOrder.flat();
  const text = paragraphs.map((paragraph) => paragraph.text + (paragraph.mark ?? "\r")).join("");

  const main = Buffer.alloc(0x800 + text.length * 2 + 2048);
  main.writeUInt16LE(identifier, 0);
  main.writeUInt16LE(0xc1, 2);
  main.writeUInt16LE(flags, 0x0a);
  [0x4c, 0x50, 0x54, 0x5c, 0x60, 0x64].forEach((at, index) => main.writeUInt32LE(lengths[index]!, at));
  main.write(text, 0x800, "utf16le");

  const table: Buffer[] = [Buffer.alloc(4)];
  const structure = (number: number, bytes: Buffer) => {
    main.writeUInt32LE(Buffer.concat(table).length, 0x9a + number * 8);
    main.writeUInt32LE(bytes.length, 0x9a + number * 8 + 4);
    table.push(bytes);
  };
  const bodyText = text.slice(0, lengths[0]);
  const marks = (mark: string) => [...bodyText.matchAll(new RegExp(mark, "g"))].map(({ index }) => index);
  const starts = (texts: readonly string[]) => {
    let at = 0;
    return [0, ...texts.map((said) => (at += said.length + 1))];
  };
  const notes = marks("\u0002");
  const end = bodyText.length;
  structure(2, Buffer.concat([u32(...notes.slice(0, footnotes.length), end), Buffer.alloc(footnotes.length * 2)]));
  structure(3, u32(...starts(footnotes)));
  structure(46, Buffer.concat([u32(...notes.slice(footnotes.length), end), Buffer.alloc(endnotes.length * 2)]));
  structure(47, u32(...starts(endnotes)));
  const described = comments.map((_, index) => Buffer.concat([Buffer.alloc(20), Buffer.of(index, 0), Buffer.alloc(8)]));
  structure(4, Buffer.concat([u32(...marks("\u0005"), end), ...described]));
  structure(5, u32(...starts(comments.map((comment) => comment.text))));
  structure(
    36,
    Buffer.concat(
      comments.map(({ author }) => Buffer.concat([Buffer.of(author.length, 0), Buffer.from(author, "utf16le")])),
    ),
  );
  structure(11, u32(...starts(headers)));
  structure(
    33,
    Buffer.concat([Buffer.of(2), u32(16), u32(0, text.length), Buffer.of(0, 0), u32(0x800), Buffer.of(0, 0)]),
  );
  // Styles 0 to 9 are those that every document has.
  const style = (id: number) => {
    const own = numbering?.styles?.[id] ?? [];
    const named = own.length === 0 ? [] : [0, 0, 0, 0, own.length + 2, 0, id, 0, ...own];
    return Buffer.of(10 + named.length, 0, id, 0, 0xf1, 0xff, 0, 0, 0, 0, 0, 0, ...named);
  };
  structure(1, Buffer.concat([Buffer.of(4, 0, 10, 0, 10, 0), ...Array.from({ length: 10 }, (_, id) => style(id))]));
  if (numbering !== undefined) {
    structure(74, referencesOf(numbering));
    structure(73, listsOf(numbering));
  }

  const page = Math.ceil((0x800 + text.length * 2) / 512);
  structure(13, u32(0x800, 0x800 + text.length * 2, page));
  structure(12, u32(0x800, 0x800 + text.length * 2, page + 1));
  formattedPage(
    main.subarray(page * 512, page * 512 + 512),
    paragraphs,
    13,
    ({ style: number = 0, modifiers = [] }) => {
      const bytes = [number, 0, ...modifiers];
      return bytes.length % 2 === 0 ? [0, bytes.length / 2, ...bytes] : [(bytes.length + 1) / 2, ...bytes];
    },
  );
  formattedPage(main.subarray(page * 512 + 512, page * 512 + 1024), paragraphs, 1, ({ characters = [] }) =>
    characters.length === 0 ? null : [characters.length, ...characters],
  );
  return compoundOf({ WordDocument: main, "0Table": Buffer.concat(table) }, title || undefined);
}

function listsOf({ lists }: WordLists97): Buffer {
  const heads = lists.map((levels, index) => {
    const head = Buffer.alloc(28, 0xff);
    head.writeUInt32LE(100 + index, 0);
    head[26] = levels.length === 1 ? 1 : 0;
    return head;
  });
  const levels = lists.flatMap((list): WordLevel97[] =>
    Array.from({ length: list.length === 1 ? 1 : 9 }, (_, at) => list[at] ?? { format: 255, text: "" }),
  );
  const described = levels.map(({ format, text, start = 1 }) => {
    const head = Buffer.alloc(30);
    head.writeInt32LE(start, 0);
    head[4] = format;
    head.writeUInt16LE(text.length, 28);
    return Buffer.concat([head, Buffer.from(text, "utf16le")]);
  });
  return Buffer.concat([Buffer.of(lists.length, 0), ...heads, ...described]);
}

function referencesOf({ references }: WordLists97): Buffer {
  const heads = references.map(({ list, starts = [] }) =>
    Buffer.concat([u32(100 + list, 0, 0), Buffer.of(starts.length, 0, 0, 0)]),
  );
  const begins = references.map(({ starts = [] }) =>
    Buffer.concat([u32(0xffffffff), ...starts.map((start, level) => u32(start, 0x10 | level))]),
  );
  return Buffer.concat([u32(references.length), ...heads, ...begins]);
}

function formattedPage(
  page: Buffer,
  paragraphs: readonly WordParagraph97[],
  entryBytes: number,
  format: (paragraph: WordParagraph97) => number[] | null,
): void {
  let position = 0x800;
  let free = 510;
  page[511] = paragraphs.length;
  paragraphs.forEach((paragraph, index) => {
    page.writeUInt32LE(position, index * 4);
    position += (paragraph.text.length + (paragraph.mark ?? "\r").length) * 2;
    const bytes = format(paragraph);
    if (bytes === null) return;
    free = (free - bytes.length) & ~1;
    page.set(bytes, free);
    page[(paragraphs.length + 1) * 4 + index * entryBytes] = free / 2;
  });
  page.writeUInt32LE(position, paragraphs.length * 4);
}

/** A record of a PowerPoint file; one of records is a container. */
export function record(type: number, data: Buffer | readonly Buffer[], instance = 0): Buffer {
  const isContainer = Array.isArray(data);
  const bytes = isContainer ? Buffer.concat(data) : (data as Buffer);
  const head = Buffer.alloc(8);
  head.writeUInt16LE((instance << 4) | (isContainer ? 0xf : 0), 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
}

/** A PowerPoint 97 presentation of a document and the objects that it refers to by their numbers, from 2 on. */
export function powerPoint97(
  document: readonly Buffer[],
  objects: readonly Buffer[],
  { token = 0xe391c05f, title = "" } = {},
): Uint8Array {
  const all = [record(0x03e8, document), ...objects];
  const offsets = all.map((_, index) => Buffer.concat(all.slice(0, index)).length);
  const directoryAt = Buffer.concat(all).length;
  const directory = record(0x1772, u32((all.length << 20) | 1, ...offsets));
  const saving = record(0x0ff5, u32(0, 0, 0, directoryAt, 1, 0, 0));
  const user = record(0x0ff6, u32(20, token, directoryAt + directory.length, 0, 0));
  return compoundOf(
    { "PowerPoint Document": Buffer.concat([...all, directory, saving]), "Current User": user },
    title || undefined,
  );
}
