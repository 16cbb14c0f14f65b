/** Which loader a file gets: the content decides, the name only where the content leaves a choice. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { zipSync } from "fflate";
import { LecternError } from "../../src/foundation/errors.ts";
import { formatFamilies, loaders, supportedFormats } from "../../src/documents/loaders/registry.ts";
import { readBlocks } from "../../src/documents/read-document.ts";
import { bytesOf, pdfDocument, wordDocument, wordParagraph } from "./fixtures.ts";

const pdf = pdfDocument([[{ x: 72, y: 700, size: 12, text: "Some text." }]]);
const docx = wordDocument(wordParagraph("Some text."));

async function typeOf(name: string, content: string | Uint8Array, declared: string | null = null): Promise<string[]> {
  const { loaderId, mimeType, extension } = await readBlocks(bytesOf(content), name, declared);
  return [loaderId, mimeType, extension];
}

describe("content wins over the name", () => {
  const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  const cases: Array<[string, string | Uint8Array, string[]]> = [
    ["report.txt", pdf, ["pdf", "application/pdf", "pdf"]],
    ["picture.png", docx, ["docx", word, "docx"]],
    ["page.txt", "<!DOCTYPE html><html><body><p>Some text.</p></body></html>", ["html", "text/html", "html"]],
    ["data.txt", '{"name": "Ada"}', ["json", "application/json", "json"]],
    ["log", '{"a": 1}\n{"a": 2}\n', ["json", "application/x-ndjson", "jsonl"]],
    ["table", "name;age\nAda;36\nAlan;41\nGrace;85\n", ["csv", "text/csv", "csv"]],
    ["table", "name\tage\nAda\t36\nAlan\t41\nGrace\t85\n", ["csv", "text/tab-separated-values", "tsv"]],
    ["notes", "# Title\n\n- one\n- two\n\nSee [this](https://example.org).\n", ["markdown", "text/markdown", "md"]],
    ["ps.txt", "%!PS is how PostScript begins.", ["text", "text/plain", "txt"]],
    ["rtf.txt", "{\\rtf is how RTF begins.", ["text", "text/plain", "txt"]],
    ["app.log", `${'{"a": 1}\n'.repeat(30)}panic: no more\n`, ["text", "text/plain", "log"]],
    ["app.log", '{"a": 1}\n'.repeat(30), ["json", "application/x-ndjson", "jsonl"]],
    ["book.pdf", "Only words.", ["text", "text/plain", "txt"]],
  ];
  for (const [name, content, type] of cases)
    test(`${name} → ${type[0]}`, async () => expect(await typeOf(name, content)).toEqual(type));
});

describe("the name or declared type decides between what the content could be", () => {
  test("by the extension", async () => {
    expect(await typeOf("a.md", "Just words.")).toEqual(["markdown", "text/markdown", "md"]);
    expect(await typeOf("a.log", "Just words.")).toEqual(["text", "text/plain", "log"]);
    expect(await typeOf("a.csv", "Just words.")).toEqual(["csv", "text/csv", "csv"]);
    expect(await typeOf("README.md", "<div>Hello</div>\n\n# Title\n")).toEqual(["markdown", "text/markdown", "md"]);
    expect(await typeOf("a.txt", "a;b\n1;2\n3;4\n5;6\n")).toEqual(["text", "text/plain", "txt"]);
  });
  test("by the declared type when there is no extension", async () => {
    expect(await typeOf("notes", "Just words.", "text/markdown; charset=utf-8")).toEqual([
      "markdown",
      "text/markdown",
      "md",
    ]);
  });
});

describe("what cannot be read is named", () => {
  const cases: Array<[string, Uint8Array | string, string]> = [
    ["photo.txt", bytesOf("\u0000\u0000\u0001\u0000\u0001\u0000"), "an image (ICO)"],
    ["drawing.zip", zipSync({ mimetype: bytesOf("text") }), "a ZIP container of another program"],
    [
      "noise.pdf",
      new Uint8Array(3000).map((_, index) => (index * index * 31) & 0xff),
      "binary data of an unknown type",
    ],
    ["drawing.txt", "%!PS-Adobe-3.0\n%%EOF\n", "a PostScript document"],
  ];
  for (const [name, content, type] of cases) {
    test(`${name}: ${type}`, async () => {
      const refused = readBlocks(bytesOf(content), name, null);
      await expect(refused).rejects.toMatchObject({
        code: "UNSUPPORTED_FILE_TYPE",
        status: 400,
        details: { file: name },
      });
      await expect(refused).rejects.toThrow(
        `is ${type}, which Lectern cannot read. It reads PDF; scans and pictures; Word, Excel`,
      );
    });
  }
  test("in a sentence that names each format once, with those like it", () => {
    const named = formatFamilies.flatMap(([, ids]) => ids);
    expect(named.toSorted()).toEqual(loaders.map(({ id }) => id).toSorted());
    expect(supportedFormats().length).toBeLessThan(300);
  });
});

describe("odd content", () => {
  test("of no bytes is EMPTY_FILE, of no text NO_TEXT", async () => {
    await expect(readBlocks(new Uint8Array(), "a.txt", null)).rejects.toMatchObject({ code: "EMPTY_FILE" });
    for (const [name, content] of [
      ["a.txt", " \n\t\u200b"],
      ["a.txt", "\uFEFF"],
      ["a.json", "{}"],
      ["a.html", "<html><script>x()</script></html>"],
    ] as const) {
      await expect(readBlocks(bytesOf(content), name, null)).rejects.toMatchObject({
        code: "NO_TEXT",
        details: { file: name },
      });
    }
  });

  test("never makes anything throw but errors of the table", async () => {
    const names = fc.constantFrom(
      "a.txt",
      "a.md",
      "a.html",
      "a.pdf",
      "a.docx",
      "a.csv",
      "a.tsv",
      "a.json",
      "a.jsonl",
      "noname",
      "../../x",
      "__proto__",
    );
    const starts = fc.constantFrom(
      "",
      "%PDF-1.7\n",
      "PK\u0003\u0004",
      "<html>",
      "{",
      "[",
      "---\n",
      "<table><tr><td>",
      '"',
      "# ",
      "\u00ff\u00fe",
    );
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: "binary" }).map(bytesOf),
      fc.json().map(bytesOf),
    );
    await fc.assert(
      fc.asyncProperty(names, starts, bodies, async (name, start, body) => {
        try {
          const { blocks } = await readBlocks(Buffer.concat([Buffer.from(start, "latin1"), body]), name, null);
          for (const { text } of blocks) {
            expect(text.isWellFormed()).toBe(true);
            expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(LecternError);
        }
      }),
      { numRuns: 400 },
    );
  });

  test("made by damaging real documents does neither", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(["a.pdf", pdf] as const, ["a.docx", docx] as const),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 20 }),
        fc.nat(),
        async ([name, whole], changes, cut) => {
          const damaged = Uint8Array.from(whole);
          for (const [at, value] of changes) damaged[at % damaged.length] = value;
          const length = cut % 3 === 0 ? cut % damaged.length : damaged.length;
          try {
            await readBlocks(damaged.subarray(0, length), name, null);
          } catch (error) {
            expect(error).toBeInstanceOf(LecternError);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
