/** What belongs together on a page, told from where its words stand. */
import { describe, expect, test } from "bun:test";
import { readableText } from "../../../src/documents/loaders/pdf/characters.ts";
import { isGarbled } from "../../../src/documents/loaders/pdf/garbled.ts";
import { joinLines } from "../../../src/documents/join-lines.ts";
import { partsOf } from "../../../src/documents/loaders/pdf/layout.ts";
import { pageParts } from "../../../src/documents/loaders/pdf/page-parts.ts";
import { isoDate, propertiesOf } from "../../../src/documents/loaders/pdf/properties.ts";
import { rowsOf } from "../../../src/documents/loaders/pdf/rows.ts";
import type { Run, TextItem } from "../../../src/documents/loaders/pdf/run.ts";
import { runsOf } from "../../../src/documents/loaders/pdf/runs.ts";
import { tablePartsOf } from "../../../src/documents/loaders/pdf/tables.ts";

const SIZE = 10;
const WIDTH = 5;

function item(str: string, x: number, y: number, more: Partial<TextItem> = {}): TextItem {
  const width = str.length * WIDTH;
  return { str, transform: [SIZE, 0, 0, SIZE, x, y], width, height: SIZE, fontName: "F1", ...more };
}

function run(text: string, left: number, baseline: number): Run {
  return { text, left, right: left + text.length * WIDTH, baseline, height: SIZE, font: "F1", monospaced: false };
}

/** The rows of a page given as texts with the places at which they begin. */
function page(...texts: readonly [text: string, x: number, y: number][]) {
  return rowsOf(texts.map(([text, x, y]) => run(text, x, y)));
}

describe("pieces of a line", () => {
  const line = (...items: TextItem[]) =>
    runsOf(items, {})
      .flatMap((runs) => rowsOf(runs))
      .map(({ runs }) => runs.map(({ text }) => text).join("|"))
      .join("/");
  const raised = { transform: [6, 0, 0, 6, 26, 104], height: 6, width: 4 };
  const vertical = { vertical: true, fontFamily: "serif" };
  const rows: [what: string, found: string, expected: string][] = [
    ["are one word without a gap", line(item("light", 0, 100), item("house", 25.5, 100)), "lighthouse"],
    ["are words apart at a gap", line(item("light", 0, 100), item("house", 27, 100)), "light house"],
    [
      "are words apart at a blank",
      line(item("light", 0, 100), item(" ", 25, 100), item("house", 25.5, 100)),
      "light house",
    ],
    ["are runs apart at a wide gap", line(item("light", 0, 100), item("house", 40, 100)), "light|house"],
    ["may be raised", line(item("light", 0, 100), item("2", 26, 104, raised)), "light2"],
    ["may be drawn out of order", line(item("house", 27, 100), item("light", 0, 100)), "light house"],
    ["drawn twice are read once", line(item("bold", 0, 100), item("bold", 0.5, 100)), "bold"],
    [
      "drawn twice letter by letter too",
      line(item("a", 0, 100), item("a", 0.3, 100), item("b", 5, 100), item("b", 5.3, 100)),
      "ab",
    ],
    [
      "drawn over other text are on lines of their own",
      line(item("first words", 0, 100), item("second words", 0, 100)),
      "first words/second words",
    ],
    ["whose letters are spaced out are words", line(item("L I G H T", 0, 100)), "LIGHT"],
    ["keep to their label", line(item("•", 0, 100), item("An item", 20, 100)), "• An item"],
    ["from right to left are in order of reading", line(item("עולם", 0, 100), item("שלום", 22, 100)), "שלום עולם"],
    [
      "from right to left keep numbers",
      line(item("שלום", 60, 100), item("12 34", 32, 100), item("עולם", 8, 100)),
      "שלום 12 34 עולם",
    ],
    [
      "written downwards are lines from right to left",
      runsOf([item("東京", 50, 700, { width: SIZE, height: 20 }), item("大阪", 80, 700, { width: SIZE, height: 20 })], {
        F1: vertical,
      })
        .flatMap((runs) => rowsOf(runs))
        .map(({ runs }) => runs.map(({ text }) => text).join("|"))
        .join("/"),
      "大阪/東京",
    ],
  ];
  test.each(rows)("%s", (_, found, expected) => {
    expect(found).toBe(expected);
  });
});

