/** Office documents that are one XML file: those of Office 2003, and packages of today that are saved so. */
import { describe, expect, test } from "bun:test";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { failureOf } from "../../harness.ts";
import { blocksOf, bytesOf, textsOf, wordDocument, wordParagraph } from "../fixtures.ts";
import { expectCleanEnds } from "../mutants.ts";
import { presentation, shape } from "../packages.ts";
import { unzipSync } from "fflate";

const properties =
  '<o:DocumentProperties xmlns:o="urn:schemas-microsoft-com:office:office"><o:Title>The Lamp</o:Title><o:Author>Ada</o:Author><o:LastSaved>2004-05-12T10:00:00Z</o:LastSaved></o:DocumentProperties>';
const bomb = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>';
const said = { title: "The Lamp", author: "Ada", date: "2004-05-12T10:00:00Z" };

describe("a workbook of Excel 2003", () => {
  const cell = (value: string | number, more = "", after = ""): string =>
    `<Cell ${more}><Data ss:Type="${typeof value === "number" ? "Number" : "String"}">${value}</Data>${after}</Cell>`;
  const row = (cells: string, more = ""): string => `<Row ${more}>${cells}</Row>`;
  const sheet = (name: string, rows: string, options = ""): string =>
    `<Worksheet ss:Name="${name}"><Table>${rows}</Table><WorksheetOptions xmlns="urn:schemas-microsoft-com:office:excel">${options}</WorksheetOptions></Worksheet>`;
  const styles = `<Styles><Style ss:ID="Default"/><Style ss:ID="share"><NumberFormat ss:Format="Percent"/></Style><Style ss:ID="day"><NumberFormat ss:Format="Short Date"/></Style><Style ss:ID="price"><NumberFormat ss:Format="#,##0.00&quot; EUR&quot;"/></Style></Styles>`;
  const workbook = (sheets: string, prologue = ""): string =>
    `<?xml version="1.0"?>${prologue}<?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">${properties}${styles}${sheets}</Workbook>`;
  const date = (text: string, more = ""): string => `<Cell ${more}><Data ss:Type="DateTime">${text}</Data></Cell>`;

  test.each<[string, string, string[]]>([
    [
      "shows dates, percentages, amounts, truth values and errors as people read them",
      row(["Day", "Share", "Price", "Long", "True", "Wrong"].map((name) => cell(name)).join("")) +
        row(
          `${date("2021-01-01T00:00:00.000", 'ss:StyleID="day"')}${cell(0.125, 'ss:StyleID="share"')}${cell(1234.5, 'ss:StyleID="price"')}${cell(4006381333931)}<Cell><Data ss:Type="Boolean">1</Data></Cell><Cell ss:Formula="=1/0"><Data ss:Type="Error">#DIV/0!</Data></Cell>`,
        ),
      ["Day: 2021-01-01; Share: 12.50%; Price: 1,234.50 EUR; Long: 4006381333931; True: TRUE; Wrong: #DIV/0!"],
    ],
    [
      "shows moments without a format",
      row(date("2021-01-01T10:30:00.000") + date("1900-01-02T00:00:00.000") + date("one day")),
      ["2021-01-01 10:30; 1900-01-02; one day"],
    ],
    [
      "has cells where they say they are, and what is merged in each column's name",
      row(cell("Name", 'ss:MergeDown="1"') + cell("2019", 'ss:MergeAcross="1"') + cell("2020")) +
        row(cell("sold", 'ss:Index="2"') + cell("lost") + cell("sold")) +
        row(cell("Old") + cell(5) + cell(1) + cell(6)) +
        row(cell("New") + cell(7) + cell(3) + cell(8)),
      ["Name: Old; 2019 sold: 5; 2019 lost: 1; 2020 sold: 6", "Name: New; 2019 sold: 7; 2019 lost: 3; 2020 sold: 8"],
    ],
    [
      "has formatted text and comments",
      row(
        `<Cell><ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40"><B>Bright</B> lamp</ss:Data><Comment ss:Author="Ada"><ss:Data xmlns="http://www.w3.org/TR/REC-html40"><B>Ada:</B> Really?</ss:Data></Comment></Cell>`,
      ),
      ["Bright lamp", "Comment on A1 by Ada: Really?"],
    ],
  ])("%s", async (_, rows, texts) => {
    expect(await textsOf("a.xml", workbook(sheet("Data", rows)))).toEqual(["h1 Data", ...texts]);
  });
  test("says which sheet and row each line stands in, and which sheets are hidden", async () => {
    const table = row(cell("Name") + cell("Height"), 'ss:Index="3" ss:Span="1"') + row(cell("Old") + cell(12));
    const file = workbook(sheet("Coast", table) + sheet("Old", row(cell("x")), "<Visible>SheetHidden</Visible>"));
    const { blocks, properties: found, loaderId, mimeType } = await readBlocks(bytesOf(file), "a.xls", null);
    expect([loaderId, mimeType, found]).toEqual(["spreadsheetml", "application/xml", said]);
    expect(blocks.map(({ text, place }) => [text, place?.sheet, place?.row])).toEqual([
      ["Coast", "Coast", undefined],
      ["Name; Height", "Coast", 3],
      ["Name: Old; Height: 12", "Coast", 5],
      ["Old (hidden)", "Old", undefined],
      ["x", "Old", 1],
    ]);
  });
  test("of rows and columns far away, or nested too deep, ends soon", async () => {
    const far = row(cell("x", 'ss:Index="999999999"') + cell("y"), 'ss:Index="999999999999"') + row(cell("Found"));
    expect(await textsOf("a.xml", workbook(sheet("A", far)))).toEqual(["h1 A", "Found"]);
    const failure = await failureOf(textsOf("a.xml", workbook("<a>".repeat(300))));
    expect(failure.message).toContain("nested more than 256 deep");
  });
  test("declares nothing that grows, and fetches nothing", async () => {
    expect(await textsOf("a.xml", workbook(sheet("A", row(cell("&b;&c;"))), bomb))).toEqual(["h1 A", "&b;&c;"]);
  });
  test("damaged is refused or read", async () => {
    const file = workbook(sheet("A", row(cell("Name") + date("2021-01-01T00:00:00.000"), 'ss:Index="2"')));
    await expectCleanEnds("a.xml", bytesOf(file), 300);
  });
});

