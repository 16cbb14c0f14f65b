/** Workbooks: rows with their columns' names, values as they are shown, where they stand, and what is refused. */
import { describe, expect, test } from "bun:test";
import * as library from "@e965/xlsx";
import { strToU8, unzipSync, zipSync } from "fflate";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { failureOf } from "../../harness.ts";
import { blocksOf, compoundFile, textsOf } from "../fixtures.ts";
import { expectCleanEnds, mutantsOf } from "../mutants.ts";

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/** An .xlsx of these sheets, each what stands in its `worksheet`; `more` are further parts. */
function workbook(
  sheets: Readonly<Record<string, string>>,
  { attributes = "", strings = "", more = {} as Record<string, string> } = {},
): Uint8Array {
  const names = Object.keys(sheets);
  const relationship = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const parts: Record<string, string> = {
    "_rels/.rels": `<Relationships>${relationship("w", "officeDocument", "xl/workbook.xml")}</Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${names
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="s${index}" ${attributes}/>`)
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${names
      .map((_, index) => relationship(`s${index}`, "worksheet", `worksheets/sheet${index}.xml`))
      .join(
        "",
      )}${relationship("t", "sharedStrings", "sharedStrings.xml")}${relationship("f", "styles", "styles.xml")}</Relationships>`,
    "xl/sharedStrings.xml": `<sst xmlns="${MAIN}">${strings}</sst>`,
    "xl/styles.xml": `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="200" formatCode="#,##0.00&quot; EUR&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="200"/></cellXfs></styleSheet>`,
    ...more,
  };
  names.forEach((name, index) => {
    parts[`xl/worksheets/sheet${index}.xml`] = `<worksheet xmlns="${MAIN}">${sheets[name]}</worksheet>`;
  });
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
}

/** Rows of inline text and of numbers; a number's style may follow it, as in "0.5/2". */
function cells(rows: Readonly<Record<number, Readonly<Record<string, string | number>>>>): string {
  const row = ([number, row]: [string, Readonly<Record<string, string | number>>]) =>
    `<row r="${number}">${Object.entries(row)
      .map(([column, value]) => {
        const [shown = "", style] = typeof value === "number" ? [String(value)] : value.split("/");
        return typeof value === "number" || style !== undefined
          ? `<c r="${column}${number}" s="${style ?? 0}"><v>${shown}</v></c>`
          : `<c r="${column}${number}" t="inlineStr"><is><t>${shown}</t></is></c>`;
      })
      .join("")}</row>`;
  return `<sheetData>${Object.entries(rows).map(row).join("")}</sheetData>`;
}

