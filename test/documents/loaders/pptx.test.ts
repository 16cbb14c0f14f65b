/** Presentations: slides in their order, each with what is written on it, its notes and its comments. */
import { describe, expect, test } from "bun:test";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { blocksOf, compoundFile, textsOf, wordDocument, wordParagraph } from "../fixtures.ts";
import { expectCleanEnds } from "../mutants.ts";
import { drawn, frame, type Parts, presentation, shape, slidePart } from "../packages.ts";

const item = (text: string, properties: string): string =>
  `<a:p><a:pPr ${properties}</a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;

/** The texts of one slide without a title. */
async function slideTexts(shapes: string, more: Parts = {}, relations = {}): Promise<string[]> {
  const [heading, ...texts] = await textsOf("a.pptx", presentation([{ shapes, relations }], more));
  expect(heading).toBe("h2 Slide 1");
  return texts;
}

describe("slides", () => {
  test("come in the presentation's order, each under its title, with its number", async () => {
    const pptx = presentation([
      { shapes: shape(["The year"], "ctrTitle") + shape(["Ada"], "subTitle") },
      { shapes: shape(["Below the title"]) + shape(["Sales"], "title") },
      { shapes: shape(["Untitled"]), attributes: 'show="0"' },
    ]);
    expect((await blocksOf("a.pptx", pptx)).map(({ level, text, place }) => [level, text, place?.slide])).toEqual([
      [1, "The year", 1],
      [undefined, "Ada", 1],
      [2, "Sales", 2],
      [undefined, "Below the title", 2],
      [2, "Slide 3 (hidden slide)", 3],
      [undefined, "Untitled", 3],
    ]);
  });
  test("without any text leave nothing", async () => {
    const blank = { shapes: shape([""], "title") };
    expect(await textsOf("a.pptx", presentation([blank, { shapes: shape(["Words"]) }]))).toEqual([
      "h2 Slide 2",
      "Words",
    ]);
    await expect(textsOf("a.pptx", presentation([blank]))).rejects.toMatchObject({ code: "NO_TEXT" });
  });
  test("say a footer and a written date once, and neither numbers nor the date of the day", async () => {
    const shapes =
      shape(["Confidential"], "ftr") +
      shape(["7"], "sldNum") +
      shape(["March 2006"], "dt") +
      shape(["<a:p><a:fld><a:t>1 May</a:t></a:fld></a:p>"], "dt");
    expect(await textsOf("a.pptx", presentation([{ shapes }, { shapes }]))).toEqual([
      "h2 Slide 1",
      "Confidential",
      "March 2006",
    ]);
  });
});

describe("on a slide", () => {
  test.each<[string, string, string[]]>([
    ["content of several paragraphs is a list", shape(["One", item("Two", 'lvl="1">')], ""), ["- One", "  - Two"]],
    ["content of one paragraph is none", shape(["One", ""], "body"), ["One"]],
    ["a text box has paragraphs", shape(["One", "Two"]), ["One", "Two"]],
    ["what has no bullet is a paragraph", shape([item("One", "><a:buNone/>"), "Two"], ""), ["One", "- Two"]],
    [
      "numbers are those that are printed",
      shape([
        item("a", '><a:buAutoNum type="romanUcPeriod"/>'),
        item("b", 'lvl="1"><a:buAutoNum type="alphaLcParenBoth" startAt="3"/>'),
        item("c", '><a:buAutoNum type="romanUcPeriod"/>'),
      ]),
      ["I. a", "  (c) b", "II. c"],
    ],
    ["groups are gone into", `<p:grpSp><p:nvGrpSpPr/>${shape(["Inside"])}</p:grpSp>`, ["Inside"]],
    ["hidden shapes are left out", shape(["No"], undefined, 'hidden="1"') + shape(["Yes"]), ["Yes"]],
    [
      "of two ways to say the same, the first is taken",
      `<mc:AlternateContent><mc:Choice>${shape(["New"])}</mc:Choice><mc:Fallback>${shape(["Old"])}</mc:Fallback></mc:AlternateContent>`,
      ["New"],
    ],
    [
      "a picture has its description, not its file's name",
      `<p:pic><p:nvPicPr><p:cNvPr descr="A lighthouse"/></p:nvPicPr></p:pic><p:pic><p:nvPicPr><p:cNvPr descr="a.png"/></p:nvPicPr></p:pic>`,
      ["A lighthouse"],
    ],
    [
      "line breaks and fields stay",
      shape([
        "<a:p><a:r><a:t>One</a:t></a:r><a:br/><a:fld><a:rPr/><a:t>Two</a:t></a:fld><a:endParaRPr><a:t>no</a:t></a:endParaRPr></a:p>",
      ]),
      ["One\nTwo"],
    ],
    [
      "an equation is one line",
      shape([
        "<a:p><mc:AlternateContent><mc:Choice><a14:m><m:oMath><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></a14:m></mc:Choice><mc:Fallback/></mc:AlternateContent></a:p>",
      ]),
      ["(a+b)/2"],
    ],
  ])("%s", async (_, shapes, texts) => expect(await slideTexts(shapes)).toEqual(texts));

  test("a table has rows under the names of its columns", async () => {
    const row = (cells: string[]): string =>
      `<a:tr>${cells.map((cell) => `<a:tc><a:txBody>${drawn([cell])}</a:txBody></a:tc>`).join("")}</a:tr>`;
    const table = frame(`<a:tbl><a:tblPr firstRow="1"/>${row(["Lamp", "1"])}${row(["Small", ""])}</a:tbl>`);
    const blocks = await blocksOf("a.pptx", presentation([{ shapes: table + shape(["After"]) }]));
    expect(blocks.slice(1).map(({ kind, text, context }) => [kind, text, context])).toEqual([
      ["row", "Lamp | 1", undefined],
      ["row", "Small", "Lamp | 1"],
      ["paragraph", "After", undefined],
    ]);
  });
  test("a chart has its title and its numbers", async () => {
    const points = (values: string[]): string =>
      values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join("");
    const chart = `<c:chartSpace><c:chart><c:title><c:tx><c:rich>${drawn(["Sales by year"])}</c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache>${points(["North"])}</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>${points(["2024", "2025"])}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache>${points(["8.1999999999999993", "9"])}</c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;
    expect(
      await slideTexts(
        frame('<c:chart r:id="c1"/>'),
        { "ppt/charts/chart1.xml": chart },
        { c1: ["chart", "../charts/chart1.xml"] },
      ),
    ).toEqual(["Sales by year", " | North", "2024 | 8.2", "2025 | 9"]);
  });
  test("a diagram has its points by what belongs to what, also where they go in circles", async () => {
    const point = (id: string, text: string, type = "node"): string =>
      `<dgm:pt modelId="${id}" type="${type}"><dgm:t>${drawn([text])}</dgm:t></dgm:pt>`;
    const link = (from: string, to: string, order: number): string =>
      `<dgm:cxn srcId="${from}" destId="${to}" srcOrd="${order}"/>`;
    const data = `<dgm:dataModel><dgm:ptLst>${point("r", "", "doc")}${point("b", "Second")}${point("a", "First")}${point("c", "Deeper")}${point("x", "Loose")}</dgm:ptLst><dgm:cxnLst>${link("r", "b", 1)}${link("r", "a", 0)}${link("a", "c", 0)}${link("c", "a", 0)}${link("c", "r", 0)}</dgm:cxnLst></dgm:dataModel>`;
    expect(
      await slideTexts(
        frame('<dgm:relIds r:dm="d1"/>'),
        { "ppt/diagrams/data1.xml": data },
        { d1: ["diagramData", "../diagrams/data1.xml"] },
      ),
    ).toEqual(["- First", "  - Deeper", "- Second", "- Loose"]);
  });
  test("notes, comments and embedded documents follow", async () => {
    const texts = await slideTexts(
      shape(["Body"]),
      {
        "ppt/notesSlides/n1.xml": slidePart("notes", shape(["3"], "sldNum") + shape(["Speak slowly."], "body")),
        "ppt/comments/c1.xml": '<p:cmLst><p:cm authorId="0"><p:text>Why?</p:text></p:cm></p:cmLst>',
        "ppt/commentAuthors.xml": '<p:cmAuthorLst><p:cmAuthor id="0" name="Ada"/></p:cmAuthorLst>',
        "ppt/embeddings/letter.docx": wordDocument(wordParagraph("Dear Ada")),
        "ppt/embeddings/broken.docx": wordDocument(wordParagraph("Dear Alan")).subarray(0, 300),
      },
      {
        n: ["notesSlide", "../notesSlides/n1.xml"],
        c: ["comments", "../comments/c1.xml"],
        e: ["package", "../embeddings/letter.docx"],
        f: ["package", "../embeddings/broken.docx"],
        g: ["package", "../embeddings/missing.docx"],
      },
    );
    expect(texts).toEqual(["Body", "h3 Notes", "Speak slowly.", "Comment by Ada: Why?", "Dear Ada"]);
  });
});