describe("parts of a page", () => {
  const kinds = (rows: ReturnType<typeof page>) =>
    partsOf(rows).map(
      ({ kind, rows: found }) =>
        `${kind}: ${found.map(({ runs }) => runs.map(({ text }) => text).join(" | ")).join(" / ")}`,
    );
  const long = (name: string, line: number) => `${name} line ${line} with a good many words`;
  test("columns whose lines do not stand side by side are read one after the other", () => {
    const texts = [1, 2, 3, 4].flatMap((line): [string, number, number][] => [
      [long("left", line), 0, 200 - line * 12],
      [long("right", line), 250, 195 - line * 12],
    ]);
    expect(kinds(page(...texts))).toEqual([
      `text: ${[1, 2, 3, 4].map((line) => long("left", line)).join(" / ")}`,
      `text: ${[1, 2, 3, 4].map((line) => long("right", line)).join(" / ")}`,
    ]);
  });
  test("a wide gap between words makes no table", () => {
    expect(
      kinds(page(["Figure 1.", 0, 100], ["The lamp.", 57, 100], ["and more text over the whole line", 0, 88])),
    ).toEqual(["text: Figure 1. | The lamp. / and more text over the whole line"]);
  });
  test("labels beside running text do not cut it into lines", () => {
    const texts = [1, 2, 3, 4, 5].map((line): [string, number, number] => [long("text", line), 0, 200 - line * 12]);
    expect(kinds(page(...texts, ["(0, 0)", 300, 176]))).toEqual([
      `text: ${[1, 2, 3, 4, 5].map((line) => long("text", line)).join(" / ")}`,
      "text: (0, 0)",
    ]);
  });
  test("short cells side by side are a table", () => {
    expect(kinds(page(["Small", 0, 100], ["40", 100, 100], ["Large", 0, 88], ["100", 100, 88]))).toEqual([
      "table: Small | 40 / Large | 100",
    ]);
  });
  test("very many pieces are read in the time that their number takes", () => {
    const beside = Array.from({ length: 20_000 }, (_, index): [string, number, number] => ["x", index * 40, 100]);
    const below = Array.from({ length: 20_000 }, (_, index): [string, number, number] => [
      "x",
      (index % 2) * 40,
      index * 12,
    ]);
    expect(partsOf(page(...beside, ...below)).length).toBeGreaterThan(0);
  });
});

describe("a table", () => {
  const cells = (rows: ReturnType<typeof page>) =>
    tablePartsOf(rows).map((part) =>
      ("cells" in part ? part.cells : part.text.map(({ runs }) => runs[0]?.text)).join(" | "),
    );
  test("joins the lines of a cell where rows stand apart", () => {
    const rows = page(
      ["Belgium", 0, 200],
      ["Magritte", 100, 194],
      ["(Flemish)", 0, 188],
      ["Bhutan", 0, 160],
      ["Dorji", 100, 160],
      ["Canada", 0, 132],
      ["Dion", 100, 132],
      ["(singer)", 100, 120],
    );
    expect(cells(rows)).toEqual(["Belgium (Flemish) | Magritte", "Bhutan | Dorji", "Canada | Dion (singer)"]);
  });
  test("joins one more line of a cell that is not the first", () => {
    expect(
      cells(
        page(["Courier", 0, 200], ["Bold", 100, 200], ["Oblique", 100, 188], ["Symbol", 0, 176], ["Roman", 100, 176]),
      ),
    ).toEqual(["Courier | Bold Oblique", "Symbol | Roman"]);
  });
  test("leaves text between its rows as it is", () => {
    expect(cells(page(["a", 0, 200], ["1", 100, 200], ["A heading", 0, 170], ["b", 0, 140], ["2", 100, 140]))).toEqual([
      "a | 1",
      "A heading",
      "b | 2",
    ]);
  });
  test("is read from right to left where its cells are", () => {
    expect(cells(page(["שלום", 100, 200], ["עולם", 0, 200]))).toEqual(["שלום | עולם"]);
  });
});

