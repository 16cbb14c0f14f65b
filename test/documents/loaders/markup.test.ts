/** Markdown, HTML and plain text become readable blocks. */
import { describe, expect, test } from "bun:test";
import iconv from "iconv-lite";
import { blocksOf, textsOf } from "../fixtures.ts";

describe("plain text", () => {
  test("is parted at blank lines and keeps its line breaks", async () => {
    expect(await textsOf("a.txt", "One\r\ntwo\r\n \r\nthree\u0000\n\n\n  indented")).toEqual([
      "One\ntwo",
      "three",
      "  indented",
    ]);
  });
  test("longer than the limit is refused", async () => {
    await expect(textsOf("a.txt", "word ".repeat(30), { maxTextCharacters: 100 })).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      message: 'The file "a.txt" cannot be read: it holds more than 100 characters of text',
    });
  });
});

describe("Markdown", () => {
  test("has headings of both kinds, without their marks", async () => {
    expect(await textsOf("a.md", "# One #\n\nText.\n\nTwo\n===\nMore\ntext.\n\nThree\n---\n### C# ###\n#tag")).toEqual([
      "h1 One",
      "Text.",
      "h1 Two",
      "More\ntext.",
      "h2 Three",
      "h3 C#",
      "#tag",
    ]);
  });
  test("has no headings of quotations before a line, nor attributes behind headings", async () => {
    expect(await textsOf("a.md", "> Quoted.\n> More.\n---\nText.\n\n# One {#first .wide}\n\n## {x} and {y}")).toEqual([
      "> Quoted.\n> More.",
      "Text.",
      "h1 One",
      "h2 {x} and {y}",
    ]);
  });
  test("keeps code letter for letter", async () => {
    const blocks = await blocksOf("a.md", "```ts\n# not a heading\n\nconst a = [1];\n```\n~~~\nopen");
    expect(blocks).toEqual([
      { kind: "code", text: "# not a heading\n\nconst a = [1];", place: { line: 2 } },
      { kind: "code", text: "open", place: { line: 7 } },
    ]);
  });
  test("has list items and table rows of their own", async () => {
    const blocks = await blocksOf("a.md", "- one\n  goes on\n- two\n1. first\n\n| a | b |\n|---|---|\n| 1 | 2 |");
    expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
      ["list-item", "- one\n  goes on"],
      ["list-item", "- two"],
      ["list-item", "1. first"],
      ["row", "| a | b |"],
      ["row", "| 1 | 2 |"],
    ]);
  });
  test("loses tags, comments and data: addresses, not its links", async () => {
    const text =
      "An ![icon](data:image/png;base64,AAAA) and [data](data:text/plain,x). <b>Bold</b> <!-- note --> [link](https://a.example) Map<string>";
    expect(await textsOf("a.md", text)).toEqual(["An icon and data. Bold  [link](https://a.example) Map<string>"]);
  });
  test("keeps front matter as text without its fences", async () => {
    expect(await textsOf("a.md", "---\ntitle: The Lighthouse\ntags: [sea]\n---\n\nText.")).toEqual([
      "title: The Lighthouse\ntags: [sea]",
      "Text.",
    ]);
    expect(await textsOf("a.md", "---\n\nNo front matter\n\n---\n\nText.")).toEqual(["No front matter", "Text."]);
  });
  test("keeps tags that code spans speak of, which are no fences", async () => {
    const text = "Use `<ul>`, <b>not</b> <!-- it`s --> `<li>`.\n\n```npm i tool``` installs\n\n`open <b>x</b>";
    expect(await textsOf("a.md", text)).toEqual(["Use `<ul>`, not  `<li>`.", "```npm i tool``` installs", "`open x"]);
  });
  test("of endless blanks is read in linear time", async () => {
    const blanks = " ".repeat(200_000);
    for (const line of [`${blanks}x`, `# a${blanks}b`, `| a |\n|--${blanks}x`])
      expect(await textsOf("a.md", `x\n${line}`)).not.toBeEmpty();
  });
  test("of hostile repetitions is read in linear time", async () => {
    for (const piece of ["![", "[[", "<!--", "[a](data:", "#", "# ", "|", "- ", "`", "<b ", "\n\n>"])
      expect(await textsOf("a.md", `x ${piece.repeat(300_000)}`)).not.toBeEmpty();
  }, 60_000);
});

const article =
  "The keeper climbed the stairs every evening and lit the lamp, so that the ships could see the coast from far away. ".repeat(
    3,
  );

describe("HTML", () => {
  test("is its main content, without navigation, advertisements and scripts", async () => {
    const page = `<!doctype html><html><head><title>The Lighthouse</title><style>p{}</style></head><body>
      <nav><a href="/">Home</a> <a href="/about">About</a></nav><div class="sidebar ad-banner">Buy now!</div>
      <main><article><h1>The Lighthouse</h1><p>${article}</p><h2>Its keeper</h2><p>${article}</p><ul><li>lamp</li><li>stairs</li></ul></article></main>
      <footer>Imprint</footer><script>alert("x")</script></body></html>`;
    const texts = await textsOf("a.html", page);
    expect(texts).toEqual(["h1 The Lighthouse", article.trim(), "h2 Its keeper", article.trim(), "- lamp", "- stairs"]);
  });
  test("is the whole page without its boilerplate where that is too large to look for an article", async () => {
    const page =
      "<html><body><nav>Home</nav><h1>Prices</h1><table><tr><th>Lamp</th><th>Price</th></tr><tr><td><p>Small</p></td><td>10</td></tr></table><pre>a\n  b</pre></body></html>";
    expect(await textsOf("a.html", page, { maxScoredElements: 0 })).toEqual([
      "h1 Prices",
      "Lamp | Price",
      "Small | 10",
      "a\n  b",
    ]);
  });
  test("of navigation only is still something", async () => {
    expect(await textsOf("a.html", "<html><body><nav>Home and away</nav></body></html>")).toEqual(["Home and away"]);
  });
  test("is decoded as it declares", async () => {
    const russian = "Каждый вечер смотритель маяка поднимался по лестнице.";
    for (const charset of ["windows-1251", "koi8-r", "utf-8"]) {
      const page = `<html><head><meta http-equiv="Content-Type" content="text/html; charset=${charset}"></head><body><p>${russian}</p></body></html>`;
      expect(await textsOf("a.html", iconv.encode(page, charset))).toEqual([russian]);
    }
    const misdeclared = `<html><head><meta charset="iso-8859-1"></head><body><p>${russian}</p></body></html>`;
    expect(await textsOf("a.html", misdeclared)).toEqual([russian]);
  });
  test("is read when its elements are never closed, and refused when there is no end of them", async () => {
    expect(await textsOf("a.html", `<html><body>${"<div>".repeat(15_000)}deep`)).toEqual(["deep"]);
    await expect(textsOf("a.html", `<html><body>${"<div>".repeat(100_000)}deep`)).rejects.toThrow(
      "nested more than 20000 deep",
    );
  });
});
