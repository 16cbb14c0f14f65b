/** A Markdown document's front matter says what it is. */
import { describe, expect, test } from "bun:test";
import { readBlocks } from "../../../src/documents/read-document.ts";
import type { DocumentProperties } from "../../../src/foundation/place.ts";
import { bytesOf } from "../fixtures.ts";

const all = { title: "The Lighthouse", author: "Ada", date: "2019-11-18", subject: "On lamps.", language: "en-GB" };

describe("front matter", () => {
  const cases: Array<[string, string, DocumentProperties]> = [
    [
      "in YAML",
      '---\ntitle: "The Lighthouse"\nauthor: Ada\ndate: 2019-11-18\ndescription: On lamps.\nlang: en-gb\n---\nText.',
      all,
    ],
    [
      "in TOML",
      '+++\ntitle = "The Lighthouse"\nauthors = ["Ada"]\ndate = 2019-11-18\nsummary = "On lamps."\nlanguage = "en-GB"\n+++\nText.',
      all,
    ],
    ["with several authors", "---\nauthors:\n  - name: Ada\n  - Alan\n---\nText.", { author: "Ada, Alan" }],
    ["with a moment", "---\ndate: 2019-11-18 10:00:00 +0100\n---\nText.", { date: "2019-11-18T10:00:00+01:00" }],
    ["with texts over several lines", "---\ntitle: >-\n  The\n  Lighthouse\n---\nText.", { title: "The Lighthouse" }],
    ["ended by three dots", "---\ntitle: The Lighthouse\n...\nText.", { title: "The Lighthouse" }],
    ["that is not well-formed", "---\ntitle: [The\nauthor: Ada\n---\nText.", {}],
    ["with a date that can be two", "---\ndate: 11/12/2019\n---\nText.", {}],
    [
      "that refers to itself without end",
      `---\na: &a [x]\n${"b: [*a, *a, *a, *a, *a, *a, *a]\n".repeat(9)}---\nText.`,
      {},
    ],
    ["nested without end", `---\ntitle: ${"[".repeat(9000)}\n---\nText.`, {}],
    ["of another kind", "---\n\nNo front matter\n\n---\nText.", {}],
  ];
  for (const [what, text, properties] of cases)
    test(what, async () => {
      const read = await readBlocks(bytesOf(text), "a.md", null);
      expect(read.properties).toEqual(properties);
      expect(read.blocks.at(-1)?.text).toBe("Text.");
    });
});