describe("a document of Word 2003", () => {
  const p = (content: string, more = ""): string => `<w:p><w:pPr>${more}</w:pPr>${content}</w:p>`;
  const r = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;
  const item = (text: string, level = 0): string =>
    p(
      r(text),
      `<w:listPr><w:ilvl w:val="${level}"/><w:ilfo w:val="1"/><wx:t wx:val="9."/><wx:font wx:val="Symbol"/></w:listPr>`,
    );
  const level = (number: number, format: number, text: string): string =>
    `<w:lvl w:ilvl="${number}"><w:start w:val="1"/><w:nfc w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
  const lists = `<w:lists><w:listDef w:listDefId="0">${level(0, 0, "%1.")}${level(1, 4, "(%2)")}</w:listDef><w:list w:ilfo="1"><w:ilst w:val="0"/></w:list></w:lists>`;
  const styles = `<w:styles><w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style><w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style></w:styles>`;
  const document = (body: string, prologue = ""): string =>
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${prologue}<?mso-application progid="Word.Document"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml" xmlns:wx="http://schemas.microsoft.com/office/word/2003/auxHint" xmlns:aml="http://schemas.microsoft.com/aml/2001/core" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:st1="urn:schemas-microsoft-com:office:smarttags">${properties}<w:fonts><w:defaultFonts w:ascii="Times"/></w:fonts>${lists}${styles}<w:docPr><w:footnotePr><w:footnote w:type="separator">${p(r("No note"))}</w:footnote></w:footnotePr></w:docPr><w:body><wx:sect>${body}</wx:sect></w:body></w:wordDocument>`;

  test.each<[string, string, string[]]>([
    [
      "has headings by their styles",
      p(r("The Lamp"), '<w:pStyle w:val="Titel"/>') +
        `<wx:sub-section>${p(r("Light"), '<w:pStyle w:val="berschrift2"/>')}${p(r("Words"))}</wx:sub-section>`,
      ["h1 The Lamp", "h2 Light", "Words"],
    ],
    ["has numbers as printed", item("One") + item("Deep", 1) + item("Two"), ["1. One", "  (a) Deep", "2. Two"]],
    [
      "has tables",
      `<w:tbl><w:tblPr/><w:tr><w:tc>${p(r("Name"))}</w:tc><w:tc>${p(r("Age"))}</w:tc></w:tr><w:tr><w:tc>${p(r("Ada"))}</w:tc><w:tc>${p(r("36"))}</w:tc></w:tr></w:tbl>`,
      ["Name | Age", "Ada | 36"],
    ],
    [
      "has words with smart tags, in links and in text boxes",
      p(
        `<st1:place>${r("Rome")}</st1:place>${r(", ")}<w:hlink w:dest="https://example.org"><w:r>${r("the")}${r("re")}</w:r></w:hlink><w:r><w:pict><w:binData w:name="a">AAAA</w:binData><v:shape><v:textbox><w:txbxContent>${p(r("Boxed"))}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>`,
      ),
      ["Rome, there", "Boxed"],
    ],
    [
      "has comments behind their paragraph, and what is inserted but not what is deleted",
      p(
        `${r("Seen")}<aml:annotation aml:id="1" w:type="Word.Insertion" aml:author="Ada"><aml:content>${r(" too")}</aml:content></aml:annotation><aml:annotation aml:id="2" w:type="Word.Deletion"><aml:content><w:r><w:delText>not</w:delText></w:r>${r("not")}</aml:content></aml:annotation><w:r><aml:annotation aml:id="3" aml:author="Ada &amp; Co" w:type="Word.Comment"><aml:content>${p(r("Really?"))}</aml:content></aml:annotation></w:r>`,
      ) + p(r("After")),
      ["Seen too", "Comment by Ada & Co: Really?", "After"],
    ],
    [
      "has heads and feet once",
      `${p(r("Text"))}<w:sectPr><w:hdr w:type="odd">${p(r("Lamps for all"))}</w:hdr><w:ftr w:type="odd">${p(`${r("Page ")}<w:fldSimple w:instr="PAGE">${r("1")}</w:fldSimple>`)}</w:ftr></w:sectPr>`,
      ["Text", "Lamps for all", "Page 1"],
    ],
  ])("%s", async (_, body, texts) => {
    expect(await textsOf("a.xml", document(body))).toEqual(texts);
  });
  test("has notes with their marks", async () => {
    const note = (text: string, kind = "footnote") => `<w:r><w:${kind}>${p(r(text))}</w:${kind}></w:r>`;
    const texts = await textsOf(
      "a.xml",
      document(p(`${r("One")}${note("Foot.")}${r(" two")}${note("End.", "endnote")}`)),
    );
    expect(texts[0]).toBe("One[1] two[2]");
    expect(texts.slice(1).join("\n")).toMatch(/1\. Foot\.[^]*2\. End\./);
  });
  test("says of itself what it says, and is known by its content", async () => {
    for (const name of ["a.xml", "a.doc", "a"]) {
      const {
        loaderId,
        mimeType,
        extension,
        properties: found,
      } = await readBlocks(bytesOf(document(p(r("x")))), name, null);
      expect([loaderId, mimeType, extension, found]).toEqual(["wordml", "application/xml", "xml", said]);
    }
  });
  test("declares nothing that grows, and fetches nothing", async () => {
    expect(await textsOf("a.xml", document(p(r("&b;&c;")), bomb))).toEqual(["&b;&c;"]);
    const failure = await failureOf(textsOf("a.xml", document("<w:p>".repeat(300))));
    expect(failure.message).toContain("nested more than 256 deep");
  });
  test("damaged is refused or read", async () => {
    const body =
      p(r("One"), '<w:pStyle w:val="Titel"/>') +
      item("Two") +
      p(`<w:r><w:footnote>${p(r("Foot."))}</w:footnote></w:r>`);
    await expectCleanEnds("a.xml", bytesOf(document(body)), 300);
  });
});

