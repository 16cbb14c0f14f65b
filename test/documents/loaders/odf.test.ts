/** OpenDocument texts and presentations: what is printed, in reading order, and nothing that is hidden or deleted. */
import { describe, expect, test } from "bun:test";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { blocksOf, textsOf } from "../fixtures.ts";
import { expectCleanEnds } from "../mutants.ts";
import { openDocument, packageOf } from "../packages.ts";

const p = (text: string, attributes = ""): string => `<text:p ${attributes}>${text}</text:p>`;
const item = (content: string, attributes = ""): string => `<text:list-item ${attributes}>${content}</text:list-item>`;
const cell = (content: string, attributes = ""): string =>
  `<table:table-cell ${attributes}>${content}</table:table-cell>`;
const row = (...cells: string[]): string => `<table:table-row>${cells.join("")}</table:table-row>`;
const level = (number: number, format: string, more = ""): string =>
  `<text:list-level-style-number text:level="${number}" style:num-format="${format}" style:num-suffix="." ${more}/>`;
const numbered = `<text:list-style style:name="N">${level(1, "1")}${level(2, "a", 'text:display-levels="2"')}<text:list-level-style-bullet text:level="3"/></text:list-style>`;
const hidden = '<style:style style:name="H"><style:text-properties text:display="none"/></style:style>';

