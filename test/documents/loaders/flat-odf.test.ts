/** OpenDocument files that are one XML file are read as those that are packages. */
import { describe, expect, test } from "bun:test";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { failureOf } from "../../harness.ts";
import { blocksOf, bytesOf, textsOf } from "../fixtures.ts";
import { expectCleanEnds } from "../mutants.ts";
import { flatOpenDocument } from "../packages.ts";

const p = (text: string): string => `<text:p>${text}</text:p>`;
const meta = `<office:meta><dc:title>The Lamp</dc:title><meta:initial-creator>Ada</meta:initial-creator><dc:date>2026-05-12T10:00:00</dc:date></office:meta>`;
const styles = `<office:styles><text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/></text:list-style></office:styles>`;
const automatic = `<office:automatic-styles><style:style style:name="H"><style:text-properties text:display="none"/></style:style></office:automatic-styles>`;
const masters = `<office:master-styles><style:master-page><style:header>${p("Lamps for all")}</style:header></style:master-page></office:master-styles>`;
const picture = `<draw:frame><draw:image><office:binary-data>iVBORw0KGgoAAAANSUhEUg==</office:binary-data></draw:image></draw:frame>`;
const chart = `<draw:frame><draw:object><office:document office:mimetype="application/vnd.oasis.opendocument.chart">${meta}<office:body><office:chart><chart:chart><chart:title>${p("Light by year")}</chart:title><table:table><table:table-row><table:table-cell>${p("9")}</table:table-cell></table:table-row></table:table></chart:chart></office:chart></office:body></office:document></draw:object></draw:frame>`;
const formula = `<draw:frame><draw:object><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>E</mi><mo>=</mo><mi>m</mi></mrow><annotation encoding="StarMath 5.0">E = m</annotation></semantics></math></draw:object></draw:frame>`;

describe("a flat text", () => {
  const body = `<text:h text:outline-level="1">Light</text:h><text:p text:style-name="H">Hidden</text:p><text:list text:style-name="N"><text:list-item>${p("One")}</text:list-item></text:list>${p(`So ${formula} it is.${picture}`)}`;
  const file = flatOpenDocument("text", body, meta + styles + automatic + masters);
  test("has its lists, formulas and heads, and nothing of its pictures and of what is hidden", async () => {
    expect(await textsOf("a.fodt", file)).toEqual(["h1 Light", "1. One", "So E = m it is.", "Lamps for all"]);
  });
  test("says of itself what it says", async () => {
    expect((await readBlocks(bytesOf(file), "a.fodt", null)).properties).toEqual({
      title: "The Lamp",
      author: "Ada",
      date: "2026-05-12T10:00:00",
    });
  });
  test.each([["a.fodt"], ["a.xml"], ["a.txt"], ["a"]])("is known by its content: %s", async (name) => {
    const { loaderId, mimeType, extension } = await readBlocks(bytesOf(file), name, null);
    expect([loaderId, mimeType, extension]).toEqual([
      "odt",
      "application/vnd.oasis.opendocument.text-flat-xml",
      "fodt",
    ]);
  });
  test("has the charts in it, without what they say of themselves", async () => {
    expect(await textsOf("a.fodt", flatOpenDocument("text", p(`See ${chart}.`)))).toEqual([
      "See .",
      "Light by year",
      "9",
    ]);
  });
  test("in the encoding that it declares is decoded so", async () => {
    const text = flatOpenDocument("text", p("Gr\u00fc\u00dfe")).replace("UTF-8", "ISO-8859-1");
    expect(await textsOf("a.fodt", Buffer.from(text, "latin1"))).toEqual(["Grüße"]);
  });
});

test("flat slides are read in their order, with what is on all of them once", async () => {
  const slide = (title: string) =>
    `<draw:page><draw:frame presentation:class="title"><draw:text-box>${p(title)}</draw:text-box></draw:frame></draw:page>`;
  const master = `<office:master-styles><style:master-page><draw:frame><draw:text-box>${p("Lamps for all")}</draw:text-box></draw:frame></style:master-page></office:master-styles>`;
  const file = flatOpenDocument("presentation", slide("First") + slide("Second"), meta + master);
  const { blocks, loaderId } = await readBlocks(bytesOf(file), "a.fodp", null);
  expect(loaderId).toBe("odp");
  expect(blocks.map(({ text, place }) => [text, place?.slide])).toEqual([
    ["First", 1],
    ["Second", 2],
    ["Lamps for all", 2],
  ]);
});

test("flat sheets have rows under their columns' names; pictures and charts on them are left out", async () => {
  const cell = (text: string, more = "") => `<table:table-cell>${p(text)}${more}</table:table-cell>`;
  const row = (...cells: string[]) => `<table:table-row>${cells.join("")}</table:table-row>`;
  const hidden = `<office:automatic-styles><style:style style:name="T"><style:table-properties table:display="false"/></style:style></office:automatic-styles>`;
  const table = `<table:table table:name="People" table:style-name="T"><table:shapes>${picture}</table:shapes>${row(cell("Name", chart), cell("Age"))}${row(cell("Ada"), cell("36"))}</table:table>`;
  const file = flatOpenDocument("spreadsheet", table, hidden);
  const { loaderId, mimeType } = await readBlocks(bytesOf(file), "a.fods", null);
  expect([loaderId, mimeType]).toEqual(["ods", "application/vnd.oasis.opendocument.spreadsheet-flat-xml"]);
  const blocks = await blocksOf("a.fods", file);
  expect(blocks.map(({ text, place }) => [text, place?.sheet, place?.row])).toEqual([
    ["People (hidden)", "People", undefined],
    ["Name: Ada; Age: 36", "People", 2],
  ]);
});

describe("a flat file made to harm", () => {
  test("declares nothing that grows, and fetches nothing", async () => {
    const bomb =
      '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>';
    expect(await textsOf("a.fodt", flatOpenDocument("text", p("&b;&c;"), "", bomb))).toEqual(["&b;&c;"]);
  });
  test("of elements inside one another beyond the limit is refused", async () => {
    const failure = await failureOf(textsOf("a.fodt", flatOpenDocument("text", "<text:section>".repeat(300))));
    expect(failure.message).toContain("nested more than 256 deep");
  });
  test("of a type that nobody reads is XML", async () => {
    const drawing = flatOpenDocument("text", p("Words")).replaceAll("opendocument.text", "opendocument.graphics");
    expect((await readBlocks(bytesOf(drawing), "a.fodg", null)).loaderId).toBe("xml");
  });
  test("by damage is refused or read", async () => {
    await expectCleanEnds("a.fodt", bytesOf(flatOpenDocument("text", p(`So ${formula}${chart}`), meta + styles)), 300);
    const table = `<table:table table:name="A"><table:table-row><table:table-cell>${p("One")}${chart}</table:table-cell></table:table-row></table:table>`;
    await expectCleanEnds("a.fods", bytesOf(flatOpenDocument("spreadsheet", table, automatic)), 200);
    const page = `<draw:page><draw:frame><draw:text-box>${p("One")}</draw:text-box></draw:frame></draw:page>`;
    await expectCleanEnds("a.fodp", bytesOf(flatOpenDocument("presentation", page, masters)), 200);
  });
});
