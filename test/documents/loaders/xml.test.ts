/** XML by what it is made for: feeds, books and articles, data. */
import { describe, expect, test } from "bun:test";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { failureOf } from "../../harness.ts";
import { expectCleanEnds } from "../mutants.ts";
import { bytesOf, textsOf } from "../fixtures.ts";

describe("data", () => {
  test("has a block for each record, and each value under the names of its elements", async () => {
    const xml = `<?xml version="1.0"?>
<catalog xmlns:x="urn:x">
  <!-- not said -->
  <owner><name>Ada</name><address><city>London</city></address></owner>
  <book id="b1" title="First &amp; last"><price>1</price></book>
  <book x:label="Second"><text>with <b>words</b> in it</text></book>
  <script code="a b">&undeclared;</script>
</catalog>`;
    expect(await textsOf("a.xml", xml)).toEqual([
      "owner.name: Ada\nowner.address.city: London",
      "book.title: First & last\nbook.price: 1",
      "book.label: Second\nbook.text: with words in it",
      "script.code: a b\nscript: &undeclared;",
    ]);
  });
  test("of long texts is these texts", async () => {
    const text = "A sentence of some words. ".repeat(10).trim();
    expect(await textsOf("a.xml", `<a><note><p>${text}</p><p><b>Short</b> one</p></note></a>`)).toEqual([
      text,
      "Short one",
    ]);
  });
  test("in a declared encoding is decoded so", async () => {
    const xml = Buffer.from('<?xml version="1.0" encoding="windows-1251"?><a>\xcf\xf0\xe8\xe2\xe5\xf2</a>', "latin1");
    expect(await textsOf("a.xml", xml)).toEqual(["a: Привет"]);
  });
  test("that is not well-formed is read as far as it makes sense", async () => {
    expect(await textsOf("a.xml", "<a><b>One</c></b><d>two")).toEqual(["b: One", "d: two"]);
  });
});

describe("prose", () => {
  test("of DocBook is headings, paragraphs, lists, code and rows", async () => {
    const xml = `<?xml version="1.0"?>
<article xml:lang="de"><info><title>Title</title></info>
<section><title>Part <emphasis>one</emphasis></title><para>A <emphasis>paragraph</emphasis>
over lines.</para><itemizedlist><listitem><para>One</para></listitem></itemizedlist>
<section><title>Deeper</title><programlisting>a
  b</programlisting></section></section>
<informaltable><tgroup><tbody><row><entry>x</entry><entry><para>y</para></entry></row></tbody></tgroup></informaltable>
</article>`;
    expect(await textsOf("a.xml", xml)).toEqual([
      "h1 Title",
      "h2 Part one",
      "A paragraph over lines.",
      "- One",
      "h3 Deeper",
      "a\n  b",
      "x | y",
    ]);
    expect((await readBlocks(bytesOf(xml), "a.xml", null)).properties).toEqual({ title: "Title", language: "de" });
  });
  test("of TEI has its names in one piece", async () => {
    const xml =
      "<TEI><text><body><div><head>On engines</head><p><persName><forename>Ada</forename><surname>Lovelace</surname></persName> wrote.</p></div></body></text></TEI>";
    expect(await textsOf("a.tei", xml)).toEqual(["h3 On engines", "Ada Lovelace wrote."]);
  });
  test("of a drawing is its words", async () => {
    const xml =
      '<svg xmlns="http://www.w3.org/2000/svg"><style>a {}</style><title>Plan</title><text>North <tspan>gate</tspan></text></svg>';
    expect(await textsOf("a.svg", xml)).toEqual(["h1 Plan", "North gate"]);
  });
});

