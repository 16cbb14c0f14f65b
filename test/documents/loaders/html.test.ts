/** Web pages: what an article says and no more, tables with their columns' names, and what a page says of itself. */
import { describe, expect, test } from "bun:test";
import { languageTag } from "../../../src/documents/language-tag.ts";
import { writtenDate } from "../../../src/documents/written-date.ts";
import { readBlocks } from "../../../src/documents/read-document.ts";
import type { DocumentProperties } from "../../../src/foundation/place.ts";
import { failureOf } from "../../harness.ts";
import { blocksOf, bytesOf, textsOf } from "../fixtures.ts";
import { expectCleanEnds } from "../mutants.ts";

const prose = (about: string) =>
  `${about} was climbed every evening by the keeper, who lit the lamp there, so that the ships could see the coast from far away, and went down again when the sun rose over the sea.`;

/** A page of one article, long enough to be one, around this. */
function article(inside: string): string {
  return `<html><head><title>The Lighthouse | The Coast</title></head><body><nav><a href="/">Home</a></nav><article>
    <h1>The Lighthouse</h1><p>${prose("The tower")}</p><p>${prose("The hill")}</p>${inside}<p>${prose("The rock")}</p></article></body></html>`;
}

const paragraphs = ["The tower", "The hill", "The rock"].map(prose);

describe("an article", () => {
  const asides: Array<[string, string]> = [
    [
      "paragraphs that are only a link elsewhere",
      '<p>Related: <a href="/other">How lamps were lit before electricity</a></p>',
    ],
    ["a paragraph that stands twice in a section", `<p>${prose("The hill")}</p>`],
    [
      "boxes whose names say that they are beside it",
      ["newsletter-signup", "relatedPosts", "share_buttons", "cookie-notice", "post-author", "rollover-block"]
        .map((name) => `<div class="${name}"><p>Get our stories every day, all of them.</p></div>`)
        .join(""),
    ],
    [
      "lists of related pages under their headings",
      '<h3>You may also like:</h3><p>How <a href="/1">lamps</a> were lit</p><p>The bridge</p><h4>Czytaj też</h4><ul><li><a href="/2">Latarnie</a>, które świecą najdłużej</li></ul><h3>Most read</h3><p>Boats</p>',
    ],
    ["what buttons say", "<p>Advertisement</p><ul><li>Sign in</li></ul><p>Enlarge image</p><p>Loading …</p>"],
    ["images described by a file's name", '<p><img src="a.jpg" alt="DSC_0042.jpg"></p>'],
  ];
  for (const [what, inside] of asides)
    test(`has no ${what}`, async () => {
      expect(await textsOf("a.html", article(inside))).toEqual(["h1 The Lighthouse", ...paragraphs]);
    });

  const kept: Array<[string, string, string[]]> = [
    ["links to its own parts", '<ul><li><a href="#lamp">The lamp</a></li></ul>', ["- The lamp"]],
    [
      "what others wrote elsewhere, put into it",
      '<div class="trending tweet"><p>The lamp shines again tonight, says the keeper.</p></div>',
      ["The lamp shines again tonight, says the keeper."],
    ],
    [
      "headings that begin like those of related pages",
      "<h3>Read also the small print</h3><p>It counts.</p><h3>Related work</h3><p>There is none.</p>",
      ["h3 Read also the small print", "It counts.", "h3 Related work", "There is none."],
    ],
    ["links inside what it says", `<p>${prose('The <a href="/cliff">cliff</a>')}</p>`, [prose("The cliff")]],
    ["an image's description", '<p><img src="a.jpg" alt="The lamp at night"></p>', ["The lamp at night"]],
    [
      "no heading under which there are only links elsewhere",
      '<h3>More of our stories</h3><p><a href="/1">The longest bridge of all</a></p><h3>On rocks</h3>',
      ["h3 On rocks"],
    ],
    [
      "an image's caption instead of its description",
      '<figure><img src="a.jpg" alt="A lamp"><figcaption>The lamp of 1820</figcaption></figure>',
      ["The lamp of 1820"],
    ],
    [
      "a description given twice once",
      '<p><img src="a" alt="The lamp"></p><p><img src="b" alt="The lamp"></p>',
      ["The lamp"],
    ],
  ];
  for (const [what, inside, texts] of kept)
    test(`has ${what}`, async () => {
      expect(await textsOf("a.html", article(inside))).toEqual([
        "h1 The Lighthouse",
        ...paragraphs.slice(0, 2),
        ...texts,
        ...paragraphs.slice(2),
      ]);
    });

  test("is all there is of a page, whatever the box around it is called", async () => {
    const page = article("").replace("<article>", '<div class="related modal">').replace("</article>", "</div>");
    expect(await textsOf("a.html", page)).toEqual(["h1 The Lighthouse", ...paragraphs]);
  });
  test("is told from teasers of others, which lead there by their headings", async () => {
    const teaser = (name: string) =>
      `<article><h2><a href="/x">${name}</a></h2><p>${prose(name).slice(0, 90)}</p></article>`;
    const page = article("").replace("</body>", `${["A pier", "A quay"].map(teaser).join("")}</body>`);
    expect(await textsOf("a.html", page)).toEqual(["h1 The Lighthouse", ...paragraphs]);
  });
  test("is not one of several on a page: then all are taken", async () => {
    const parts = ["A pier", "A wharf", "A quay"].map(
      (name) => `<div class="entry"><h2>${name}</h2>${`<p>${prose(name)}</p>`}</div>`,
    );
    const page = `<html><body><div class="sidebar">${parts.join("")}</div><div><h2>The lamp</h2><p>${prose("The lamp")}</p></div></body></html>`;
    expect(await textsOf("a.html", page)).toEqual(
      ["A pier", "A wharf", "A quay", "The lamp"].flatMap((name) => [`h2 ${name}`, prose(name)]),
    );
  });
  test("keeps the levels of its headings", async () => {
    const sections = `<h1>Part one</h1><p>${prose("A pier")}</p><h2>Detail</h2><p>${prose("A wharf")}</p><h1>Part two</h1>`;
    expect((await textsOf("a.html", article(sections))).filter((text) => /^h\d/.test(text))).toEqual([
      "h1 The Lighthouse",
      "h1 Part one",
      "h2 Detail",
      "h1 Part two",
    ]);
  });
});