describe("a text has", () => {
  test.each<[string, string, string[]]>([
    ["headings with their levels", '<text:h text:outline-level="2">Scope</text:h>', ["h2 Scope"]],
    [
      "its title as the highest heading",
      p("The Title", 'text:style-name="Title"') + p("Words"),
      ["h1 The Title", "Words"],
    ],
    ["white space as written", p("a<text:s text:c='3'/>b<text:tab/>c<text:line-break/>d \n e"), ["a   b\tc\nd e"]],
    [
      "bullets and numbers as printed",
      `<text:list text:style-name="N">${item(p("One"))}${item(`${p("Two") + p("more")}<text:list>${item(`${p("Deep")}<text:list>${item(p("Deepest"))}</text:list>`)}${item(p("Deep again"))}</text:list>`)}</text:list>${p("Between")}<text:list text:style-name="N" text:continue-numbering="true">${item(p("Three"))}${item(p("Nine"), 'text:start-value="9"')}</text:list><text:list text:style-name="N">${item(p("Anew"))}</text:list>`,
      [
        "1. One",
        "2. Two",
        "more",
        "  2.a. Deep",
        "    - Deepest",
        "  2.b. Deep again",
        "Between",
        "3. Three",
        "9. Nine",
        "1. Anew",
      ],
    ],
    [
      "an item that only holds a list no number",
      `<text:list text:style-name="N">${item(`<text:list>${item(p("Deep"))}</text:list>`)}${item(p("One"))}</text:list>`,
      ["  1.a. Deep", "1. One"],
    ],
    [
      "notes and comments after their paragraph, endnotes at the end",
      p(
        `Text<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>${p("Foot.")}</text:note-body></text:note> goes on<text:note text:note-class="endnote"><text:note-citation>i</text:note-citation><text:note-body>${p("End.")}</text:note-body></text:note>.<office:annotation><dc:creator>Ada</dc:creator><dc:date>2024-01-01</dc:date>${p("Really?")}</office:annotation>`,
      ) + p("After"),
      ["Text[1] goes on[i].", "[1] Foot.", "Comment by Ada: Really?", "After", "[i] End."],
    ],
    [
      "text boxes and what pictures show after their paragraph",
      p(
        `Around<draw:frame><draw:text-box>${p("Boxed")}<text:list>${item(p("Listed"))}</text:list></draw:text-box></draw:frame> it<draw:frame><draw:image/><svg:title>A lamp</svg:title></draw:frame>`,
      ),
      ["Around it", "Boxed", "- Listed", "A lamp"],
    ],
    [
      "fields",
      p("<text:title>The Title</text:title>, page <text:page-number>3</text:page-number>"),
      ["The Title, page 3"],
    ],
    [
      "what the controls of forms say and hold, where they are drawn",
      `<office:forms><form:form><form:text form:id="a" form:value="Old" form:current-value="Ada"/><form:textarea form:id="b">${p("Two")}${p("lines")}</form:textarea><form:checkbox form:id="c" form:label="Agreed" form:current-state="checked"/><form:radio form:id="d" form:label="Not so"/><form:listbox form:id="e"><form:option form:label="No"/><form:option form:label="Yes" form:current-selected="true"/></form:listbox><form:password form:id="f" form:value="secret"/><form:hidden form:id="g" form:value="secret"/></form:form></office:forms>${p('Name: <draw:control draw:control="a"/>.')}${["b", "c", "d", "e", "f", "g", "?"].map((id) => `<draw:control draw:control="${id}"/>`).join("")}`,
      ["Name: Ada.", "Two\nlines", "☒ Agreed", "☐ Not so", "Yes"],
    ],
    [
      "nothing that is hidden, deleted or said elsewhere",
      `<text:tracked-changes><text:changed-region><text:deletion>${p("Deleted")}</text:deletion></text:changed-region></text:tracked-changes><text:table-of-content><text:index-body>${p("Contents")}</text:index-body></text:table-of-content><text:section text:display="none">${p("Section")}</text:section>${p("Hidden", 'text:style-name="H"')}${p('Seen<text:span text:style-name="H">not</text:span><text:hidden-text text:is-hidden="true">not</text:hidden-text>')}${p("No<text:hidden-paragraph/>")}`,
      ["Seen"],
    ],
    [
      "the base text of reading aids",
      p("<text:ruby><text:ruby-base>東京</text:ruby-base><text:ruby-text>とうきょう</text:ruby-text></text:ruby>"),
      ["東京"],
    ],
    [
      "a table of one column as paragraphs",
      `<table:table>${row(cell(p("One") + p("Two")))}</table:table>`,
      ["One", "Two"],
    ],
    [
      "a table in a cell in its row",
      `<table:table>${row(cell(p("a")), cell(`<table:table>${row(cell(p("b")), cell(p("c")))}</table:table>`))}</table:table>`,
      ["a | b, c"],
    ],
    [
      "repeated and covered cells",
      `<table:table>${row(cell(p("a"), 'table:number-columns-repeated="2"'), "<table:covered-table-cell/>", cell(p("b")), cell("", 'table:number-columns-repeated="999999"'))}</table:table>`,
      ["a | a |  | b"],
    ],
  ])("%s", async (_, body, texts) => {
    expect(await textsOf("a.odt", openDocument("text", body, numbered + hidden))).toEqual(texts);
  });

  test("rows under the names of the columns, and what comes after under none", async () => {
    const table = `<table:table><table:table-header-rows>${row(cell(p("1")), cell(p("2")))}</table:table-header-rows>${row(cell(p("a")), cell(p("b")))}</table:table>`;
    const blocks = await blocksOf("a.odt", openDocument("text", table + p("After")));
    expect(blocks.map(({ kind, text, context }) => [kind, text, context])).toEqual([
      ["row", "1 | 2", undefined],
      ["row", "a | b", "1 | 2"],
      ["paragraph", "After", undefined],
    ]);
  });
  test("numbers before headings where the document prints them", async () => {
    const outline = `<office:document-styles><office:styles><text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style></office:styles><office:master-styles><style:master-page><style:header>${p("Annual report")}</style:header><style:footer>${p("Annual report")}${p("7")}</style:footer></style:master-page></office:master-styles></office:document-styles>`;
    const h = (text: string, outlineLevel: number, style = ""): string =>
      `<text:h text:outline-level="${outlineLevel}" ${style}>${text}</text:h>`;
    const body = h("Scope", 1) + h("Terms", 2) + h("Words", 2) + h("Annex", 1, 'text:style-name="A"') + h("End", 1);
    const unnumbered = '<style:style style:name="A" style:list-style-name=""/>';
    expect(await textsOf("a.odt", openDocument("text", body, unnumbered, { "styles.xml": outline }))).toEqual([
      "h1 1 Scope",
      "h2 1.1 Terms",
      "h2 1.2 Words",
      "h1 Annex",
      "h1 2 End",
      "Annual report",
    ]);
  });
  test("formulas in their line, and charts, each once even if they hold one another", async () => {
    const object = (name: string): string => `<draw:frame><draw:object xlink:href="./${name}"/></draw:frame>`;
    const parts = {
      "Object 1/content.xml": "<math><semantics><mi>E</mi><annotation>E = m c^2</annotation></semantics></math>",
      "Object 2/content.xml": `<office:document-content><office:body><office:chart><chart:chart><chart:title>${p("Sales")}</chart:title><table:table>${row(cell(""), cell(p("North")))}${row(cell(p("2024")), cell(p("7")))}</table:table>${object("Object 2")}</chart:chart></office:chart></office:body></office:document-content>`,
    };
    const body = p(`Here ${object("Object 1")} is`) + p(object("Object 2") + object("Missing"));
    expect(await textsOf("a.odt", openDocument("text", body, "", parts))).toEqual([
      "Here E = m c^2 is",
      "Sales",
      " | North",
      "2024 | 7",
    ]);
  });
  test("its properties", async () => {
    const meta =
      "<office:document-meta><office:meta><dc:title>The year</dc:title><meta:initial-creator>Ada</meta:initial-creator><dc:creator>Alan</dc:creator><dc:date>2024-05-06T07:08:09.5</dc:date><dc:language>de-AT</dc:language></office:meta></office:document-meta>";
    expect(await readBlocks(openDocument("text", p("Words"), "", { "meta.xml": meta }), "a", null)).toMatchObject({
      loaderId: "odt",
      properties: { title: "The year", author: "Ada", date: "2024-05-06T07:08:09", language: "de-AT" },
    });
  });
});

