/** Word documents: their text in order, and a clear word where they cannot be read. */
import { describe, expect, test } from "bun:test";
import { zipSync } from "fflate";
import { blocksOf, compoundFile, textsOf, wordDocument, wordParagraph } from "../fixtures.ts";

describe("a Word document", () => {
  test("has its headings, paragraphs, and tables", async () => {
    const cell = (text: string) => `<w:tc>${wordParagraph(text)}</w:tc>`;
    const table = `<w:tbl><w:tr>${cell("Lamp")}${cell("Price")}</w:tr><w:tr>${cell("Small")}${cell("10")}</w:tr></w:tbl>`;
    const docx = wordDocument(
      wordParagraph("The Lighthouse", "Heading1") + wordParagraph("The keeper &amp; the lamp.") + table,
    );
    expect(await textsOf("a.docx", docx)).toEqual([
      "h1 The Lighthouse",
      "The keeper & the lamp.",
      "Lamp | Price",
      "Small | 10",
    ]);
  });
  test("keeps the base text of reading aids", async () => {
    const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
    const ruby = `<w:p><w:r><w:ruby><w:rubyPr/><w:rt>${run("とうきょう")}</w:rt><w:rubyBase>${run("東京")}</w:rubyBase></w:ruby></w:r></w:p>`;
    expect(await textsOf("a.docx", wordDocument(ruby))).toEqual(["東京"]);
  });
  test("protected with a password says so", async () => {
    await expect(textsOf("a.docx", compoundFile("EncryptedPackage"))).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      message: 'The file "a.docx" cannot be read: it is protected with a password',
    });
  });
  test("cut off says so", async () => {
    const docx = wordDocument(wordParagraph("Some text."));
    await expect(textsOf("a.docx", docx.subarray(0, docx.length / 2))).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      message: expect.stringContaining("cut off"),
    });
  });
  test("that is a bomb is refused before it is unpacked", async () => {
    const bomb = wordDocument("", { "word/document.xml": new Uint8Array(30_000_000).fill(0x20) });
    expect(bomb.length).toBeLessThan(100_000);
    await expect(textsOf("a.docx", bomb)).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      message: expect.stringContaining("unpacks to more than 150 times"),
    });
  });
  test("that is a bomb and lies about its size is refused while it is unpacked", async () => {
    const bomb = Buffer.from(wordDocument("", { "word/document.xml": new Uint8Array(30_000_000).fill(0x20) }));
    const declared = Buffer.alloc(4);
    declared.writeUInt32LE(30_000_000);
    for (let at = bomb.indexOf(declared); at >= 0; at = bomb.indexOf(declared)) bomb.writeUInt32LE(1000, at);
    await expect(textsOf("a.docx", bomb)).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      message: expect.stringContaining("larger than declared"),
    });
  });
  test("of too many members, or too large together, is refused", async () => {
    const docx = wordDocument(wordParagraph("Some text."));
    await expect(textsOf("a.docx", docx, { maxMembers: 2 })).rejects.toThrow("more than 2 members");
    await expect(textsOf("a.docx", docx, { maxInflatedBytes: 500 })).rejects.toThrow("more than 500 bytes");
  });
  test("without its main part is no Word document", async () => {
    const parts = { "[Content_Types].xml": new Uint8Array(3), "word/other.xml": new Uint8Array(3) };
    await expect(blocksOf("a.docx", zipSync(parts))).rejects.toMatchObject({ code: "UNSUPPORTED_FILE_TYPE" });
  });
});