describe("an Excel workbook", () => {
  const cases: readonly (readonly [what: string, sheet: string, texts: readonly string[]])[] = [
    [
      "shows dates, percentages, amounts and long numbers as people read them",
      cells({
        1: { A: "Day", B: "Share", C: "Price", D: "Article" },
        2: { A: "44197/1", B: "0.125/2", C: "1234.5/3", D: 4006381333931 },
      }),
      ["Day: 2021-01-01; Share: 12.50%; Price: 1,234.50 EUR; Article: 4006381333931"],
    ],
    [
      "has what is merged to the right in each column's name, and what is merged downwards in each row",
      `${cells({
        1: { A: "Lamp", B: "2019", D: "2020" },
        2: { B: "sold", C: "lost", D: "sold", E: "lost" },
        3: { A: "Old", B: 5, C: 1, D: 6, E: 2 },
        4: { B: 7, C: 3, D: 8, E: 4 },
      })}<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/><mergeCell ref="D1:E1"/><mergeCell ref="A3:A4"/></mergeCells>`,
      [
        "Lamp: Old; 2019 sold: 5; 2019 lost: 1; 2020 sold: 6; 2020 lost: 2",
        "Lamp: Old; 2019 sold: 7; 2019 lost: 3; 2020 sold: 8; 2020 lost: 4",
      ],
    ],
    [
      "may have a title over all columns",
      `${cells({ 1: { A: "Lamps of the coast" }, 2: { A: "Name", B: "Height" }, 3: { A: "Old", B: 12 } })}<mergeCells><mergeCell ref="A1:B1"/></mergeCells>`,
      ["Lamps of the coast", "Name: Old; Height: 12"],
    ],
    [
      "has names of empty columns too",
      cells({ 1: { A: "Name", B: "Height", C: "Keeper" }, 2: { A: "Old", B: 12 } }),
      ["Keeper", "Name: Old; Height: 12"],
    ],
    [
      "has the results of formulas, truth values and errors",
      `<sheetData><row><c><f>1+1</f><v>2</v></c><c t="str"><f>A1</f><v>two &amp; a half</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row></sheetData>`,
      ["2; two & a half; TRUE; #N/A"],
    ],
    [
      "has shared texts without their readings",
      `<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>9</v></c></row></sheetData>`,
      ["東京; two\u0009lines".replace("\t", " ")],
    ],
  ];
  const strings = `<si><r><t>東</t></r><r><t>京</t></r><rPh><t>とうきょう</t></rPh></si><si><t>two_x000A_lines</t></si>`;
  for (const [what, sheet, texts] of cases)
    test(what, async () => {
      expect(await textsOf("a.xlsx", workbook({ Data: sheet }, { strings }))).toEqual(["h1 Data", ...texts]);
    });

  test("says which sheet and row each line stands in, and which sheets are hidden", async () => {
    const sheet = cells({ 3: { B: "Name", C: "Height" }, 5: { B: "Old", C: 12 } });
    const blocks = await blocksOf(
      "a.xlsx",
      workbook({ Coast: sheet, Empty: cells({}) }, { attributes: 'state="hidden"' }),
    );
    expect(blocks.map(({ text, place }) => [text, place])).toEqual([
      ["Coast (hidden)", { sheet: "Coast" }],
      ["Name; Height", { sheet: "Coast", row: 3 }],
      ["Name: Old; Height: 12", { sheet: "Coast", row: 5 }],
    ]);
  });

  test("has comments, conversations, text boxes and properties", async () => {
    const relationship = (id: string, type: string, target: string) =>
      `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
    const comment = (ref: string, text: string) =>
      `<comment ref="${ref}" authorId="0"><text><r><t>${text}</t></r></text></comment>`;
    const file = workbook(
      { Coast: cells({ 1: { A: "Name", B: "Height" }, 2: { A: "Old", B: 12 } }) },
      {
        more: {
          "xl/worksheets/_rels/sheet0.xml.rels": `<Relationships>${relationship("c", "comments", "../comments1.xml")}${relationship("t", "threadedComment", "../threaded.xml")}${relationship("d", "drawing", "../drawing1.xml")}</Relationships>`,
          "xl/comments1.xml": `<comments><authors><author>Ada</author></authors><commentList>${comment("B2", "Ada:\nMeasured twice")}${comment("A2", "[Threaded comment]")}</commentList></comments>`,
          "xl/threaded.xml": `<ThreadedComments><threadedComment ref="A2" personId="p"><text>How old?</text></threadedComment></ThreadedComments>`,
          "xl/drawing1.xml": `<xdr:wsDr xmlns:xdr="x" xmlns:a="a"><xdr:sp><xdr:txBody><a:p><a:r><a:t>A </a:t></a:r><a:r><a:t>box</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>`,
          "docProps/core.xml": `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Lamps</dc:title><dc:creator>Ada</dc:creator><dcterms:modified>2021-05-01T10:00:00Z</dcterms:modified></cp:coreProperties>`,
        },
      },
    );
    const { blocks, properties } = await readBlocks(file, "a.xlsx", null);
    expect(blocks.map(({ text }) => text)).toEqual([
      "Coast",
      "Name: Old; Height: 12",
      "Comment on A2: How old?",
      "Comment on B2 by Ada: Measured twice",
      "A box",
    ]);
    expect(properties).toEqual({ title: "Lamps", author: "Ada", date: "2021-05-01T10:00:00Z" });
  });

  test("of a million rows, nearly all of them empty, is read", async () => {
    const empty = Array.from({ length: 1_000_000 }, (_, row) => `<row r="${row + 2}"/>`).join("");
    const sheet = `<sheetData><row r="1"><c r="XFD1"><v>5</v></c></row>${empty}</sheetData>`;
    expect(await textsOf("a.xlsx", workbook({ Data: sheet }))).toEqual(["h1 Data", "5"]);
  });

  test.each([
    ["too many columns", cells({ 1: { A: 1, B: 2, C: 3 } }), { maxColumns: 2 }, "more than 2 columns"],
    ["too many rows", cells({ 1: { A: 1 }, 2: { A: 2 }, 3: { A: 3 } }), { maxRows: 2 }, "more than 2 rows"],
    ["cells too far apart", cells({ 1: { ZZ: 1 }, 2: { ZZ: 2 } }), { maxCells: 1000 }, "cover more than 1000 cells"],
    ["elements too deep", `${"<a>".repeat(50)}`, { maxNesting: 20 }, "more than 20 deep"],
    ["much text", cells({ 1: { A: "x".repeat(60), B: "y".repeat(60) } }), { maxTextCharacters: 100 }, "100 char"],
  ] as const)("of %s is refused", async (_, sheet, limits, reason) => {
    const error = await failureOf(textsOf("a.xlsx", workbook({ Data: sheet }), limits));
    expect(error).toMatchObject({ code: "UNREADABLE_FILE", message: expect.stringContaining(reason) });
  });

  test("whose merged cells lie over one another without number is read", async () => {
    const rows = Array.from({ length: 4000 }, (_, row) => [2 * row + 1, { A: 5 }] as const);
    const merged = `<mergeCells>${'<mergeCell ref="A1:IV1048576"/>'.repeat(512)}</mergeCells>`;
    const blocks = await blocksOf("a.xlsx", workbook({ Data: cells(Object.fromEntries(rows)) + merged }));
    expect(blocks).toHaveLength(4001);
  });

  test.each([
    ["one row of one long text", 4000, 1],
    ["rows of one long text that wait for their columns' names", 200, 20],
  ])("of %s is refused", async (_, columns, rows) => {
    const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(columns)}</row>`;
    const strings = `<si><t>${"ab ".repeat(80_000)}</t></si>`;
    const file = workbook({ Data: `<sheetData>${row.repeat(rows)}</sheetData>` }, { strings });
    const error = await failureOf(textsOf("a.xlsx", file));
    expect(error).toMatchObject({ code: "UNREADABLE_FILE", message: expect.stringContaining("characters of text") });
  });

  test("has a long text with many blanks in many cells", async () => {
    const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(200)}</row>`;
    const strings = `<si><t>x${" ".repeat(240_000)}y</t></si>`;
    const texts = await textsOf("a.xlsx", workbook({ Data: `<sheetData>${row.repeat(200)}</sheetData>` }, { strings }));
    expect(texts.at(-1)).toBe(Array(200).fill("x y").join("; "));
  });

  test("shows numbers alone where their format is longer than any", async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${"0.0 ".repeat(60_000)}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`;
    const file = workbook({ Data: cells({ 1: { A: 5.5 } }) }, { more: { "xl/styles.xml": styles } });
    expect(await textsOf("a.xlsx", file)).toEqual(["h1 Data", "5.5"]);
  });

  test("that unpacks to too much is refused", async () => {
    const bomb = workbook({ Data: " ".repeat(30_000_000) });
    const error = await failureOf(textsOf("a.xlsx", bomb));
    expect(error).toMatchObject({ code: "UNREADABLE_FILE", message: expect.stringContaining("unpacks to more than") });
  });

  test("protected with a password says so", async () => {
    const error = await failureOf(textsOf("a.xlsx", compoundFile("EncryptedPackage")));
    expect(error).toMatchObject({ code: "UNREADABLE_FILE", message: expect.stringContaining("with a password") });
  });

  test("may be damaged in any way", async () => {
    const sheet = `${cells({ 1: { A: "Name", B: "2019" }, 2: { A: "Old", B: "0.5/2" } })}<mergeCells><mergeCell ref="A1:A2"/></mergeCells>`;
    await expectCleanEnds("a.xlsx", workbook({ Data: sheet }, { strings }));
  });
});