describe("a table", () => {
  const lamps = "<tr><th>Lamp</th><th>Price</th></tr>";
  const tables: Array<[string, string, Array<[string, string | undefined]>]> = [
    [
      "says what its columns are",
      `<table>${lamps}<tr><td>Small</td><td>10</td></tr><tr><th>Large</th><td>20</td></tr></table>`,
      [
        ["Lamp | Price", undefined],
        ["Small | 10", "Lamp | Price"],
        ["Large | 20", "Lamp | Price"],
      ],
    ],
    ["without a header row does not", "<table><tr><td>a</td><td>b</td></tr></table>", [["a | b", undefined]]],
    [
      "ends with what it says of columns",
      `<table>${lamps}<tr><td>Small</td><td>10</td></tr></table><table><tr><td>a</td><td>b</td></tr></table>`,
      [
        ["Lamp | Price", undefined],
        ["Small | 10", "Lamp | Price"],
        ["a | b", undefined],
      ],
    ],
    [
      "has cells that reach over rows in each of them",
      "<table><tr><td rowspan=2>2019</td><td>May</td><td>1</td></tr><tr><td>June</td><td>2</td></tr><tr><td>2020</td><td>May</td><td>3</td></tr></table>",
      [
        ["2019 | May | 1", undefined],
        ["2019 | June | 2", undefined],
        ["2020 | May | 3", undefined],
      ],
    ],
    [
      "keeps its caption before it",
      `<table><caption>Our lamps</caption>${lamps}</table>`,
      [
        ["Our lamps", undefined],
        ["Lamp | Price", undefined],
      ],
    ],
  ];
  for (const [what, html, rows] of tables)
    test(what, async () => {
      expect((await blocksOf("a.html", html)).map(({ text, context }) => [text, context])).toEqual(rows);
    });
});

