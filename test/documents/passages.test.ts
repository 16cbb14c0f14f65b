/** Where passages stand, and what they are given that they would lack alone. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Block } from "../../src/documents/blocks.ts";
import { passagesOf } from "../../src/documents/passages.ts";
import type { Chunking } from "../../src/documents/types.ts";
import { placeInWords, type PassagePlace } from "../../src/foundation/place.ts";
import { wordCounter } from "./counters.ts";

const heading = (level: number, text: string): Block => ({ kind: "heading", level, text });
const paragraph = (text: string, more: Partial<Block> = {}): Block => ({ kind: "paragraph", text, ...more });
const row = (text: string, more: Partial<Block> = {}): Block => ({ kind: "row", text, ...more });
const cut = (blocks: Block[], chunkSize: number, chunkOverlap = 0) =>
  Array.fromAsync(passagesOf(blocks, { chunkSize, chunkOverlap }, wordCounter));

describe("a passage", () => {
  test("in the middle of a section begins with its headings, which do not count as its own text", async () => {
    const passages = await cut(
      [
        heading(1, "Handbook"),
        heading(2, "Overtime"),
        paragraph("One two three four five six seven eight. Nine ten eleven twelve thirteen fourteen fifteen sixteen."),
      ],
      16,
    );
    expect(
      passages.map(({ text, contextLength }) => [text.slice(0, contextLength), text.slice(contextLength)]),
    ).toEqual([
      ["", "Handbook\n\nOvertime\n\nOne two three four five six seven eight."],
      ["Handbook › Overtime\n\n", "Nine ten eleven twelve thirteen fourteen fifteen sixteen."],
    ]);
  });

  test("that begins with a heading is given only those above it", async () => {
    const passages = await cut(
      [
        heading(1, "Handbook"),
        paragraph("One two three four five six seven eight."),
        heading(2, "Rest"),
        paragraph("Nine ten eleven twelve thirteen fourteen fifteen."),
        heading(1, "Index"),
        paragraph("Sixteen seventeen eighteen nineteen twenty one two."),
      ],
      12,
    );
    expect(passages.map(({ text }) => text)).toEqual([
      "Handbook\n\nOne two three four five six seven eight.",
      "Handbook\n\nRest\n\nNine ten eleven twelve thirteen fourteen fifteen.",
      "Index\n\nSixteen seventeen eighteen nineteen twenty one two.",
    ]);
    expect(passages.map(({ place }) => place.heading)).toEqual(["Handbook", "Handbook › Rest", "Index"]);
  });

  test("in the middle of a table begins with its columns' names", async () => {
    const names = "Name | Town";
    const rows = ["Ada | Bern", "Ben | Rome", "Cem | Oslo", "Dua | Linz", "Eve | Kyiv"];
    const passages = await cut([row(names), ...rows.map((text) => row(text, { context: names }))], 16);
    expect(passages.map(({ text }) => text)).toEqual([
      "Name | Town\nAda | Bern\nBen | Rome",
      "Name | Town\nCem | Oslo\nDua | Linz\nEve | Kyiv",
    ]);
  });

  test("is given no more than a quarter of its size, the nearest heading first", async () => {
    const blocks = [
      heading(1, "A very long title of many many words"),
      heading(2, "Rest"),
      paragraph("word ".repeat(60)),
    ];
    expect((await cut(blocks, 20)).map(({ text }) => text).at(-1)).toStartWith("Rest\n\nword");
    expect((await cut(blocks, 6)).at(-1)!.contextLength).toBe(0);
  });

  test("never has more tokens than it may, context included, and loses nothing", async () => {
    const word = fc.constantFrom("lamp", "sea", "Who", "three.", "a", "keeper");
    const text = fc.array(word, { minLength: 1, maxLength: 30 }).map((words) => words.join(" "));
    const blocks = fc.array(
      fc.record({
        kind: fc.constantFrom("heading", "paragraph", "row"),
        level: fc.integer({ min: 1, max: 4 }),
        text,
        context: fc.option(text, { nil: undefined }),
      }),
      { minLength: 1, maxLength: 12 },
    ) as fc.Arbitrary<Block[]>;
    const chunkings = fc
      .integer({ min: 1, max: 40 })
      .chain((chunkSize) =>
        fc.record({ chunkSize: fc.constant(chunkSize), chunkOverlap: fc.integer({ min: 0, max: chunkSize - 1 }) }),
      ) as fc.Arbitrary<Chunking>;
    await fc.assert(
      fc.asyncProperty(blocks, chunkings, async (some, chunking) => {
        const passages = await Array.fromAsync(passagesOf(some, chunking, wordCounter));
        for (const passage of passages)
          expect((await wordCounter.offsets(passage.text)).length).toBeLessThanOrEqual(chunking.chunkSize);
        const words = new Set(
          passages.flatMap(({ text: own, contextLength }) => own.slice(contextLength).split(/\s+/)),
        );
        for (const block of some) for (const one of block.text.split(" ")) expect(words.has(one)).toBe(true);
      }),
    );
  });
});

describe("where a passage stands", () => {
  test.each<[string, Block[], PassagePlace[]]>([
    [
      "is told by where it begins and where it ends",
      [
        paragraph("One two three.", { place: { page: 1 } }),
        paragraph("Four five six.", { place: { page: 2 } }),
        paragraph("Seven eight nine ten eleven.", { place: { page: 2 } }),
      ],
      [{ page: 1, lastPage: 2 }, { page: 2 }],
    ],
    [
      "is the line of the very text, not of its block",
      [paragraph("one two\nthree four\nfive six\nseven eight", { kind: "code", place: { line: 10 } })],
      [
        { line: 10, lastLine: 11 },
        { line: 12, lastLine: 13 },
      ],
    ],
    [
      "is from its first second to its last",
      [
        paragraph("One two three.", { place: { startTime: 1.5, endTime: 3 } }),
        paragraph("Four five six.", { place: { startTime: 3, endTime: 6 } }),
        paragraph("Seven eight nine.", { place: { startTime: 7, endTime: 9 } }),
      ],
      [
        { startTime: 1.5, endTime: 6 },
        { startTime: 7, endTime: 9 },
      ],
    ],
    [
      "is one member of an archive, one sheet",
      [
        paragraph("One.", { place: { member: "a.txt" } }),
        paragraph("Two.", { place: { member: "b.txt" } }),
        row("Three.", { place: { sheet: "A", row: 2 } }),
        row("Four.", { place: { sheet: "A", row: 3 } }),
        row("Five.", { place: { sheet: "B", row: 2 } }),
      ],
      [{ member: "a.txt" }, { member: "b.txt" }, { sheet: "A", row: 2, lastRow: 3 }, { sheet: "B", row: 2 }],
    ],
  ])("%s", async (_what, blocks, places) => {
    expect((await cut(blocks, 6)).map(({ place }) => place)).toEqual(places);
  });

  test.each<[PassagePlace, string]>([
    [{}, "a.pdf"],
    [{ page: 12, heading: "Handbook › Overtime" }, 'a.pdf, page 12, "Overtime"'],
    [{ page: 12, lastPage: 13 }, "a.pdf, pages 12–13"],
    [{ slide: 3, heading: "Goals" }, 'a.pdf, slide 3, "Goals"'],
    [{ sheet: "Budget", row: 4, lastRow: 9, heading: "Budget" }, 'a.pdf, sheet "Budget", rows 4–9'],
    [{ member: "docs/b.md", line: 7, lastLine: 12 }, "a.pdf, docs/b.md, lines 7–12"],
    [{ chapter: "One", heading: "One" }, 'a.pdf, chapter "One"'],
    [{ startTime: 3725.4, endTime: 3730 }, "a.pdf, at 1:02:05"],
    [{ startTime: 65 }, "a.pdf, at 1:05"],
  ])("%p is said so", (place, words) => {
    expect(placeInWords("a.pdf", place)).toBe(words);
  });
});

test("a block of a million lines is looked through once", async () => {
  const lines = paragraph("word\n".repeat(300_000), { kind: "code", place: { line: 1 } });
  const passages = await cut([lines], 300);
  expect(passages.at(-1)!.place).toEqual({ line: 299_701, lastLine: 300_000 });
});

describe("an overlap", () => {
  test("leaves a quarter of every passage for what is new, whatever context one that begins in it is given", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `name${index}`).join(" ");
    const cells = Array.from({ length: 200 }, (_, index) => row(`cell ${index} of this table.`, { context: names }));
    const text = Array.from({ length: 200 }, (_, index) => `Sentence ${index} of what follows.`).join(" ");
    const passages = await cut([...cells, paragraph(text)], 100, 75);
    // A quarter of the smallest passage's own text is new each time.
    expect(passages.length).toBeLessThan((200 * 5 * 2) / 18);
  });
});

describe("a part", () => {
  test("is numbered from the first number in it on, a title before it or not", async () => {
    const sheet = { sheet: "Prices" };
    const blocks = [
      { ...heading(1, "Prices"), place: sheet },
      row("Tea 3", { place: { ...sheet, row: 2 } }),
      row("Coffee 4", { place: { ...sheet, row: 3 } }),
    ];
    expect((await cut(blocks, 50)).map(({ place }) => place)).toEqual([
      { sheet: "Prices", row: 2, lastRow: 3, heading: "Prices" },
    ]);
  });

  test("is of one chapter", async () => {
    const blocks = [paragraph("One.", { place: { chapter: "1" } }), paragraph("Two.", { place: { chapter: "2" } })];
    expect((await cut(blocks, 50)).map(({ place }) => place)).toEqual([{ chapter: "1" }, { chapter: "2" }]);
  });
});