describe("a workbook in another of Excel's formats", () => {
  const sheet = library.utils.aoa_to_sheet([
    ["Name", "Height", "Lit"],
    ["Old", 12.5, true],
    ["New", 31, false],
  ]);
  sheet.B2!.z = "0.00";
  sheet.B3!.c = [{ a: "Ada", t: "Measured twice" }];
  const book = library.utils.book_new();
  library.utils.book_append_sheet(book, sheet, "Coast");
  library.utils.book_append_sheet(book, library.utils.aoa_to_sheet([["außen"]]), "More");
  book.Workbook = { Sheets: [{}, { Hidden: 1 }] };
  book.Props = { Title: "Lamps", Author: "Ada" };

  for (const [name, bookType] of [
    ["a.xlsb", "xlsb"],
    ["a.xls", "biff8"],
    ["a.xls", "biff5"],
  ] as const) {
    const file: Uint8Array = new Uint8Array(library.write(book, { type: "buffer", bookType }));
    test(`is read: ${bookType}`, async () => {
      const { blocks, properties } = await readBlocks(file, name, null);
      const texts = blocks.map(({ text }) => text);
      expect(texts).toEqual(expect.arrayContaining(["Coast", "Name: Old; Height: 12.50; Lit: TRUE"]));
      if (bookType !== "biff5") expect(texts).toContain("More (hidden)");
      if (bookType === "xlsb") expect(texts).toContain("Comment on B3 by Ada: Measured twice");
      expect(blocks[1]?.place).toEqual({ sheet: "Coast", row: 2 });
      if (bookType !== "biff5") expect(properties).toMatchObject({ title: "Lamps", author: "Ada" });
    });
    if (bookType === "xlsb")
      test("may have any of its parts damaged", async () => {
        const parts = unzipSync(file);
        for (const part of Object.keys(parts).filter((path) => path.endsWith(".bin")))
          for (const mutant of mutantsOf(parts[part]!, 100))
            await textsOf(name, zipSync({ ...parts, [part]: mutant }, { level: 0 })).catch((error) =>
              expect(error).toMatchObject({ status: 400 }),
            );
      });
    test(`may be damaged in any way: ${bookType}`, () => expectCleanEnds(name, file));
  }
});

