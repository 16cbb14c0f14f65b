/** RTF: what is printed, in the characters that were meant, and nothing of what describes it. */
import { describe, expect, test } from "bun:test";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { blocksOf, bytesOf, textsOf } from "../fixtures.ts";
import { expectCleanEnds } from "../mutants.ts";

const FONTS =
  "{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 Mincho;}{\\f3\\fcharset2 Symbol;}{\\f4 Times;}{\\f5\\cpg1253 Greek;}}";
const rtf = (body: string, head = ""): string =>
  `{\\rtf1\\ansi\\ansicpg1250\\deff0${FONTS}${head}\\pard\\plain ${body}}`;

describe("characters", () => {
  test.each<[string, string, string]>([
    ["of the document's font", "na\\'efve", "naïve"],
    ["of a font's character set", "{\\f1 \\'cf\\'f0\\'e8}", "При"],
    ["of a font's code page", "\\f5 \\'e1", "α"],
    ["of two bytes, the second a letter", "\\f2 \\'83e\\'83X\\'83g", "テスト"],
    ["of a font that says nothing, in the document's code page", "\\f4 \\'e8", "č"],
    ["again of the document's font after \\plain", "\\f1 \\plain\\'ef", "ï"],
    ["in Unicode, with what stands for them elsewhere", "\\u8364?\\u-10179\\'3f\\u-8704 ?x", "€😀x"],
    ["in Unicode, with as many units as are said", "\\uc2\\u8364\\'80\\'80{\\uc0\\u8364 x}", "€€x"],
    ["in Unicode, whose substitutes end with their group", "{\\u8364}?", "€?"],
    ["by names", "a\\emdash b\\~c\\_d\\-e\\ldblquote f\\rdblquote", "a—b\u00a0c-de“f”"],
    ["that RTF itself uses", "\\{a\\\\b\\}", "{a\\b}"],
    ["on several lines of the file", "one \r\ntwo\\\nthree", "one two|three"],
  ])("%s", async (_, body, text) => expect((await textsOf("a.rtf", rtf(body))).join("|")).toBe(text));

  test("of a document without fonts, in its code page", async () => {
    expect(await textsOf("a.rtf", "{\\rtf1\\mac \\'8a}")).toEqual(["ä"]);
    expect(await textsOf("a.rtf", "{\\rtf1\\ansi\\ansicpg1 \\'e4}")).toEqual(["ä"]);
  });
});

describe("text", () => {
  test.each<[string, string, string[]]>([
    ["paragraphs", "One\\par Two\\line more\\page Three", ["One", "Two\nmore", "Three"]],
    ["paragraphs parted by line breaks", "One\\line\\line Two", ["One", "Two"]],
    ["headings by level", "\\outlinelevel1 Scope\\par\\pard Words", ["h2 Scope", "Words"]],
    [
      "bullets and numbers as printed",
      "{\\listtext\\f3\\'b7\\tab}One\\par\\ilvl1{\\pntext 1.\\tab}Two\\par{\\*\\pn\\pnlvlbody{\\pntxta .}}\\pard Three",
      ["- One", "  1. Two", "Three"],
    ],
    ["the results of fields", "See {\\field{\\*\\fldinst HYPERLINK x}{\\fldrslt here}}", ["See here"]],
    ["nothing hidden or deleted", "a{\\v b}{\\deleted c\\par}\\v d\\v0 e", ["ae"]],
    [
      "nothing of pictures, objects and unknown groups",
      "a{\\pict 00ff}{\\object{\\*\\objdata 00}{\\result r}}{\\*\\x y}",
      ["ar"],
    ],
    ["nothing of binary data", "a\\bin7 }}}\\par b", ["a b"]],
    [
      "footnotes after their paragraph",
      "a{\\super\\chftn}{\\footnote\\pard{\\chftn}Note\\par more} b{\\super\\chftn}{\\footnote{\\chftn}Next}\\par c",
      ["a[1] b[2]", "[1] Note\nmore", "[2] Next", "c"],
    ],
    [
      "comments after their paragraph, with who wrote them",
      "a{\\*\\atnid X}{\\*\\atnauthor Ada}\\chatn{\\*\\annotation{\\*\\atndate 1}Why?} b\\par c",
      ["a b", "Comment by Ada: Why?", "c"],
    ],
    [
      "text boxes once",
      "a{\\shp{\\*\\shpinst\\shptop0{\\sp{\\sn x}{\\sv y}}{\\shptxt Boxed\\par}}{\\shprslt Boxed}} b",
      ["a b", "Boxed"],
    ],
    [
      "heads and feet once, at the end, without page numbers",
      "{\\header Annual report\\par}{\\footer 1}{\\headerl Annual report}a",
      ["a", "Annual report"],
    ],
    ["of two forms of the same, the newer", "{\\upr{a}{\\*\\ud{\\u8364?}}}", ["€"]],
  ])("%s", async (_, body, texts) => expect(await textsOf("a.rtf", rtf(body))).toEqual(texts));

  test("headings by the names and levels of styles", async () => {
    const styles = "{\\stylesheet{\\s0 Normal;}{\\s1 heading 1;}{\\s2\\outlinelevel2 Own;}{\\s3 Title;}}";
    expect(await textsOf("a.rtf", rtf("\\s3 T\\par\\pard\\s1 A\\par\\pard\\s2 B\\par\\pard\\s0 C", styles))).toEqual([
      "h1 T",
      "h1 A",
      "h3 B",
      "C",
    ]);
  });
  test("its properties", async () => {
    const info =
      "{\\info{\\title \\'d8\\'edp}{\\author Ada}{\\subject S}{\\creatim\\yr2010\\mo6\\dy9}{\\revtim\\yr2011\\mo7\\dy8\\hr9\\min5}{\\company No}}";
    expect(await readBlocks(bytesOf(rtf("Words", info)), "a.doc", null)).toMatchObject({
      loaderId: "rtf",
      extension: "rtf",
      properties: { title: "Říp", author: "Ada", subject: "S", date: "2011-07-08T09:05:00" },
      blocks: [{ text: "Words" }],
    });
  });
});

