/** Word and PowerPoint files as they were before 2007: their text in order, and a clear word where they cannot be read. */
import { describe, expect, test } from "bun:test";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { failureOf } from "../../harness.ts";
import { blocksOf, compoundFile, textsOf } from "../fixtures.ts";
import { expectCleanEnds } from "../mutants.ts";
import {
  compoundOf,
  DELETED,
  LIST_ITEM,
  listItem,
  powerPoint97,
  record,
  TABLE_CELL,
  TABLE_ROW,
  u32,
  word97,
} from "../office-97.ts";

describe("a Word 97 document", () => {
  test("has headings, list items and tables", async () => {
    const file = word97({
      body: [
        { text: "The Lighthouse", style: 1 },
        { text: "The keeper\u000bclimbed." },
        { text: "Oil", ...LIST_ITEM },
        { text: "Lamp", ...TABLE_CELL },
        { text: "Price", ...TABLE_CELL },
        TABLE_ROW,
        { text: "Small", ...TABLE_CELL },
        { text: "10", ...TABLE_CELL },
        TABLE_ROW,
        { text: "After the table" },
      ],
    });
    const blocks = await blocksOf("a.doc", file);
    expect(blocks.map(({ kind, text, context }) => [kind, text, context])).toEqual([
      ["heading", "The Lighthouse", undefined],
      ["paragraph", "The keeper\nclimbed.", undefined],
      ["list-item", "Oil", undefined],
      ["row", "Lamp | Price", undefined],
      ["row", "Small | 10", "Lamp | Price"],
      ["paragraph", "After the table", undefined],
    ]);
  });

  test("has the numbers of its lists and headings as they are printed", async () => {
    const decimal = { format: 0, text: "\u0000." };
    const letter = { format: 4, text: "\u0001)", start: 2 };
    const bullet = { format: 23, text: "\uf0b7" };
    const outline = [
      { format: 0, text: "\u0000" },
      { format: 0, text: "\u0000.\u0001" },
    ];
    const numbering = {
      lists: [[decimal, letter, bullet], outline],
      references: [{ list: 0 }, { list: 1 }, { list: 0, starts: [7] }],
      styles: { 1: [0x0b, 0x46, 2, 0], 2: [0x0b, 0x46, 2, 0, 0x0a, 0x26, 1] },
    };
    const body = [
      { text: "Scope", style: 1 },
      { text: "Terms", style: 2 },
      { text: "One", ...listItem(1, 0) },
      { text: "Deep", ...listItem(1, 1) },
      { text: "Deepest", ...listItem(1, 2) },
      { text: "Between" },
      { text: "Two", ...listItem(1, 0) },
      { text: "Deep again", ...listItem(1, 1) },
      { text: "", ...listItem(1, 0) },
      { text: "Seven", ...listItem(3, 0) },
      { text: "Eight", ...listItem(3, 0) },
      { text: "Words", style: 2 },
      { text: "Unnumbered", style: 2, modifiers: [0x0b, 0x46, 0, 0] },
      { text: "End", style: 1 },
      { text: "No such list", ...listItem(9, 0) },
      { text: "Cell", modifiers: [...TABLE_CELL.modifiers, ...listItem(2, 1).modifiers], mark: TABLE_CELL.mark },
      TABLE_ROW,
    ];
    expect(await textsOf("a.doc", word97({ body }, { numbering }))).toEqual([
      "h1 1 Scope",
      "h2 1.1 Terms",
      "1. One",
      "  b) Deep",
      "    - Deepest",
      "Between",
      "2. Two",
      "  b) Deep again",
      "7. Seven",
      "8. Eight",
      "h2 1.2 Words",
      "h2 Unnumbered",
      "h1 2 End",
      "No such list",
      "2.1 Cell",
    ]);
  });

  test("has the results of fields, and nothing that is deleted", async () => {
    const link = '\u0013 HYPERLINK "http://x/" \u0014the \u0013 PAGE \u0014coast\u0015\u0015';
    const file = word97({
      body: [{ text: `See ${link}.` }, { text: "Gone.", ...DELETED }, { text: "co\u001fop\u001eed" }],
    });
    expect(await textsOf("a.doc", file)).toEqual(["See the coast.", "coop-ed"]);
  });

  test("has notes and comments behind the paragraph that refers to them, by the same marks, headers and footers once", async () => {
    const file = word97({
      body: [{ text: "One\u0002 and\u0005 two" }, { text: "Three\u0002" }],
      footnotes: ["\u0002 A footnote"],
      endnotes: ["\u0002 An endnote"],
      comments: [{ author: "Ada", text: "\u0005Really?" }],
      headers: ["", "", "", "", "", "", "Coast", "Coast", "Page 1", "", "", ""],
      textBoxes: ["A box"],
    });
    expect(await textsOf("a.doc", file)).toEqual([
      "Coast",
      "One[1] and two",
      "[1] A footnote",
      "Comment by Ada: Really?",
      "Three[i]",
      "[i] An endnote",
      "A box",
      "Page 1",
    ]);
  });

  test("says what it is about", async () => {
    const { properties, mimeType } = await readBlocks(
      word97({ body: [{ text: "Text" }] }, { title: "Lámps" }),
      "a",
      null,
    );
    expect(properties).toEqual({ title: "Lámps", date: expect.stringMatching(/^2001-/) });
    expect(mimeType).toBe("application/msword");
  });

  test.each([
    ["encrypted", word97({ body: [{ text: "x" }] }, { flags: 0x100 }), "it is protected with a password"],
    ["of Word 95", word97({ body: [{ text: "x" }] }, { identifier: 0xa5dc }), "save it as .docx"],
    ["without its parts", compoundFile("WordDocument"), "it is damaged"],
  ])("%s is refused", async (_, file, reason) => {
    const error = await failureOf(textsOf("a.doc", file));
    expect(error).toMatchObject({ code: "UNREADABLE_FILE", message: expect.stringContaining(reason) });
  });

  test("may be damaged in any way", async () => {
    const body = [{ text: "Title", style: 1 }, { text: "Cell", ...TABLE_CELL }, TABLE_ROW, { text: "Note\u0002" }];
    const numbering = { lists: [[{ format: 0, text: "\u0000." }]], references: [{ list: 0, starts: [3] }] };
    const file = word97(
      { body: [...body, { text: "Item", ...listItem(1, 0) }], footnotes: ["\u0002 A footnote"] },
      { title: "Lamps", numbering },
    );
    await expectCleanEnds("a.doc", file, 600);
  });
});

