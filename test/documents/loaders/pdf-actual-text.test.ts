/** Texts that a PDF gives to what it draws: a reader copies them in place of the glyphs. */
import { describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { mayGiveTexts } from "../../../src/documents/loaders/pdf/given-texts.ts";
import { FIRST_OBJECT, pdfDocument, textsOf, type PdfParts } from "../fixtures.ts";

/** The text of a page that these operators draw. */
const drawn = async (operators: string, more: PdfParts = {}): Promise<string[]> =>
  textsOf("a.pdf", pdfDocument([[]], { drawn: [operators], ...more }));

const text = (inside: string, y = 700): string => `BT /F1 11 Tf 72 ${y} Td ${inside} ET`;
const utf16 = (letters: string): string => `<${Buffer.from(`\uFEFF${letters}`, "utf16le").swap16().toString("hex")}>`;
const SENTENCE = "(The keeper lit the lamp every evening. ) Tj";

describe("text given to marked content", () => {
  test("stands in the place of its glyphs", async () => {
    expect(await drawn(text("(An e) Tj /Span << /ActualText (ffi) >> BDC (#) Tj EMC (cient keeper) Tj"))).toEqual([
      "An efficient keeper",
    ]);
    expect(await drawn(text(`(An e) Tj /Span << /ActualText ${utf16("ffi")} >> BDC (#) Tj EMC (cient) Tj`))).toEqual([
      "An efficient",
    ]);
  });
  test("may be named in the resources of the page or of a form on it", async () => {
    const named = text("(An e) Tj /Span /Given BDC (#) Tj EMC (cient keeper) Tj");
    const resources = "/Properties << /Given << /ActualText (ffi) >> >>";
    expect(await drawn(named, { resources })).toEqual(["An efficient keeper"]);
    const form = `<< /Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> ${resources} >> /Length ${named.length} >>\nstream\n${named}\nendstream`;
    expect(
      await drawn("/Drawn Do", { resources: `/XObject << /Drawn ${FIRST_OBJECT} 0 R >>`, objects: [form] }),
    ).toEqual(["An efficient keeper"]);
  });
  test("makes words whole that are parted at the ends of lines", async () => {
    const hyphen = `/Span << /ActualText ${utf16("\u00AD")} >> BDC (-) Tj EMC`;
    expect(
      await drawn(
        `${text(`(The keeper climbed the stairs every eve) Tj ${hyphen}`)}\n${text("(ning and lit the lamp at the very top) Tj", 686)}`,
      ),
    ).toEqual(["The keeper climbed the stairs every evening and lit the lamp at the very top"]);
    const word = "/Span << /ActualText (evening) >> BDC";
    expect(
      await drawn(
        `BT /F1 11 Tf 72 700 Td (The keeper climbed the stairs every ) Tj ${word} (eve-) Tj 0 -14 Td (ning) Tj EMC ( and lit the lamp at the top) Tj ET`,
      ),
    ).toEqual(["The keeper climbed the stairs every evening and lit the lamp at the top"]);
  });
  test("may say that glyphs are nothing to read, or a blank", async () => {
    expect(await drawn(text(`${SENTENCE} /Artifact << /ActualText () >> BDC (~~~) Tj EMC`))).toEqual([
      "The keeper lit the lamp every evening.",
    ]);
    expect(await drawn(text("(The) Tj /Span << /ActualText ( ) >> BDC (_) Tj EMC (lamp) Tj"))).toEqual(["The lamp"]);
  });
  test("counts for all that is marked inside", async () => {
    expect(
      await drawn(
        text(
          "/Span << /ActualText (efficient) >> BDC (e) Tj /Span << /ActualText (xyz) >> BDC (#) Tj EMC /P BMC (cient) Tj EMC EMC ( keeper) Tj",
        ),
      ),
    ).toEqual(["efficient keeper"]);
  });
  test("is read where a name is drawn without letters", async () => {
    const logo =
      "/Figure << /ActualText (Lighthouse Trust) >> BDC q 1 0 0 1 72 740 cm 0 0 m 90 0 l 90 30 l 0 30 l h f Q EMC";
    expect(await drawn(`${text(SENTENCE)}\n${logo}\n${text("(So it was.) Tj", 600)}`)).toEqual([
      "Lighthouse Trust",
      "The keeper lit the lamp every evening.",
      "So it was.",
    ]);
    expect(await drawn(`/Figure << /ActualText (Nowhere) >> BDC EMC ${text(SENTENCE)}`)).toEqual([
      "The keeper lit the lamp every evening.",
    ]);
  });
  test("is left out where it is no text, or nothing says where it ends", async () => {
    const sentence = ["The keeper lit the lamp every evening."];
    expect(await drawn(text(`/Span << /ActualText 5 >> BDC ${SENTENCE} EMC`))).toEqual(sentence);
    expect(await drawn(text(`/Span /Unknown BDC ${SENTENCE} EMC`))).toEqual(sentence);
    expect(await drawn(text(`/Span << /ActualText (Gone) >> BDC ${SENTENCE}`))).toEqual(sentence);
  });
  test("is text of its document, within the same limit", async () => {
    const long = text(`/Span << /ActualText (${"word ".repeat(50)}) >> BDC (#) Tj EMC`);
    expect(textsOf("a.pdf", pdfDocument([[]], { drawn: [long] }), { maxTextCharacters: 100 })).rejects.toThrow(
      /100 characters/,
    );
  });
});

describe("text given by the structure", () => {
  const structure: PdfParts = {
    catalogue: `/MarkInfo << /Marked true >> /StructTreeRoot ${FIRST_OBJECT} 0 R`,
    page: "/StructParents 0",
    objects: [
      `<< /Type /StructTreeRoot /K ${FIRST_OBJECT + 1} 0 R /ParentTree ${FIRST_OBJECT + 2} 0 R >>`,
      `<< /Type /StructElem /S /Span /P ${FIRST_OBJECT} 0 R /Pg ${FIRST_OBJECT + 4} 0 R /ActualText (evening) /K [0 1] >>`,
      `<< /Nums [0 [${FIRST_OBJECT + 1} 0 R ${FIRST_OBJECT + 1} 0 R]] >>`,
    ],
  };
  test("stands in the place of all the marked content of its element", async () => {
    expect(
      await drawn(
        `BT /F1 11 Tf 72 700 Td (The keeper climbed the stairs every ) Tj /Span << /MCID 0 >> BDC (eve-) Tj EMC 0 -14 Td /Span << /MCID 1 >> BDC (ning) Tj EMC ( and lit the lamp) Tj ET`,
        structure,
      ),
    ).toEqual(["The keeper climbed the stairs every evening and lit the lamp"]);
  });
  test("is looked for where the document may have some", () => {
    const packed = (content: string) =>
      Buffer.concat([
        Buffer.from("%PDF-1.7\n7 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode >>\nstream\r\n"),
        deflateSync(content),
        Buffer.from("\nendstream\nendobj\n"),
      ]);
    expect(mayGiveTexts(pdfDocument([[]], structure))).toBe(true);
    expect(mayGiveTexts(pdfDocument([[]]))).toBe(false);
    expect(mayGiveTexts(packed("9 0 << /S /Span /ActualText (evening) >>"))).toBe(true);
    expect(mayGiveTexts(packed("9 0 << /S /Span >>"))).toBe(false);
    // What cannot be unpacked, as in an encrypted document, may hold some.
    expect(mayGiveTexts(Buffer.from("/Type /ObjStm >>\nstream\nencrypted\nendstream"))).toBe(true);
  });
});