describe("tables", () => {
  const row = (...cells: string[]): string =>
    `\\trowd\\cellx1\\pard\\intbl ${cells.map((cell) => `${cell}\\cell `).join("")}\\row `;

  test("have rows under the names of their columns", async () => {
    const blocks = await blocksOf("a.rtf", rtf(`\\trowd\\trhdr${row("1", "2")}${row("a\\par b", "c")}\\pard After`));
    expect(blocks.map(({ kind, text, context }) => [kind, text, context])).toEqual([
      ["row", "1 | 2", undefined],
      ["row", "a b | c", "1 | 2"],
      ["paragraph", "After", undefined],
    ]);
  });
  test.each<[string, string, string[]]>([
    ["of one column lay out a page", row("a\\par b"), ["a", "b"]],
    [
      "in cells stand in their row",
      "\\trowd\\pard\\intbl a\\cell\\pard\\intbl\\itap2 b\\nestcell c\\nestcell{\\*\\nesttableprops\\trowd\\nestrow}{\\nonesttables\\par}\\pard\\intbl d\\cell\\row",
      ["a | b, c d"],
    ],
    ["that end with the file are kept", "\\trowd\\pard\\intbl a\\cell b", ["a | b"]],
    ["have their notes after the row", row("a{\\footnote n}", "b"), ["a | b", "n"]],
  ])("%s", async (_, body, texts) => expect(await textsOf("a.rtf", rtf(body))).toEqual(texts));
});

test("words that are names of something else in the program say nothing", async () => {
  const text = "{\\rtf1{\\info{\\constructor hello}}Some \\toString more\\par}";
  expect(await textsOf("a.rtf", text)).toEqual(["Some more"]);
});

test("very many notes of one paragraph follow it", async () => {
  const noted = "word{\\footnote n}".repeat(20_000);
  expect(await textsOf("a.rtf", rtf(noted))).toHaveLength(20_001);
});

describe("what cannot be read is refused in a sentence", () => {
  test.each<[string, string, string]>([
    ["nested too deep", "{".repeat(300), "nested more than 256 deep"],
    ["too many columns", `\\intbl ${"a\\cell ".repeat(6000)}`, "more than 5000 columns"],
  ])("%s", async (_, body, reason) => {
    await expect(textsOf("a.rtf", rtf(body))).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      message: expect.stringContaining(reason),
    });
  });
});

test("damaged ones are read or refused", async () => {
  const body =
    "\\uc1\\u8364?{\\listtext 1.\\tab}One\\par\\trowd\\intbl a\\cell{\\f2\\'83e}\\cell\\row\\pard a{\\chftn}{\\footnote{\\chftn}Note}{\\header H}\\par{\\shp{\\*\\shpinst{\\shptxt B}}}\\bin3 abc";
  await expectCleanEnds("a.rtf", bytesOf(rtf(body, "{\\info{\\title T}{\\creatim\\yr2010}}")), 600);
});
