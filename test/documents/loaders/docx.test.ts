/** Word documents: what is printed beside the plain text. */
import { describe, expect, test } from "bun:test";
import { strToU8 } from "fflate";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { blocksOf, textsOf, wordDocument, wordParagraph } from "../fixtures.ts";
import { expectCleanEnds } from "../mutants.ts";
import { relationships } from "../packages.ts";

const NAMESPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml"';

const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;
const paragraph = (content: string, properties = ""): string => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`;
const item = (text: string, level = 0, list = 1): string =>
  paragraph(run(text), `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`);
const styled = (text: string, style: string): string => paragraph(run(text), `<w:pStyle w:val="${style}"/>`);
const table = (...rows: string[][]): string =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${cell.startsWith("<") ? cell : paragraph(run(cell))}</w:tc>`).join("")}</w:tr>`).join("")}</w:tbl>`;

const level = (number: number, format: string, text: string, more = ""): string =>
  `<w:lvl w:ilvl="${number}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>${more}</w:lvl>`;
const NUMBERING = `<w:numbering ${NAMESPACES}>
  <w:abstractNum w:abstractNumId="0">${level(0, "decimal", "%1.")}${level(1, "lowerLetter", "(%2)")}${level(2, "lowerRoman", "%3)")}</w:abstractNum>
  <w:abstractNum w:abstractNumId="1">${level(0, "upperRoman", "%1", '<w:pStyle w:val="Chapter"/>')}${level(1, "decimal", "%1.%2", '<w:isLgl/><w:pStyle w:val="Section"/>')}</w:abstractNum>
  <w:abstractNum w:abstractNumId="2">${level(0, "bullet", "·")}</w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
  <w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
  <w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num>
  <w:num w:numId="4"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>
</w:numbering>`;
const STYLES = `<w:styles ${NAMESPACES}>
  <w:style w:type="paragraph" w:styleId="Base"><w:name w:val="Base"/><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="Chapter"><w:name w:val="Chapter"/><w:basedOn w:val="Base"/><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="Section"><w:name w:val="Section"/><w:basedOn w:val="Chapter"/><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="2"/></w:numPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="Circle"><w:name w:val="Circle"/><w:basedOn w:val="Circle"/></w:style>
  <w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>
</w:styles>`;

/** A document with this in its body, its lists and styles, and further parts of `word/` with the types of their relations. */
function word(body: string, parts: Record<string, readonly [string, string]> = {}): Uint8Array {
  const all: Record<string, readonly [string, string]> = {
    "styles.xml": ["styles", STYLES],
    "numbering.xml": ["numbering", NUMBERING],
    ...parts,
  };
  const more = Object.entries(all).map(([name, [, xml]]) => [`word/${name}`, strToU8(xml)] as const);
  const relations = Object.entries(all).map(([name, [type]], index) => [`r${index}`, [type, name]] as const);
  return wordDocument("", {
    "word/document.xml": strToU8(`<w:document ${NAMESPACES}><w:body>${body}</w:body></w:document>`),
    "word/_rels/document.xml.rels": strToU8(relationships(Object.fromEntries(relations))),
    ...Object.fromEntries(more),
  });
}