describe("a presentation has", () => {
  const box = (role: string, content: string): string =>
    `<draw:frame presentation:class="${role}"><draw:text-box>${content}</draw:text-box></draw:frame>`;
  const page = (content: string, style = ""): string => `<draw:page draw:style-name="${style}">${content}</draw:page>`;

  test("its slides with title, text and notes", async () => {
    const invisible =
      '<style:style style:name="I"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
    const body =
      page(box("title", p("The year")) + box("subtitle", p("Ada"))) +
      page("<draw:frame/>") +
      page(
        `<draw:custom-shape>${p("A shape")}</draw:custom-shape>${box("title", p("Sales"))}${box("outline", `<text:list>${item(p("Up"))}</text:list>`)}${box("footer", p("Confidential"))}<presentation:notes>${box("notes", p("Slowly."))}</presentation:notes>`,
      ) +
      page(box("outline", p("Untitled")), "I");
    const blocks = await blocksOf("a.odp", openDocument("presentation", body, invisible));
    expect(blocks.map(({ level: heading, text, place }) => [heading ?? 0, text, place?.slide])).toEqual([
      [1, "The year", 1],
      [0, "Ada", 1],
      [2, "Sales", 3],
      [0, "A shape", 3],
      [0, "- Up", 3],
      [3, "Notes", 3],
      [0, "Slowly.", 3],
      [2, "Slide 4 (hidden slide)", 4],
      [0, "Untitled", 4],
    ]);
  });
});

test("a presentation has what stands on all its slides once, at the end", async () => {
  const frame = (role: string, text: string): string =>
    `<draw:frame presentation:class="${role}"><draw:text-box>${p(text)}</draw:text-box></draw:frame>`;
  const master = `<style:master-page>${frame("title", "Click to edit")}${frame("footer", "Confidential")}${frame("page-number", "number")}<draw:custom-shape>${p("Lamp Company")}</draw:custom-shape><presentation:notes>${frame("header", "Notes of Ada")}</presentation:notes></style:master-page>`;
  const styles = `<office:document-styles><office:master-styles>${master}${master}</office:master-styles></office:document-styles>`;
  const body = `<draw:page>${frame("title", "The year")}</draw:page><draw:page>${frame("title", "Sales")}</draw:page>`;
  expect(await textsOf("a.odp", openDocument("presentation", body, "", { "styles.xml": styles }))).toEqual([
    "h2 The year",
    "h2 Sales",
    "Confidential",
    "Lamp Company",
  ]);
});

describe("what cannot be read is refused in a sentence", () => {
  const encrypted =
    '<manifest:manifest><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
  const wide = row(cell(p("a"), 'table:number-columns-repeated="999999"'));
  test.each<[string, Uint8Array, string]>([
    ["a password", openDocument("text", "", "", { "META-INF/manifest.xml": encrypted }), "protected with a password"],
    ["nested too deep", openDocument("text", "<text:section>".repeat(300)), "nested more than 256 deep"],
    [
      "a cell repeated without measure",
      openDocument(
        "text",
        `<table:table>${row(cell(p("x".repeat(20_000)), 'table:number-columns-repeated="4000"'))}</table:table>`,
      ),
      "more than 50000000 characters",
    ],
    [
      "tables in cells that are repeated at each level",
      openDocument(
        "text",
        [1, 2, 3].reduce(
          (inner) => `<table:table>${row(cell(inner, 'table:number-columns-repeated="5000"'))}</table:table>`,
          p("x".repeat(10)),
        ),
      ),
      "more than 50000000 characters",
    ],
    ["too many columns", openDocument("text", `<table:table>${wide}</table:table>`), "more than 5000 columns"],
  ])("%s", async (_, bytes, reason) => {
    await expect(textsOf("a.odt", bytes)).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      message: expect.stringContaining(reason),
    });
  });
  test("one of another type is not taken for a text", async () => {
    const drawing = packageOf({ "content.xml": "<x/>" }, { mimetype: "application/vnd.oasis.opendocument.graphics" });
    await expect(textsOf("a.odt", drawing)).rejects.toMatchObject({ code: "UNSUPPORTED_FILE_TYPE" });
  });
});

test("damaged ones are read or refused", async () => {
  const body = `<text:list text:style-name="N">${item(p("One"))}</text:list><table:table>${row(cell(p("a")), cell(p("b")))}</table:table>${p(`Text<text:note><text:note-citation>1</text:note-citation><text:note-body>${p("Foot.")}</text:note-body></text:note>`)}`;
  await expectCleanEnds("a.odt", openDocument("text", body, numbered, {}, 0), 400);
  const slide = `<draw:page><draw:frame presentation:class="title"><draw:text-box>${p("Title")}</draw:text-box></draw:frame></draw:page>`;
  await expectCleanEnds("a.odp", openDocument("presentation", slide, "", {}, 0), 200);
});
