/** PDF documents: what a reader sees on their pages, in order, and a clear word where they cannot be read. */
import { describe, expect, test } from "bun:test";
import { createCipheriv, createHash } from "node:crypto";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { blocksOf, FIRST_OBJECT, japaneseFont, pdfDocument, textsOf } from "../fixtures.ts";
import type { PdfText } from "../fixtures.ts";

function lines(top: number, texts: readonly string[], more: Partial<PdfText> = {}): PdfText[] {
  const { x = 72, size = 11, font = "F1" } = more;
  return texts.map((text, index) => ({ x, y: top - index * 14, size, text, font }));
}

const PARAGRAPH = [
  "The keeper climbed the stairs every evening and lit the lamp at the very",
  "top, from where the ships could see it far out at sea in the long nights",
  "of winter, and in the short ones of summer too, whatever the weather was.",
];

describe("the text of a PDF", () => {
  test("has its lines joined into paragraphs, page by page, hyphenated words whole", async () => {
    const pdf = pdfDocument([
      [
        { x: 72, y: 740, size: 20, text: "The Lighthouse" },
        ...lines(700, ["The keeper climbed the stairs every eve-", "ning and lit the lamp at the very top"]),
        ...lines(640, ["A new paragraph begins", "after a gap."]),
      ],
      lines(700, ["The second page."]),
    ]);
    expect(await textsOf("a.pdf", pdf)).toEqual([
      "h1 The Lighthouse",
      "The keeper climbed the stairs every evening and lit the lamp at the very top",
      "A new paragraph begins after a gap.",
      "The second page.",
    ]);
    expect((await blocksOf("a.pdf", pdf)).map(({ place }) => place)).toEqual([1, 1, 1, 2].map((page) => ({ page })));
  });
  test("is read column by column, below what stands over them", async () => {
    const column = (name: string) => PARAGRAPH.map((line) => `${name} ${line.slice(0, 36)}`);
    const pdf = pdfDocument([
      [
        { x: 150, y: 740, size: 20, text: "A title over both of the columns" },
        ...column("Left").flatMap((text, index) => [
          { x: 72, y: 700 - index * 14, size: 10, text },
          { x: 320, y: 700 - index * 14, size: 10, text: column("Right")[index]! },
        ]),
        ...lines(640, ["A line that goes from the left edge over the whole width of the page to the right edge"]),
      ],
    ]);
    const texts = await textsOf("a.pdf", pdf);
    expect(texts.map((text) => text.slice(0, 10))).toEqual(["h1 A title", "Left The k", "Right The ", "A line tha"]);
  });
  test("has tables as rows, which know their columns' names", async () => {
    const row = (y: number, ...cells: string[]) =>
      cells.map((text, index) => ({ x: 72 + index * 120, y, size: 10, text }));
    const pdf = pdfDocument([
      [
        ...lines(760, PARAGRAPH),
        ...row(700, "Lamp", "Watts", "Price"),
        ...row(686, "Small", "40", "10.50"),
        ...row(672, "Middling", "60", "12.00"),
        ...row(658, "Large", "100", "19.00"),
        ...lines(620, PARAGRAPH),
      ],
    ]);
    const rows = (await blocksOf("a.pdf", pdf)).filter(({ kind }) => kind === "row");
    expect(rows.map(({ text, context }) => [text, context])).toEqual([
      ["Lamp | Watts | Price", undefined],
      ["Small | 40 | 10.50", "Lamp | Watts | Price"],
      ["Middling | 60 | 12.00", "Lamp | Watts | Price"],
      ["Large | 100 | 19.00", "Lamp | Watts | Price"],
    ]);
  });
  test("says running titles once and page numbers never", async () => {
    const pages = Array.from({ length: 5 }, (_, index) => [
      { x: 72, y: 770, size: 9, text: "The Keeper's Handbook" },
      ...lines(700, [`What stands on page ${"abcde"[index]} alone.`]),
      { x: 300, y: 30, size: 9, text: `${index + 11}` },
      { x: 300, y: 16, size: 9, text: `- Page ${index + 1} of 5 -` },
    ]);
    expect(await textsOf("a.pdf", pdfDocument(pages))).toEqual([
      "The Keeper's Handbook",
      ..."abcde".split("").map((letter) => `What stands on page ${letter} alone.`),
    ]);
  });
  test("keeps what only looks like a running title: its numbers do not count the pages", async () => {
    const pages = [1001, 1007, 1003].map((number) => lines(770, [`Invoice ${number}`, "Thank you."]));
    expect((await textsOf("a.pdf", pdfDocument(pages))).join(" ")).toBe(
      "Invoice 1001 Thank you. Invoice 1007 Invoice 1003",
    );
  });
  test("has headings by size, and in bold letters of the body's size", async () => {
    const pdf = pdfDocument([
      [
        { x: 72, y: 750, size: 24, text: "The Lighthouse" },
        { x: 72, y: 715, size: 16, text: "Lamps" },
        ...lines(690, PARAGRAPH),
        { x: 72, y: 640, size: 16, text: "Stairs" },
        ...lines(620, ["Height"], { font: "F2" }),
        ...lines(606, PARAGRAPH),
      ],
    ]);
    expect((await textsOf("a.pdf", pdf)).filter((text) => /^h\d/.test(text))).toEqual([
      "h1 The Lighthouse",
      "h2 Lamps",
      "h2 Stairs",
      "h3 Height",
    ]);
  });
  test("has the headings of its outline", async () => {
    const entry = (title: string, more: string) => `<< /Title (${title}) ${more} >>`;
    const [root, first, second] = [FIRST_OBJECT, FIRST_OBJECT + 1, FIRST_OBJECT + 2];
    const pdf = pdfDocument([[...lines(740, ["1 Lamps"]), ...lines(700, PARAGRAPH), ...lines(600, ["1.1 Wicks"])]], {
      catalogue: `/Outlines ${root} 0 R`,
      objects: [
        `<< /First ${first} 0 R /Last ${first} 0 R /Count 1 >>`,
        entry("Lamps", `/Parent ${root} 0 R /First ${second} 0 R /Last ${second} 0 R /Count 1`),
        entry("Wicks", `/Parent ${first} 0 R`),
      ],
    });
    expect(await textsOf("a.pdf", pdf)).toEqual(["h1 1 Lamps", PARAGRAPH.join(" "), "h2 1.1 Wicks"]);
  });
  test("keeps programs as they are", async () => {
    const program = ["for (const lamp of lamps) {", "  light(lamp);", "}"];
    const code = program.map((line, index) => ({
      x: 72 + (line.length - line.trimStart().length) * 6,
      y: 600 - index * 12,
      size: 10,
      font: "F3" as const,
      text: line.trim(),
    }));
    const blocks = await blocksOf("a.pdf", pdfDocument([[...lines(700, PARAGRAPH), ...code]]));
    expect(blocks.at(-1)).toMatchObject({ kind: "code", text: program.join("\n") });
  });
  test("that is drawn twice is read once", async () => {
    const bold = [0, 0.4].map((shift) => ({ x: 72 + shift, y: 700, size: 12, text: "A bold word" }));
    expect(await textsOf("a.pdf", pdfDocument([bold]))).toEqual(["A bold word"]);
  });
  test("that is written upwards follows the rest", async () => {
    const upwards = { x: 40, y: 300, size: 10, text: "Printed in winter", upwards: true };
    expect(await textsOf("a.pdf", pdfDocument([[upwards, ...lines(700, PARAGRAPH)]]))).toEqual([
      PARAGRAPH.join(" "),
      "Printed in winter",
    ]);
  });
  test("has its text even when its fonts only name one of the old East Asian encodings", async () => {
    const shiftJis = Buffer.from("938c8b9e", "hex").toString("latin1");
    expect(
      await textsOf("a.pdf", pdfDocument([lines(700, [shiftJis])], { font: japaneseFont("90ms-RKSJ-H") })),
    ).toEqual(["東京"]);
  });
});