describe("a feed", () => {
  test("of RSS has each entry under its title, with its fullest text", async () => {
    const xml = `<?xml version="1.0"?><rss version="2.0" xmlns:dc="d" xmlns:content="c"><channel><title>News</title><language>en</language>
<image><title>Logo</title></image>
<item><title>First</title><link>https://example.org/</link><dc:creator>Ada</dc:creator><pubDate>Tue, 12 May 2026 10:00:00 +0200</pubDate><category>a</category><category>b</category>
<description>Short</description><content:encoded><![CDATA[<h2>Part</h2><p>Long</p>]]></content:encoded></item>
<item><title>Second</title><description>&lt;p&gt;One&lt;/p&gt;</description></item></channel></rss>`;
    expect(await textsOf("a.xml", xml)).toEqual([
      "h1 News",
      "h2 First",
      "Author: Ada\nDate: 12 May 2026 10:00 +02:00\nCategories: a, b",
      "h4 Part",
      "Long",
      "h2 Second",
      "One",
    ]);
    const { mimeType, properties } = await readBlocks(bytesOf(xml), "feed", null);
    expect([mimeType, properties]).toEqual(["application/rss+xml", { title: "News", language: "en" }]);
  });
  test("of Atom may hold XHTML", async () => {
    const xml = `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title>First</title><author><name>Ada</name></author><content type="xhtml"><div><p>One</p><p>two</p></div></content></entry></feed>`;
    expect(await textsOf("a.atom", xml)).toEqual(["h1 News", "h2 First", "Author: Ada", "One", "two"]);
  });
});

describe("a feed of videos", () => {
  test("has what is said of them as its text", async () => {
    const video = (text: string) =>
      `<entry><title>First</title><media:group><media:title>First</media:title><media:content url="u"/>${text}</media:group></entry>`;
    const xml = `<feed xmlns:media="m"><title>Videos</title>${video("<media:description>One\n\n1 &lt; 2</media:description>")}</feed>`;
    expect(await textsOf("a.atom", xml)).toEqual(["h1 Videos", "h2 First", "One", "1 < 2"]);
  });
});

describe("XML made to harm", () => {
  for (const name of ["constructor", "toString", "__proto__"])
    test(`has an element called ${name}`, async () =>
      expect(await textsOf("a.xml", `<?xml version="1.0"?><${name}>hello</${name}>`)).toEqual([`${name}: hello`]));
  test("begins with very many comments and declarations", async () => {
    const before = "<!-- --><!DOCTYPE a [ ] ]><?a ?>".repeat(300);
    expect(await textsOf("a.txt", `${before}x`)).toHaveLength(1);
    expect(await textsOf("a.xml", `${before}<a>x</a>`)).toEqual(["a: x"]);
  });
  test("has very many values of one name, and pieces in one cell", async () => {
    const categories = "<category>c</category>".repeat(50_000);
    const rss = `<rss><channel><item><title>One</title>${categories}</item></channel></rss>`;
    expect((await textsOf("a.rss", rss))[1]).toStartWith("Categories: c, c");
    const row = `<article><row><entry>${"<para>a</para>".repeat(50_000)}</entry></row></article>`;
    expect((await textsOf("a.dbk", row))[0]).toHaveLength(99_999);
  });
  test("declares nothing that grows, and fetches nothing", async () => {
    const xml = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]><a><t>&b;&c;</t></a>`;
    expect(await textsOf("a.xml", xml)).toEqual(["t: &b;&c;"]);
  });
  test("of elements inside one another beyond the limit is refused", async () => {
    const failure = await failureOf(textsOf("a.xml", `<?xml version="1.0"?>${"<a>".repeat(60)}x`, { maxNesting: 50 }));
    expect(failure.message).toContain("nested more than 50 deep");
  });
  for (const root of ["data", "article", "rss"]) {
    test(`by damage (${root}) is refused or read`, async () => {
      const xml = `<?xml version="1.0"?><${root}><item><title>One</title><description>&lt;p&gt;two&lt;/p&gt;</description><p>a <b>c</b> d</p><row><entry>x</entry></row></item></${root}>`;
      await expectCleanEnds("a.xml", bytesOf(xml), 200);
    });
  }
});