describe("a page says of itself", () => {
  const data = (json: object) => `<script type="application/ld+json">${JSON.stringify(json)}</script>`;
  const cases: Array<[string, string, DocumentProperties]> = [
    ["its title", "<title> The\n Lighthouse </title>", { title: "The Lighthouse" }],
    [
      "its title without its site's name",
      '<title>The Lighthouse | The Coast</title><meta property="og:title" content="The Lighthouse">',
      { title: "The Lighthouse" },
    ],
    ["no title of a picture", "<svg><title>Icon</title></svg><title>Page</title>", { title: "Page" }],
    [
      "its authors",
      '<meta name="citation_author" content="Ada"><meta name="citation_author" content="Alan">',
      { author: "Ada, Alan" },
    ],
    ["no address as its author", '<meta property="article:author" content="https://a.example/ada">', {}],
    ["its subject", '<meta name="Description" content="On lamps.">', { subject: "On lamps." }],
    [
      "its date",
      '<meta property="article:published_time" content="2019-11-18T10:00:00+0000">',
      { date: "2019-11-18T10:00:00+00:00" },
    ],
    ["its date in the text", '<time pubdate datetime="2019-11-18">today</time>', { date: "2019-11-18" }],
    [
      "what it gives to search engines",
      data({
        "@graph": [
          { "@type": "WebPage", name: "Home" },
          { "@type": "NewsArticle", headline: "Lamps", author: [{ name: "Ada" }, "Alan"], datePublished: "2019-11-18" },
        ],
      }),
      { title: "Lamps", author: "Ada, Alan", date: "2019-11-18" },
    ],
    ["nothing in what is not well-formed", '<script type="application/ld+json">{"@type": "Article", </script>', {}],
    ["its language", '<meta http-equiv="content-language" content="de_at">', { language: "de-AT" }],
  ];
  for (const [what, head, properties] of cases)
    test(what, async () => {
      const page = `<html><head>${head}</head><body><p>Text.</p></body></html>`;
      expect((await readBlocks(bytesOf(page), "a.html", null)).properties).toEqual(properties);
    });
  test("its language before all else", async () => {
    const page = '<html lang="pt-br"><head><meta name="language" content="en"></head><body><p>Texto.</p></body></html>';
    expect((await readBlocks(bytesOf(page), "a.html", null)).properties).toEqual({ language: "pt-BR" });
  });
  test("nothing that its scripts and what is left out contain", async () => {
    const page = `<html><body><script>"<title>No</title>"</script><p>Text.</p></body></html>`;
    expect((await readBlocks(bytesOf(page), "a.html", null)).properties).toEqual({});
  });
});

describe("a written date", () => {
  const dates: Array<[string, string | undefined]> = [
    ["2019", "2019"],
    ["2019-11", "2019-11"],
    ["2019-11-18", "2019-11-18"],
    ["2019/11/8", "2019-11-08"],
    ["20191118", "2019-11-18"],
    ["2019-11-18T10:30", "2019-11-18T10:30:00"],
    ["2019-11-18 9:30:15.123 +0100", "2019-11-18T09:30:15+01:00"],
    ["20191118T103015Z", "2019-11-18T10:30:15Z"],
    ["Mon, 18 Nov 2019 10:00:00 GMT", "2019-11-18T10:00:00Z"],
    ["November 18, 2019", "2019-11-18"],
    ["18 Nov 2019", "2019-11-18"],
    ["18.11.2019", "2019-11-18"],
    ["11/12/2019", undefined],
    ["2019-02-30", undefined],
    ["2019-13", undefined],
    ["yesterday", undefined],
    ["", undefined],
    ["1 ".repeat(1000), undefined],
  ];
  for (const [written, iso] of dates)
    test(`${JSON.stringify(written.slice(0, 40))} is ${iso}`, () => expect(writtenDate(written)).toBe(iso));
});

describe("a language", () => {
  const tags: Array<[string, string | undefined]> = [
    ["en", "en"],
    ["en_us", "en-US"],
    ["zh-hant-tw", "zh-Hant-TW"],
    ["de_DE.UTF-8", "de-DE"],
    ["English", undefined],
    ["x-default", undefined],
    ["de-de-de-de", undefined],
    ["", undefined],
  ];
  for (const [written, tag] of tags)
    test(`${JSON.stringify(written)} is ${tag}`, () => expect(languageTag(written)).toBe(tag));
});

describe("a hostile page", () => {
  test("of cells that reach over everything is refused as too long", async () => {
    const cells = `<td rowspan=1000>${"x".repeat(500)}</td>`.repeat(50);
    const page = `<table><tr>${cells}</tr>${"<tr><td>a</td></tr>".repeat(5000)}</table>`;
    expect((await failureOf(textsOf("a.html", page, { maxTextCharacters: 1_000_000 }))).message).toContain(
      "more than 1000000 characters of text",
    );
  });
  test("damaged anywhere ends cleanly", async () => {
    const page = article(
      "<table><tr><th>a<th>b</tr><tr><td rowspan=3>1<td>2</tr></table><ul><li>x<ol><li>y</ol></ul><pre>a</pre>",
    );
    await expectCleanEnds("a.html", bytesOf(page), 150);
  });
});
