/** Books: their pages in reading order, each passage with the chapter that the navigation names. */
import { describe, expect, test } from "bun:test";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { blocksOf, textsOf } from "../fixtures.ts";
import { expectCleanEnds } from "../mutants.ts";
import { packageOf, type Parts } from "../packages.ts";

const page = (body: string): string =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`;

interface BookParts {
  /** Pages by their names; they are in the order of the spine, and in the other in the manifest. */
  pages: Record<string, string>;
  metadata?: string;
  /** Further items of the manifest, and what else is in the package's part. */
  items?: string;
  guide?: string;
  parts?: Parts;
}

function book({ pages, metadata = "", items = "", guide = "", parts = {} }: BookParts, level: 0 | 6 = 6): Uint8Array {
  const names = Object.keys(pages);
  const manifest = names.map(
    (name, index) => `<item id="p${index}" href="text/${name}" media-type="application/xhtml+xml"/>`,
  );
  const opf = `<package><metadata>${metadata}</metadata><manifest>${manifest.toReversed().join("")}${items}</manifest><spine toc="ncx">${names.map((_, index) => `<itemref idref="p${index}"/>`).join("")}</spine>${guide}</package>`;
  return packageOf(
    {
      "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
      "OEBPS/book.opf": opf,
      ...Object.fromEntries(names.map((name) => [`OEBPS/text/${decodeURIComponent(name)}`, page(pages[name]!)])),
      ...parts,
    },
    { mimetype: "application/epub+zip" },
    level,
  );
}

const ncx = (points: string): BookParts["parts"] => ({ "OEBPS/toc.ncx": `<ncx><navMap>${points}</navMap></ncx>` });
const point = (label: string, src: string, inside = ""): string =>
  `<navPoint><navLabel><text>${label}</text></navLabel><content src="${src}"/>${inside}</navPoint>`;
const ncxItem = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>';

async function chaptersOf(bytes: Uint8Array): Promise<Array<[string, string | undefined]>> {
  return (await blocksOf("a.epub", bytes)).map(({ text, place }) => [text, place?.chapter]);
}

describe("a book has", () => {
  test("its pages in reading order, with empty elements as XHTML writes them", async () => {
    const epub = book({
      pages: { "b.xhtml": '<h1>One</h1><a id="x"/><p>First &amp; last&nbsp;word</p>', "a%20b.xhtml": "<p>Second</p>" },
    });
    expect(await textsOf("a.zip", epub)).toEqual(["h1 One", "First & last word", "Second"]);
  });
  test("its chapters from the navigation of EPUB 2, also where they begin within a page and go on on the next", async () => {
    const chapters = point(
      "Part",
      "text/a.xhtml",
      point("One", "text/a.xhtml#one", point("Section", "text/a.xhtml#s")) + point("Two", "text/a.xhtml#two"),
    );
    const epub = book({
      pages: {
        "front.xhtml": "<p>Front</p>",
        "a.xhtml": '<p>Begin</p><h2 id="one">I</h2><p id="s">one</p><h2 id="two">II</h2><p>two</p>',
        "b.xhtml": "<p>on</p>",
      },
      items: ncxItem,
      parts: ncx(chapters),
    });
    expect(await chaptersOf(epub)).toEqual([
      ["Front", undefined],
      ["Begin", "Part"],
      ["I", "Part › One"],
      ["one", "Part › One"],
      ["II", "Part › Two"],
      ["two", "Part › Two"],
      ["on", "Part › Two"],
    ]);
  });
  test("its chapters from the navigation page of EPUB 3, which is not read as text", async () => {
    const nav = page(
      '<nav epub:type="landmarks"><ol><li><a href="text/a.xhtml">No</a></li></ol></nav><nav epub:type="toc"><ol><li><span>Part</span><ol><li><a href="text/a.xhtml">One</a></li></ol></li></ol></nav>',
    );
    const epub = book({
      pages: { "a.xhtml": "<p>one</p>" },
      items: '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>',
      parts: { "OEBPS/nav.xhtml": nav },
    });
    expect(await chaptersOf(epub)).toEqual([["one", "Part › One"]]);
  });
  test("the first headings as chapters where it has no navigation", async () => {
    const epub = book({
      pages: { "a.xhtml": "<p>Before</p><h1>One</h1><h2>Sub</h2><p>one</p>", "b.xhtml": "<p>two</p>" },
    });
    expect(await chaptersOf(epub)).toEqual([
      ["Before", undefined],
      ["One", "One"],
      ["Sub", "One"],
      ["one", "One"],
      ["two", undefined],
    ]);
  });
  test("no page that only lists its contents, but one that begins with them", async () => {
    const guide = '<guide><reference type="toc" href="text/toc.xhtml#top"/></guide>';
    const list = '<p><a href="a.xhtml">Chapter one of this book</a></p>';
    const words = { "a.xhtml": "<p>Words</p>" };
    expect(await textsOf("a.epub", book({ pages: { "toc.xhtml": list, ...words }, guide }))).toEqual(["Words"]);
    const begun = `${list}<p>${"And the text goes on and on. ".repeat(5)}</p>`;
    expect(await textsOf("a.epub", book({ pages: { "toc.xhtml": begun, ...words }, guide }))).toHaveLength(3);
  });
  test("its properties", async () => {
    const metadata =
      '<dc:title>The Book</dc:title><dc:creator>Ada</dc:creator><dc:creator>Alan</dc:creator><dc:date>1949</dc:date><dc:subject>Novels</dc:subject><dc:subject>Politics</dc:subject><dc:language>en</dc:language><meta property="dcterms:modified">2024-01-01T00:00:00Z</meta>';
    expect(await readBlocks(book({ pages: { "a.xhtml": "<p>x</p>" }, metadata }), "a", null)).toMatchObject({
      loaderId: "epub",
      extension: "epub",
      properties: { title: "The Book", author: "Ada, Alan", date: "1949", subject: "Novels, Politics", language: "en" },
    });
  });
});

describe("encryption", () => {
  const encryption = (algorithm: string, uri: string): Parts => ({
    "META-INF/encryption.xml": `<encryption><enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/><enc:CipherData><enc:CipherReference URI="${uri}"/></enc:CipherData></enc:EncryptedData></encryption>`,
  });
  const pages = { "a.xhtml": "<p>Words</p>" };
  test("of the text is refused in a sentence", async () => {
    const parts = encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/text/a.xhtml");
    await expect(textsOf("a.epub", book({ pages, parts }))).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      message: expect.stringContaining("digital rights management"),
    });
  });
  test.each([
    ["http://www.idpf.org/2008/embedding", "OEBPS/text/a.xhtml"],
    ["http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/font.ttf"],
  ])("of fonts says nothing of the text: %s %s", async (algorithm, uri) => {
    expect(await textsOf("a.epub", book({ pages, parts: encryption(algorithm, uri) }))).toEqual(["Words"]);
  });
});

describe("what cannot be read is refused in a sentence", () => {
  test.each<[string, Uint8Array, string]>([
    ["without a package", packageOf({}, { mimetype: "application/epub+zip" }), "does not say what it consists of"],
    ["nested too deep", book({ pages: { "a.xhtml": "<div>".repeat(30_000) } }), "nested more than 20000 deep"],
  ])("%s", async (_, bytes, reason) => {
    await expect(textsOf("a.epub", bytes)).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      message: expect.stringContaining(reason),
    });
  });
});

test("damaged ones are read or refused", async () => {
  const epub = book(
    {
      pages: { "a.xhtml": '<h1 id="one">One</h1><p>one</p>' },
      items: ncxItem,
      parts: ncx(point("One", "text/a.xhtml#one")),
    },
    0,
  );
  await expectCleanEnds("a.epub", epub, 400);
});