describe("numbers are those that are printed", () => {
  test.each<[string, string, string[]]>([
    [
      "of lists, level by level",
      item("a") + item("b", 1) + item("c", 1) + item("d", 2) + item("e") + item("f", 1),
      ["1. a", "  (a) b", "  (b) c", "    i) d", "2. e", "  (a) f"],
    ],
    ["of lists that go on after something else", item("a") + wordParagraph("x") + item("b"), ["1. a", "x", "2. b"]],
    ["of lists that begin elsewhere", item("a") + item("b", 0, 4) + item("c", 0, 4), ["1. a", "7. b", "8. c"]],
    [
      "of headings, by their styles",
      styled("A", "Chapter") + styled("B", "Section") + styled("C", "Section") + styled("D", "Chapter"),
      ["h1 I A", "h2 1.1 B", "h2 1.2 C", "h1 II D"],
    ],
    ["but for bullets", item("a", 0, 3), ["- a"]],
    ["and none where a paragraph is of no list", item("a", 0, 0) + item("b", 0, 99), ["a", "b"]],
    [
      "in cells, which stay cells",
      table(["Lamp", "Parts"], ["Small", item("a", 0, 3) + item("b") + item("c")]),
      ["Lamp | Parts", "Small | - a 1. b 2. c"],
    ],
    [
      "once for text boxes that are drawn in two ways",
      paragraph(
        `${run("x")}<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx><w:txbxContent>${item("a")}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>${item("a")}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
      ),
      ["x", "1. a"],
    ],
  ])("%s", async (_, body, texts) => expect(await textsOf("a.docx", word(body))).toEqual(texts));
});

describe("a document has", () => {
  test.each<[string, string, string[]]>([
    ["its title as the highest heading", styled("T", "Title"), ["h1 T"]],
    [
      "headings by their own level",
      paragraph(run("T"), '<w:outlineLvl w:val="2"/>') + paragraph(run("B"), '<w:outlineLvl w:val="9"/>'),
      ["h3 T", "B"],
    ],
    ["text whose style derives from itself", styled("x", "Circle"), ["x"]],
    [
      "equations as a line",
      paragraph(
        `${run("so ")}<m:oMathPara><m:oMath><m:sSup><m:e><m:r><m:t>x&lt;</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></m:oMathPara>${run(" then")}`,
      ),
      ["so (x<)^2 then"],
    ],
    [
      "the results of fields and what is in content controls",
      `${paragraph(`<w:fldSimple w:instr="DATE">${run("May")}</w:fldSimple><w:fldSimple w:instr="X"/><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(" two")}<w:r><w:fldChar w:fldCharType="end"/></w:r>`)}<w:sdt><w:sdtContent>${paragraph(run("three"))}</w:sdtContent></w:sdt>`,
      ["May two", "three"],
    ],
    [
      "text boxes that only newer programs draw",
      paragraph(
        `${run("x")}<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx><w:txbxContent>${paragraph(run("a &amp; b"))}</w:txbxContent></wps:txbx></w:drawing></mc:Choice></mc:AlternateContent></w:r>`,
      ),
      ["x", "a & b"],
    ],
  ])("%s", async (_, body, texts) => expect(await textsOf("a.docx", word(body))).toEqual(texts));

  test("rows under the names of the columns, and what comes after under none", async () => {
    const blocks = await blocksOf("a.docx", word(table(["Lamp", "Price"], ["Small", "10"]) + wordParagraph("After")));
    expect(blocks.map(({ kind, text, context }) => [kind, text, context])).toEqual([
      ["row", "Lamp | Price", undefined],
      ["row", "Small | 10", "Lamp | Price"],
      ["paragraph", "After", undefined],
    ]);
  });
  test("comments after their paragraph, footnotes and heads and feet once at the end", async () => {
    const part = (root: string, content: string): string => `<w:${root} ${NAMESPACES}>${content}</w:${root}>`;
    const docx = word(
      paragraph(`${run("Text")}<w:r><w:footnoteReference w:id="1"/></w:r><w:r><w:commentReference w:id="0"/></w:r>`) +
        wordParagraph("After"),
      {
        "comments.xml": [
          "comments",
          part("comments", `<w:comment w:id="0" w:author="Ada">${paragraph(run("Really &amp; truly?"))}</w:comment>`),
        ],
        "footnotes.xml": [
          "footnotes",
          part("footnotes", `<w:footnote w:id="1">${paragraph(run("Foot."))}</w:footnote>`),
        ],
        "header1.xml": ["header", part("hdr", paragraph(run("Annual report")))],
        "header2.xml": ["header", part("hdr", paragraph(run("Annual report")) + paragraph(run("7")))],
      },
    );
    expect(await textsOf("a.docx", docx)).toEqual([
      "Text[1]",
      "Comment by Ada: Really & truly?",
      "After",
      "1. Foot. ↑",
      "Annual report",
    ]);
  });
  test("its properties, and the documents in it", async () => {
    const docx = wordDocument(wordParagraph("Around"), {
      "docProps/core.xml": strToU8(
        "<cp:coreProperties><dc:title>T</dc:title><dc:creator>Ada</dc:creator><dcterms:modified>2024-05-06T07:08:09Z</dcterms:modified></cp:coreProperties>",
      ),
      "word/_rels/document.xml.rels": strToU8(relationships({ e: ["package", "embeddings/inner.docx"] })),
      "word/embeddings/inner.docx": wordDocument(wordParagraph("Inside")),
    });
    expect(await readBlocks(docx, "a.docx", null)).toMatchObject({
      properties: { title: "T", author: "Ada", date: "2024-05-06T07:08:09Z" },
      blocks: [{ text: "Around" }, { text: "Inside", place: { member: "inner.docx" } }],
    });
  });
  test("documents in one another as far as they may be", async () => {
    let docx = wordDocument(wordParagraph("Innermost"));
    for (let depth = 0; depth < 5; depth += 1)
      docx = wordDocument(wordParagraph(`Depth ${depth}`), {
        "word/_rels/document.xml.rels": strToU8(relationships({ e: ["package", "embeddings/inner.docx"] })),
        "word/embeddings/inner.docx": docx,
      });
    expect(await textsOf("a.docx", docx, { maxMemberDepth: 2 })).toEqual(["Depth 4", "Depth 3", "Depth 2"]);
  });
});

test("many lists of one kind share its levels", async () => {
  const list = (id: number, kind: number) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${kind}"/></w:num>`;
  const lists = Array.from({ length: 3000 }, (_, id) => list(id, id === 0 ? 0 : 1)).join("");
  const levels = level(0, "constructor", "%1)").repeat(3000);
  const numbering = `<w:numbering ${NAMESPACES}><w:abstractNum w:abstractNumId="0"><w:styleLink w:val="S"/>${levels}</w:abstractNum><w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="S"/></w:abstractNum>${lists}</w:numbering>`;
  const style = `<w:style w:type="numbering" w:styleId="S"><w:name w:val="S"/><w:pPr><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr></w:style>`;
  const docx = word(item("a", 0, 2999) + item("b", 0, 2999), {
    "numbering.xml": ["numbering", numbering],
    "styles.xml": ["styles", STYLES.replace("</w:styles>", `${style}</w:styles>`)],
  });
  expect(await textsOf("a.docx", docx)).toEqual(["1) a", "2) b"]);
});

test("damaged ones are read or refused", async () => {
  const body =
    styled("A", "Chapter") +
    item("a") +
    table(["Lamp", "Price"], ["Small", item("a")]) +
    paragraph("<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>");
  await expectCleanEnds("a.docx", word(body), 300);
});