describe("what lies on and in a PDF", () => {
  const field = (rect: string, more: string) =>
    `<< /Type /Annot /Subtype /Widget /F 4 /Rect [${rect}] /DA (/Helv 10 Tf) ${more} >>`;
  const annotated = (...annotations: string[]) => {
    const references = annotations.map((_, index) => `${FIRST_OBJECT + index} 0 R`).join(" ");
    return {
      objects: annotations,
      page: `/Annots [${references}]`,
      catalogue: `/AcroForm << /Fields [${references}] >>`,
    };
  };
  test("values of form fields stand where the fields are", async () => {
    const pdf = pdfDocument(
      [[...lines(700, ["Name:"]), ...lines(660, ["Town:"]), ...lines(620, ["Password:"])]],
      annotated(
        field("110 697 300 712", "/FT /Tx /T (name) /V (Ada Lovelace)"),
        field("110 657 300 672", "/FT /Ch /Ff 131072 /T (town) /V (l) /Opt [[(l) (London)] [(p) (Paris)]]"),
        field("130 617 300 632", "/FT /Tx /Ff 8192 /T (password) /V (secret)"),
      ),
    );
    const text = (await textsOf("a.pdf", pdf)).join("\n");
    expect(text).toMatch(/Name:\W+Ada Lovelace\W+Town:\W+London\W+Password:$/);
  });
  test("comments follow the page's text, links and pop-ups are left out", async () => {
    const annotation = (type: string, more: string) =>
      `<< /Type /Annot /Subtype /${type} /Rect [80 80 90 90] ${more} >>`;
    const pdf = pdfDocument(
      [lines(700, ["The text."])],
      annotated(
        annotation("Text", "/Contents (Who says so?)"),
        annotation("FreeText", "/DA (/Helv 10 Tf) /Contents (A remark.)"),
        annotation("Link", "/Contents (a link)"),
        annotation("Popup", "/Contents (Who says so?)"),
        annotation("Text", "/F 2 /Contents (hidden)"),
      ),
    );
    expect(await textsOf("a.pdf", pdf)).toEqual(["The text.", "Who says so?", "A remark."]);
  });
  test("attached documents are members, those that cannot be read are left out", async () => {
    const file = (name: string, number: number) => `<< /Type /Filespec /F (${name}) /EF << /F ${number} 0 R >> >>`;
    const stream = (text: string) => `<< /Type /EmbeddedFile /Length ${text.length} >>\nstream\n${text}\nendstream`;
    const names = ["notes.txt", "broken.docx", "print.joboptions"];
    const pdf = pdfDocument([lines(700, ["The text."])], {
      catalogue: `/Names << /EmbeddedFiles << /Names [${names.map((name, index) => `(${name}) ${FIRST_OBJECT + index} 0 R`).join(" ")}] >> >>`,
      objects: [
        ...names.map((name, index) => file(name, FIRST_OBJECT + names.length + index)),
        stream("Notes on the lamp."),
        stream("PK\x03\x04 cut off"),
        stream("<< /Settings true >>"),
      ],
    });
    expect((await blocksOf("a.pdf", pdf)).map(({ text, place }) => [text, place])).toEqual([
      ["The text.", { page: 1 }],
      ["Notes on the lamp.", expect.objectContaining({ member: "notes.txt" })],
    ]);
  });
  test("it says its title, author, subject, date and language", async () => {
    const info =
      "<< /Title (The Lighthouse) /Author (A. Keeper) /Subject (Lamps) /CreationDate (D:20240131120000+01'00') >>";
    const pdf = pdfDocument([lines(700, ["The text."])], {
      objects: [info],
      trailer: `/Info ${FIRST_OBJECT} 0 R`,
      catalogue: "/Lang (en-GB)",
    });
    expect((await readBlocks(pdf, "a.pdf", null)).properties).toEqual({
      title: "The Lighthouse",
      author: "A. Keeper",
      subject: "Lamps",
      date: "2024-01-31T12:00:00+01:00",
      language: "en-GB",
    });
  });
});