describe("a PowerPoint 97 presentation", () => {
  const utf16 = (text: string) => Buffer.from(text, "utf16le");
  const said = (kind: number, text: string) => [record(0x0f9f, u32(kind)), record(0x0fa0, utf16(text))];
  const box = (content: readonly Buffer[], ...more: Buffer[]) => record(0xf004, [...more, record(0xf00d, content)]);
  const drawing = (...shapes: Buffer[]) => record(0x040c, [record(0xf002, [record(0xf003, shapes)])]);
  const persist = (number: number, id: number) => record(0x03f3, u32(number, 0, 0, id, 0));
  const cell = (top: number, left: number, text: string) =>
    box(said(4, text), record(0xf00f, u32(left, top, left + 1, top + 1)));
  const isTable = record(0xf004, [record(0xf122, Buffer.concat([Buffer.of(0x9f, 0x03), u32(1)]), 1)]);
  const table = record(0xf003, [
    isTable,
    cell(2, 1, "10"),
    cell(1, 0, "Lamp"),
    cell(1, 1, "Price"),
    cell(2, 0, "Small"),
  ]);
  const comment = record(0x1388, [
    record(0x138a, [
      record(0x138b, record(0x2ee0, [record(0x0fba, utf16("Ada"), 0), record(0x0fba, utf16("Why?"), 1)])),
    ]),
  ]);
  const number = record(0xf011, [record(0x0bc3, Buffer.of(0, 0, 0, 0, 8, 0, 0, 0))]);
  const first = record(0x03ee, [
    drawing(
      box(said(4, "A box")),
      box([record(0x0f9e, u32(1))]),
      box([record(0x0f9e, u32(0))]),
      box(said(4, "*"), number),
      table,
    ),
    comment,
  ]);
  const hidden = record(0x03ee, [
    record(0x03f9, Buffer.from("000000000000000000000400000000000", "hex")),
    drawing(box(said(4, "Two"))),
  ]);
  const notes = record(0x03f0, [record(0x03f1, u32(256, 0)), drawing(box(said(2, "Speak slowly.\rSmile.")))]);
  const slides = [persist(3, 257), persist(2, 256), ...said(6, "The\u000bLighthouse"), ...said(1, "Oil\rWick")];
  const document = [record(0x0ff0, slides.slice(1), 0), record(0x0ff0, [persist(4, 1)], 2)];
  document[0] = record(0x0ff0, [...slides.slice(1), slides[0]!], 0);

  test("has its slides in their order, each with title, text, tables, notes and comments", async () => {
    const file = powerPoint97(document, [first, hidden, notes], { title: "Lamps" });
    const { blocks, properties } = await readBlocks(file, "a.ppt", null);
    expect(blocks.map(({ kind, level, text, place }) => [place?.slide, `${kind}${level ?? ""}`, text])).toEqual([
      [1, "heading1", "The Lighthouse"],
      [1, "paragraph", "A box"],
      [1, "list-item", "Oil"],
      [1, "list-item", "Wick"],
      [1, "row", "Lamp | Price"],
      [1, "row", "Small | 10"],
      [1, "heading3", "Notes"],
      [1, "paragraph", "Speak slowly."],
      [1, "paragraph", "Smile."],
      [1, "paragraph", "Comment by Ada: Why?"],
      [2, "heading2", "Slide 2 (hidden slide)"],
      [2, "paragraph", "Two"],
    ]);
    expect(properties).toMatchObject({ title: "Lamps" });
  });

  test.each([
    ["encrypted", powerPoint97(document, [first], { token: 0xf3d1c4df }), "it is protected with a password"],
    ["of PowerPoint 95", compoundOf({ PP40: Buffer.alloc(5000) }), "save it as .pptx"],
    ["of too many slides", powerPoint97(document, [first, hidden]), "more than 1 slides"],
  ])("%s is refused", async (_, file, reason) => {
    const error = await failureOf(textsOf("a.ppt", file, { maxPages: 1 }));
    expect(error).toMatchObject({ code: "UNREADABLE_FILE", message: expect.stringContaining(reason) });
  });

  test("of shapes nested without end is read as far as the limit", async () => {
    let deep = box(said(4, "deep"));
    for (let depth = 0; depth < 3000; depth += 1) deep = record(0xf003, [deep]);
    const slide = record(0x03ee, [drawing(box(said(4, "shallow")), deep)]);
    expect(await textsOf("a.ppt", powerPoint97([record(0x0ff0, [persist(2, 256)])], [slide]))).toEqual([
      "h2 Slide 1",
      "shallow",
    ]);
  });

  test("may be damaged in any way", async () => {
    await expectCleanEnds("a.ppt", powerPoint97(document, [first, hidden, notes], { title: "Lamps" }), 600);
  });
});
