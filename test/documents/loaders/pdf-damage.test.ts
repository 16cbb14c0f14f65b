/** Damaged PDFs end in a result or in a clear refusal: seeded mutants of a small document. */
import { expect, test } from "bun:test";
import { FIRST_OBJECT, pdfDocument, textsOf } from "../fixtures.ts";
import { expectCleanEnds } from "../mutants.ts";

const MUTANTS = 400;
const TEXTS = [
  { x: 72, y: 740, size: 20, text: "The Lighthouse" },
  { x: 72, y: 700, size: 11, text: "The keeper climbed the stairs." },
  { x: 72, y: 680, size: 11, text: "Small" },
  { x: 200, y: 680, size: 11, text: "40" },
];

test("damaged documents are read as far as they go, or refused", async () => {
  const original = pdfDocument([TEXTS, TEXTS], {
    catalogue: `/Outlines ${FIRST_OBJECT} 0 R /AcroForm << /Fields [${FIRST_OBJECT + 2} 0 R] >> /Names << /EmbeddedFiles << /Names [(a.txt) ${FIRST_OBJECT + 3} 0 R] >> >>`,
    page: `/Annots [${FIRST_OBJECT + 2} 0 R]`,
    trailer: `/Info ${FIRST_OBJECT + 5} 0 R`,
    objects: [
      `<< /First ${FIRST_OBJECT + 1} 0 R /Last ${FIRST_OBJECT + 1} 0 R /Count 1 >>`,
      `<< /Title (The Lighthouse) /Parent ${FIRST_OBJECT} 0 R >>`,
      "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada) /Rect [100 600 200 620] >>",
      `<< /Type /Filespec /F (a.txt) /EF << /F ${FIRST_OBJECT + 4} 0 R >> >>`,
      "<< /Type /EmbeddedFile /Length 6 >>\nstream\nNotes.\nendstream",
      "<< /Title (The Lighthouse) /CreationDate (D:20240131) >>",
    ],
  });
  expect((await textsOf("a.pdf", original)).length).toBeGreaterThan(0);
  await expectCleanEnds("a.pdf", original, MUTANTS);
});