describe("a PDF that cannot be read as it is", () => {
  test("protected with a password says so", async () => {
    const key = "00".repeat(32);
    const pdf = pdfDocument([lines(700, ["Secret."])], {
      trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >> /ID [<00> <00>]`,
    });
    await expect(textsOf("a.pdf", pdf)).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      message: expect.stringContaining("protected with a password"),
    });
  });
  test("encrypted with an empty password is read", async () => {
    expect(await textsOf("a.pdf", encrypted("An open secret."))).toEqual(["An open secret."]);
  });
  test("cut off or without text says so", async () => {
    await expect(textsOf("a.pdf", "%PDF-1.4\n1 0 obj\n<< /Ty")).rejects.toMatchObject({ code: "UNREADABLE_FILE" });
    await expect(textsOf("a.pdf", pdfDocument([[]]))).rejects.toMatchObject({ code: "NO_TEXT" });
  });
  test("whose fonts do not say what their glyphs mean has no text", async () => {
    const descriptor = "<< /Type /FontDescriptor /FontName /Glyphs /Flags 4 /FontBBox [0 0 1000 1000] /StemV 80 >>";
    const system = "<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>";
    const font = `<< /Type /Font /Subtype /Type0 /BaseFont /Glyphs /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Glyphs /CIDSystemInfo ${system} /FontDescriptor ${descriptor} >>] >>`;
    const glyphs = [...PARAGRAPH.join(" ")].map((letter) => `\0${String.fromCharCode(letter.charCodeAt(0) - 29)}`);
    const pdf = pdfDocument([lines(700, [glyphs.join("")])], { font });
    await expect(textsOf("a.pdf", pdf)).rejects.toMatchObject({ code: "NO_TEXT" });
  });
  test("of too many pages, or too long, is refused", async () => {
    await expect(textsOf("a.pdf", pdfDocument([[], [], []]), { maxPages: 2 })).rejects.toThrow("more than 2 pages");
    const long = pdfDocument([lines(700, PARAGRAPH), lines(500, PARAGRAPH)]);
    await expect(textsOf("a.pdf", long, { maxTextCharacters: 300 })).rejects.toThrow("more than 300 characters");
  });
});

/** A PDF of one line, encrypted with AES-256 (revision 5) and an empty password. */
function encrypted(text: string): Uint8Array {
  const key = Buffer.alloc(32, 7);
  const sha256 = (...parts: Buffer[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
  const [validation, keySalt] = [Buffer.alloc(8, 1), Buffer.alloc(8, 2)];
  const wrap = createCipheriv("aes-256-cbc", sha256(keySalt), Buffer.alloc(16)).setAutoPadding(false);
  const user = Buffer.concat([sha256(validation), validation, keySalt]).toString("hex");
  const userKey = Buffer.concat([wrap.update(key), wrap.final()]).toString("hex");
  const zeros = (count: number) => "00".repeat(count);
  return pdfDocument([lines(700, [text])], {
    trailer: `/Encrypt << /Filter /Standard /V 5 /R 5 /Length 256 /P -4 /U <${user}> /UE <${userKey}> /O <${zeros(48)}> /OE <${zeros(32)}> /Perms <${zeros(16)}> /CF << /StdCF << /CFM /AESV3 /Length 32 >> >> /StmF /StdCF /StrF /StdCF >>`,
    encrypt: (stream) => {
      const cipher = createCipheriv("aes-256-cbc", key, Buffer.alloc(16, 3));
      return Buffer.concat([Buffer.alloc(16, 3), cipher.update(stream, "latin1"), cipher.final()]).toString("latin1");
    },
  });
}