/** A package as one XML file. */
function flat(container: Uint8Array, prologue = ""): string {
  const parts = Object.entries(unzipSync(container)).map(([name, bytes]) => {
    const text = new TextDecoder().decode(bytes);
    const content = /\.(?:xml|rels)$/.test(name)
      ? `<pkg:xmlData>${text.replace(/^<\?xml[^>]*\?>/, "")}</pkg:xmlData>`
      : `<pkg:binaryData>${Buffer.from(bytes).toString("base64")}</pkg:binaryData>`;
    return name === "[Content_Types].xml" ? "" : `<pkg:part pkg:name="/${name}">${content}</pkg:part>`;
  });
  return `<?xml version="1.0" standalone="yes"?>${prologue}<pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">${parts.join("")}</pkg:package>`;
}

describe("a package saved as XML", () => {
  const word = wordDocument(wordParagraph("The Lamp", "Heading1") + wordParagraph("Text"));
  test("of Word is read as .docx is", async () => {
    const file = flat(word, '<?mso-application progid="Word.Document"?>');
    expect(await textsOf("a.xml", file)).toEqual(["h1 The Lamp", "Text"]);
    const { loaderId, mimeType, extension } = await readBlocks(bytesOf(file), "a.xml", null);
    expect([loaderId, mimeType, extension]).toEqual(["docx", "application/xml", "xml"]);
  });
  test("of PowerPoint is read as .pptx is", async () => {
    const slides = presentation([{ shapes: shape(["First"], "title") }, { shapes: shape(["Second"], "title") }]);
    const blocks = await blocksOf("a.xml", flat(slides));
    expect(blocks.map(({ text, place }) => [text, place?.slide])).toEqual([
      ["First", 1],
      ["Second", 2],
    ]);
  });
  test("with declarations of its own is refused, nested too deep too, and damaged is refused or read", async () => {
    const grown = flat(wordDocument(wordParagraph("&amp;b;")), bomb).replace("&amp;b;", "&b;");
    expect((await failureOf(textsOf("a.xml", grown))).message).toContain("it is damaged");
    const failure = await failureOf(textsOf("a.docx", flat(wordDocument("<w:p>".repeat(300)))));
    expect(failure.message).toContain("nested more than 256 deep");
    await expectCleanEnds("a.xml", bytesOf(flat(word)), 300);
  });
});