test("an Excel 97-2003 workbook whose sheets lie within one another is refused", async () => {
  const count = 20_000;
  const record = (type: number, data: Buffer): Buffer => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(type, 0);
    head.writeUInt16LE(data.length, 2);
    return Buffer.concat([head, data]);
  };
  const begin = record(0x809, Buffer.from("0006".padEnd(32, "0"), "hex"));
  const firstSheet = begin.length + count * 13 + 4;
  const sheets = Array.from({ length: count }, (_, index) => {
    const data = Buffer.from("000000000000010041", "hex");
    data.writeUInt32LE(firstSheet + index * begin.length, 0);
    return record(0x85, data);
  });
  const stream = Buffer.concat([begin, ...sheets, record(0x0a, Buffer.alloc(0)), ...Array(count).fill(begin)]);
  const container = library.CFB.utils.cfb_new();
  library.CFB.utils.cfb_add(container, "/Workbook", stream);
  const file = new Uint8Array(library.CFB.write(container, { type: "buffer" }) as Buffer);
  const error = await failureOf(textsOf("a.xls", file));
  expect(error).toMatchObject({ code: "UNREADABLE_FILE", message: expect.stringContaining("within one another") });
});

describe("an OpenDocument spreadsheet", () => {
  const row = (cells: string, attributes = "") => `<table:table-row ${attributes}>${cells}</table:table-row>`;
  const cell = (text: string, attributes = "") =>
    `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;

  function spreadsheet(tables: string, manifest = ""): Uint8Array {
    return zipSync({
      mimetype: [strToU8("application/vnd.oasis.opendocument.spreadsheet"), { level: 0 }],
      "META-INF/manifest.xml": strToU8(`<manifest:manifest>${manifest}</manifest:manifest>`),
      "meta.xml": strToU8(
        "<office:document-meta><office:meta><dc:title>Lamps</dc:title></office:meta></office:document-meta>",
      ),
      "content.xml": strToU8(
        `<office:document-content><office:automatic-styles><style:style style:name="h"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
      ),
    });
  }

  test("has its rows with their columns' names, comments and text boxes", async () => {
    const note =
      "<office:annotation><dc:creator>Ada</dc:creator><dc:date>2021-05-01</dc:date><text:p>Measured</text:p><text:p>twice</text:p></office:annotation>";
    const file = spreadsheet(
      `<table:tracked-changes><text:p>gone</text:p></table:tracked-changes><table:table table:name="Coast" table:style-name="h"><table:shapes><draw:frame><text:p>A box</text:p></draw:frame></table:shapes>${row(
        `${cell("Name", 'table:number-rows-spanned="2"')}${cell("2019", 'table:number-columns-spanned="2"')}<table:covered-table-cell/>`,
      )}${row(`<table:covered-table-cell/>${cell("sold")}${cell("lost")}`)}${row(
        `${cell("Old<text:s/>lamp")}${cell("5")}<table:table-cell office:value="1">${note}</table:table-cell>`,
      )}${row(cell("New") + cell("7", 'table:number-columns-repeated="2"'), 'table:number-rows-repeated="2"')}${row(
        cell("", 'table:number-columns-repeated="16384"'),
        'table:number-rows-repeated="1048570"',
      )}</table:table>`,
    );
    const { blocks, properties } = await readBlocks(file, "a.ods", null);
    expect(blocks.map(({ text, place }) => [place?.row, text])).toEqual([
      [undefined, "Coast (hidden)"],
      [3, "Name: Old lamp; 2019 sold: 5; 2019 lost: 1"],
      [3, "Comment on C3 by Ada: Measured\ntwice"],
      [4, "Name: New; 2019 sold: 7; 2019 lost: 7"],
      [5, "Name: New; 2019 sold: 7; 2019 lost: 7"],
      [undefined, "A box"],
    ]);
    expect(properties).toEqual({ title: "Lamps" });
  });

  test("that repeats cells and rows without end is read once", async () => {
    const many = row(
      cell("x", 'table:number-columns-repeated="1000000000"'),
      'table:number-rows-repeated="1000000000"',
    );
    expect(await textsOf("a.ods", spreadsheet(`<table:table table:name="A">${many}</table:table>`))).toEqual([
      "h1 A",
      "x",
    ]);
  });

  test("that repeats a long text is refused", async () => {
    const many = row(
      cell("ab ".repeat(80_000), 'table:number-columns-repeated="100"'),
      'table:number-rows-repeated="40"',
    );
    const error = await failureOf(textsOf("a.ods", spreadsheet(`<table:table table:name="A">${many}</table:table>`)));
    expect(error).toMatchObject({ code: "UNREADABLE_FILE", message: expect.stringContaining("characters of text") });
  });

  test("protected with a password says so", async () => {
    const error = await failureOf(textsOf("a.ods", spreadsheet("", "<manifest:encryption-data/>")));
    expect(error).toMatchObject({ code: "UNREADABLE_FILE", message: expect.stringContaining("with a password") });
  });

  test("may be damaged in any way", async () => {
    await expectCleanEnds(
      "a.ods",
      spreadsheet(`<table:table table:name="A">${row(cell("x") + cell("y"))}</table:table>`),
    );
  });
});