describe("paragraphs", () => {
  const texts = (...lines: readonly [text: string, x: number, y: number][]) =>
    pageParts({ number: 1, directions: [page(...lines)], recognised: [], notes: [] }, true).map(
      ({ kind, text }) => `${kind}: ${text}`,
    );
  test("end at a gap, at a label, and with a short line", () => {
    expect(
      texts(
        ["A line that goes on over the whole width", 0, 200],
        ["and ends here.", 0, 188],
        ["Another begins, and goes on for long too,", 0, 176],
        ["until it ends, as all of them do at last.", 0, 164],
        ["After a gap comes one more that is longer", 0, 140],
        ["• A first item of a list", 0, 128],
        ["• A second one", 0, 116],
      ),
    ).toEqual([
      "paragraph: A line that goes on over the whole width and ends here.",
      "paragraph: Another begins, and goes on for long too, until it ends, as all of them do at last.",
      "paragraph: After a gap comes one more that is longer",
      "list-item: • A first item of a list",
      "list-item: • A second one",
    ]);
  });
  test("and tables of very long words that are almost numbers are read in the time that their length takes", () => {
    const [digits, dots] = ["1".repeat(200_000), ".".repeat(200_000)];
    expect(texts([`${digits} abcd`, 0, 200], [`${dots} abcd`, 0, 188])).toHaveLength(1);
    const rows = [0, 1, 2, 3].flatMap((row): [string, number, number][] => [
      ["Lamp", -100, 200 - row * 12],
      [`${row === 0 ? "Price" : digits} abcd`, 0, 200 - row * 12],
    ]);
    expect(tablePartsOf(page(...rows))).toHaveLength(4);
  });
  test("lines of a table of contents stand alone, without their dots", () => {
    expect(texts(["1 Lamps . . . . . . . . . 12", 0, 200], ["2 Stairs . . . . . . . . 14", 0, 188])).toEqual([
      "row: 1 Lamps 12",
      "row: 2 Stairs 14",
    ]);
  });
  test("are joined of lines, in scripts without spaces without one", () => {
    expect(joinLines(["灯台の番人は", "毎晩登った。"])).toBe("灯台の番人は毎晩登った。");
    expect(joinLines(["well-", "Known", "soft\u00ad", "ened", "1990-", "2000"])).toBe(
      "well- Known softened 1990- 2000",
    );
  });
});

/** As a font without a map has small letters: by the numbers of their glyphs. */
function shifted(text: string): string {
  return text.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 29));
}

test.each([
  ["The keeper climbed the stairs every evening and lit the lamp.", false],
  ["for (const lamp of lamps) { light(lamp[0], { of: lamp?.name }); }", false],
  ["x ∈ ℝ, f(x) = ∑ aₙ xⁿ ⇒ |f| ≤ c · ‖x‖, k, n, p, q, r", false],
  ["• • • • • • • • • • • • • • • • • • • • • • • • • • • •", false],
  ["\u0007KH NHHSHU\u0003FOLPEHG\u0003WKH\u0003VWDLUV", true],
  [
    "\uE001\uE002\uE003\uE004\uE005\uE006\uE007\uE008\uE009\uE00A\uE00B\uE00C\uE00D\uE00E\uE00F\uE010\uE011\uE012\uE013\uE014\uE015\uE016\uE017\uE018\uE019",
    true,
  ],
  [`!"#$%&'( )*+,&/:; <=>?@[\\] ^_\`{|}~ !"#$%& '()*+`, true],
  [
    shifted("the keeper climbed the stairs every evening and lit the lamp at the very top of this house ".repeat(3)),
    true,
  ],
])("whether text cannot be read is told from its characters: %s", (text, expected) => {
  expect(isGarbled(text)).toBe(expected);
});

test.each([
  ["ﬁnd oﬃce", "find office"],
  ["\uFEB3\uFEFC\uFE8F", "سلاب"],
  ["\uF0B7 item", "• item"],
  ["a\uE000b\u0001c\u200B", "abc"],
  ["e\u0301", "é"],
])("characters as fonts have them become letters: %p", (text, expected) => {
  expect(readableText(text)).toBe(expected);
});

test.each([
  ["D:20140124111144+01'00'", "2014-01-24T11:11:44+01:00"],
  ["D:20110917125915Z00'00'", "2011-09-17T12:59:15Z"],
  ["D:2010", "2010-01-01"],
  ["20100203", "2010-02-03"],
  ["D:20109999", undefined],
  ["yesterday", undefined],
])("a date is given as ISO 8601: %s", (date, expected) => {
  expect(isoDate(date)).toBe(expected);
});

test("a title that is the name of a file is none", () => {
  expect(propertiesOf({ Title: "Microsoft Word - report.doc" }).title).toBe("");
  expect(propertiesOf({ Title: "report.docx" }).title).toBe("");
});
