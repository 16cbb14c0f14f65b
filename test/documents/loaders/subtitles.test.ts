/** Subtitles read as what is said, and know when it is said. */
import { describe, expect, test } from "bun:test";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { expectCleanEnds } from "../mutants.ts";
import { blocksOf, bytesOf, textsOf } from "../fixtures.ts";

const srt = `1
00:01:14,440 --> 00:01:15,760
Everyone wants
the most

2
00:01:15,880 --> 00:01:19,520
<i>from</i> {\\an8}life.

3
01:00:00,000 --> 01:00:02,500 X1:0
- What?
- Where?
`;

describe("SubRip", () => {
  test("is paragraphs parted by pauses, with their seconds", async () => {
    expect((await blocksOf("a.srt", srt)).map(({ text, place }) => [text, place])).toEqual([
      ["Everyone wants the most from life.", { startTime: 74.44, endTime: 79.52 }],
      ["- What?\n- Where?", { startTime: 3600, endTime: 3602.5 }],
    ]);
  });
  test("keeps each cue for players", async () => {
    const { subtitles, loaderId, mimeType } = await readBlocks(bytesOf(srt), "a.txt", null);
    expect([loaderId, mimeType]).toEqual(["srt", "application/x-subrip"]);
    expect(subtitles).toEqual([
      { id: 1, startTime: 74.44, endTime: 75.76, text: "Everyone wants\nthe most" },
      { id: 2, startTime: 75.88, endTime: 79.52, text: "from life." },
      { id: 3, startTime: 3600, endTime: 3602.5, text: "- What?\n- Where?" },
    ]);
  });
  const odd: Array<[string, string, string[]]> = [
    [
      "no blank lines between cues",
      "1\n00:00:01,0 --> 00:00:02,0\nOne\n2\n00:00:02,0 --> 00:00:03,0\ntwo",
      ["One two"],
    ],
    [
      "blank lines in a cue",
      "1\n00:00:01,0 --> 00:00:02,0\nOne\n\nthree\n\n2\n00:00:02,0 --> 00:00:03,0\ntwo",
      ["One three two"],
    ],
    ["old line ends and no numbers", "00:00:01.500 --> 00:00:02.500\rOne &amp; two", ["One & two"]],
    ["a last cue without text", "1\n00:00:01,0 --> 00:00:02,0\nOne\n\n2\n00:00:02,0 --> 00:00:03,0\n", ["One"]],
  ];
  for (const [what, text, expected] of odd)
    test(`with ${what} is read`, async () => expect(await textsOf("a.srt", text)).toEqual(expected));
  test("of long speech is cut at the end of a sentence after half a minute", async () => {
    const cues = Array.from(
      { length: 40 },
      (_, index) => `00:00:${index + 10},000 --> 00:00:${index + 11},000\nword${index}${index % 8 === 7 ? "." : ""}\n`,
    );
    const texts = await textsOf("a.srt", cues.join("\n"));
    expect(texts.map((text) => text.split(" ").at(-1))).toEqual(["word31.", "word39."]);
  });
});

describe("WebVTT", () => {
  test("is read without what is for programs, with its speakers", async () => {
    const vtt = `WEBVTT - A title
Kind: captions
Language: de-AT

STYLE
::cue { color: red }

NOTE
not said

intro
00:01.000 --> 00:02.000 align:start
<v.loud Ada>It <c.highlight>works</c>.</v>

00:02.500 --> 00:03.000
<v Charles>Does <ruby>it<rt>es</rt></ruby> &lt;really&gt;?
`;
    const { blocks, properties, loaderId } = await readBlocks(bytesOf(vtt), "a", null);
    expect(blocks.map(({ text, place }) => [text, place])).toEqual([
      ["Ada: It works.\nCharles: Does it <really>?", { startTime: 1, endTime: 3 }],
    ]);
    expect([loaderId, properties]).toEqual(["vtt", { language: "de-AT" }]);
  });
  test("whose lines roll says each of them once", async () => {
    const vtt = `WEBVTT

00:00:00.000 --> 00:00:02.000
 
one<00:00:00.500><c> two</c>

00:00:02.000 --> 00:00:02.010
one two
 

00:00:02.010 --> 00:00:04.000
one two
three<00:00:03.000><c> four</c>
`;
    expect(await textsOf("a.vtt", vtt)).toEqual(["one two three four"]);
  });
});

test("subtitles of endless cues or blanks are read in one pass", async () => {
  const cue = "00:00:40.000 --> 00:00:41.000\nsaid\n\n";
  expect(await textsOf("a.srt", `00:00:00.000 --> 00:00:39.000\nOne\n\n${cue.repeat(20_000)}`)).toHaveLength(1);
  const blanks = " ".repeat(200_000);
  expect(await textsOf("a.vtt", `WEBVTT\n\n${cue}<v${blanks}\n${"<v.".repeat(50_000)}`)).toHaveLength(1);
});

describe("damaged subtitles", () => {
  for (const [name, text] of [
    ["a.srt", srt],
    ["a.vtt", `WEBVTT\n\n${srt.replaceAll(",", ".")}`],
  ] as const)
    test(`as ${name} are refused or read`, async () => await expectCleanEnds(name, bytesOf(text), 300));
});