test("its properties are the document's", async () => {
  const core =
    "<cp:coreProperties><dc:title>The year</dc:title><dc:creator>Ada</dc:creator><dcterms:created>2020-01-01T00:00:00Z</dcterms:created><dcterms:modified>2024-05-06T07:08:09Z</dcterms:modified><dc:language>en_GB</dc:language></cp:coreProperties>";
  const pptx = presentation([{ shapes: shape(["Words"]) }], { "docProps/core.xml": core });
  expect(await readBlocks(pptx, "a.bin", null)).toMatchObject({
    loaderId: "pptx",
    extension: "pptx",
    properties: { title: "The year", author: "Ada", date: "2024-05-06T07:08:09Z", language: "en-GB" },
  });
  expect(await readBlocks(pptx, "a.ppsx", null)).toMatchObject({ loaderId: "pptx", extension: "ppsx" });
});

describe("what cannot be read is refused in a sentence", () => {
  const deep = `${"<p:grpSp><p:nvGrpSpPr/>".repeat(300)}${"</p:grpSp>".repeat(300)}`;
  const many = presentation([{ shapes: "<p:cxnSp/>".repeat(1100) }]);
  test.each<[string, Uint8Array, string]>([
    ["a password", compoundFile("EncryptedPackage"), "protected with a password"],
    ["cut off", presentation([{ shapes: shape(["Words"]) }]).subarray(0, 900), "cut off or damaged"],
    ["nested too deep", presentation([{ shapes: deep }]), "nested more than 256 deep"],
    ["too many elements", many, "more than 1000 elements"],
  ])("%s", async (_, bytes, reason) => {
    await expect(textsOf("a.pptx", bytes, { maxTreeElements: 1000 })).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      message: expect.stringContaining(reason),
    });
  });
  test("slides that are one and the same cannot be multiplied beyond the limit on what is unpacked", async () => {
    const ids = '<p:sldId r:id="s0"/>'.repeat(100);
    const pptx = presentation([{ shapes: shape(["word ".repeat(1000)]) }], {
      "ppt/presentation.xml": `<p:presentation><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    });
    await expect(textsOf("a.pptx", pptx, { maxInflatedBytes: 100_000 })).rejects.toThrow("more than 100000 bytes");
  });
});

test("damaged ones are read or refused", async () => {
  const slide = { shapes: shape(["Title"], "title") + shape(["One", item("Two", 'lvl="1">')], "") };
  await expectCleanEnds("a.pptx", presentation([slide, slide], {}, 0), 400);
});
