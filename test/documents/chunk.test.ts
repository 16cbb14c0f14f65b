/** What a chunk may be, for any text, any block structure and any tokenizer. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { joinBlocks } from "../../src/documents/blocks.ts";
import type { Block } from "../../src/documents/blocks.ts";
import { Cutter } from "../../src/documents/chunk.ts";
import type { ChunkRange } from "../../src/documents/chunk.ts";
import { Outline } from "../../src/documents/outline.ts";
import { passagesOf } from "../../src/documents/passages.ts";
import { TokenMarks } from "../../src/documents/token-marks.ts";
import type { Chunking, TokenCounterLike } from "../../src/documents/types.ts";
import { counters, pieceCounter, wordCounter } from "./counters.ts";

async function cut(
  blocks: Block[],
  chunking: Chunking,
  counter: TokenCounterLike,
): Promise<{ text: string; tokens: TokenMarks; ranges: ChunkRange[] }> {
  const joined = joinBlocks(blocks);
  const tokens = new TokenMarks(joined.text, counter);
  const ranges = await Array.fromAsync(new Cutter(joined.text, new Outline(joined), tokens, chunking).ranges());
  return { text: joined.text, tokens, ranges };
}

async function chunksOf(blocks: Block[], chunking: Chunking, counter: TokenCounterLike): Promise<string[]> {
  return Array.fromAsync(passagesOf(blocks, chunking, counter), ({ text }) => text);
}

function paragraph(text: string): Block {
  return { kind: "paragraph", text };
}

const fragment = fc.oneof(
  fc.constantFrom(
    "The lamp was lit. ",
    "Who came? ",
    "a",
    "word ",
    "\n",
    " ",
    "漢字仮名。",
    "ภาษาไทยไม่มีช่องว่าง",
    "👩‍👩‍👧‍👦",
    "e\u0301",
    " \u0301",
    "🇨🇿🇵🇱",
    "नमस्ते। ",
    "x".repeat(90),
    "\u200b",
  ),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.toWellFormed()),
);
const blockText = fc.array(fragment, { maxLength: 25 }).map((parts) => parts.join(""));
const blocks = fc.array(
  fc.record({ kind: fc.constantFrom("heading", "paragraph", "list-item", "row", "code"), text: blockText }),
  { maxLength: 12 },
) as fc.Arbitrary<Block[]>;
const chunkings = fc
  .integer({ min: 1, max: 60 })
  .chain((chunkSize) =>
    fc.record({ chunkSize: fc.constant(chunkSize), chunkOverlap: fc.integer({ min: 0, max: chunkSize - 1 }) }),
  );
const anyCounter = fc.constantFrom(...Object.values(counters));

/** Runs the property over generated documents. */
async function always(property: (cutting: Awaited<ReturnType<typeof cut>>, chunking: Chunking) => void): Promise<void> {
  await fc.assert(
    fc.asyncProperty(blocks, chunkings, anyCounter, async (document, chunking, counter) =>
      property(await cut(document, chunking, counter), chunking),
    ),
    { numRuns: 400 },
  );
}

describe("every document", () => {
  test("is cut the same when all its tokens are known beforehand", async () => {
    await fc.assert(
      fc.asyncProperty(blocks, chunkings, anyCounter, async (document, chunking, counter) => {
        const long = Array.from({ length: 20 }, () => document).flat();
        const { text, ranges } = await cut(long, chunking, counter);
        const joined = joinBlocks(long);
        const tokens = new TokenMarks(text, counter);
        await tokens.lookAhead(0, Infinity);
        const known = new Cutter(text, new Outline(joined), tokens, chunking);
        expect(await Array.fromAsync(known.ranges())).toEqual(ranges);
      }),
      { numRuns: 100 },
    );
  });

  test("has each of its characters that is not blank in some chunk, in order", async () => {
    await always(({ text, ranges }) => {
      let covered = 0;
      let previous = -1;
      for (const { start, fresh, end } of ranges) {
        expect(start).toBeGreaterThan(previous);
        expect(start).toBeLessThanOrEqual(fresh);
        expect(text.slice(covered, fresh).trim()).toBe("");
        expect(end).toBeGreaterThan(fresh);
        expect(text.slice(start, end).trim()).not.toBe("");
        covered = end;
        previous = start;
      }
      expect(text.slice(covered).trim()).toBe("");
    });
  });

  test("has no chunk of more than chunkSize tokens, one grapheme alone excepted", async () => {
    await always(({ text, tokens, ranges }, { chunkSize }) => {
      for (const { start, end } of ranges) {
        const points = Array.from(text.slice(start, end)).length;
        if (points > 1) expect(tokens.cost(start, end)).toBeLessThanOrEqual(chunkSize);
      }
    });
  });

  test("is never cut inside a surrogate pair", async () => {
    await always(({ text, ranges }) => {
      for (const { start, end } of ranges) expect(text.slice(start, end).isWellFormed()).toBe(true);
    });
  });

  test("is cut inside a grapheme only when that is larger than a chunk", async () => {
    const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });
    await always(({ text, tokens, ranges }, { chunkSize }) => {
      const boundaries = new Set([text.length]);
      const large: Array<[number, number]> = [];
      for (const { index, segment } of graphemes.segment(text)) {
        boundaries.add(index);
        if (tokens.cost(index, index + segment.length) > chunkSize) large.push([index, index + segment.length]);
      }
      const excused = (position: number) => large.some(([from, to]) => from < position && position < to);
      for (const { start, fresh, end } of ranges) {
        for (const position of [start, fresh, end]) expect(boundaries.has(position) || excused(position)).toBe(true);
      }
    });
  });

  test("is cut inside a word only when that is larger than a chunk", async () => {
    const words = new Intl.Segmenter("und", { granularity: "word" });
    // In other scripts words may be found by dictionary: there the text around decides too, and a chunk has less of it.
    const byRule =
      /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Hangul}\p{N}\p{M}'._]+$/u;
    await always(({ text, tokens, ranges }, { chunkSize }) => {
      const cuts = ranges.flatMap(({ start, end }) => [start, end]).toSorted((a, b) => a - b);
      for (const { index, segment, isWordLike } of words.segment(text)) {
        const end = index + segment.length;
        if (!isWordLike || !byRule.test(segment) || !cuts.some((cut) => cut > index && cut < end)) continue;
        expect(tokens.cost(index, end)).toBeGreaterThanOrEqual(chunkSize);
      }
    });
  });

  test("has no heading at the end of a chunk when something follows it, unless the heading fills the chunk", async () => {
    await fc.assert(
      fc.asyncProperty(blocks, chunkings, anyCounter, async (document, chunking, counter) => {
        const { starts, kinds } = joinBlocks(document);
        const { ranges } = await cut(document, chunking, counter);
        for (const { fresh, end } of ranges.slice(0, -1)) {
          let index = starts.findLastIndex((start) => start < end);
          if (kinds[index] !== "heading") continue;
          while (kinds[index - 1] === "heading") index -= 1;
          expect(starts[index] ?? 0).toBeLessThanOrEqual(fresh);
        }
      }),
      { numRuns: 400 },
    );
  });

  test("gives the same chunks again", async () => {
    await fc.assert(
      fc.asyncProperty(blocks, chunkings, async (document, chunking) => {
        expect(await chunksOf(document, chunking, pieceCounter)).toEqual(
          await chunksOf(document, chunking, pieceCounter),
        );
      }),
      { numRuns: 50 },
    );
  });

  test("repeats at most three quarters of a chunk", async () => {
    await always(({ tokens, ranges }, { chunkSize, chunkOverlap }) => {
      for (const { start, fresh } of ranges) {
        expect(tokens.cost(start, fresh)).toBeLessThanOrEqual(1 + Math.min(chunkOverlap, chunkSize * 0.75));
      }
    });
  });
});

describe("prose", () => {
  test("is cut between paragraphs where they fit", async () => {
    const document = ["one two three four", "five six seven eight", "nine ten eleven twelve"].map(paragraph);
    expect(await chunksOf(document, { chunkSize: 10, chunkOverlap: 0 }, wordCounter)).toEqual([
      "one two three four\n\nfive six seven eight",
      "nine ten eleven twelve",
    ]);
  });

  test("is cut between sentences otherwise, line breaks inside them notwithstanding", async () => {
    const document = [
      paragraph("The lamp was lit\nat dusk. The keeper went down\nto the shore. Nobody was there to be seen."),
    ];
    expect(await chunksOf(document, { chunkSize: 9, chunkOverlap: 0 }, wordCounter)).toEqual([
      "The lamp was lit\nat dusk.",
      "The keeper went down\nto the shore.",
      "Nobody was there to be seen.",
    ]);
  });

  test("is cut between sentences and words in languages without spaces", async () => {
    const chinese = "今天天气很好。我们去公园散步。公园里有很多人在跑步和打太极拳。";
    const chunks = await chunksOf(
      [paragraph(chinese)],
      { chunkSize: 20, chunkOverlap: 0 },
      { offsets: async (text) => Array.from(text, (_, index) => [index, index + 1] as const) },
    );
    expect(chunks).toEqual(["今天天气很好。我们去公园散步。", "公园里有很多人在跑步和打太极拳。"]);
    const thai = "ประเทศไทยมีภูมิประเทศที่สวยงาม".repeat(8);
    const words = new Set(
      Array.from(new Intl.Segmenter("th", { granularity: "word" }).segment(thai), ({ index }) => index),
    );
    const joined = await cut([paragraph(thai)], { chunkSize: 12, chunkOverlap: 0 }, pieceCounter);
    expect(joined.ranges.length).toBeGreaterThan(3);
    for (const { start } of joined.ranges) expect(words.has(start)).toBe(true);
  });

  test("keeps a heading with what follows it", async () => {
    const document: Block[] = [
      paragraph("one two three four five six"),
      { kind: "heading", level: 1, text: "The Harbour" },
      { kind: "heading", level: 2, text: "At Night" },
      paragraph("seven eight nine ten eleven twelve"),
    ];
    expect(await chunksOf(document, { chunkSize: 10, chunkOverlap: 0 }, wordCounter)).toEqual([
      "one two three four five six",
      "The Harbour\n\nAt Night\n\nseven eight nine ten eleven twelve",
    ]);
  });

  test("keeps a heading with what follows it also where that begins with blanks", async () => {
    const document: Block[] = [
      paragraph("!"),
      { kind: "heading", level: 1, text: "Who came? " },
      paragraph("\n\u0000"),
    ];
    const whole: string[][] = [];
    for (const counter of Object.values(counters)) {
      const { text, ranges } = await cut(document, { chunkSize: 3, chunkOverlap: 0 }, counter);
      const chunks = ranges.map(({ start, end }) => text.slice(start, end));
      if (chunks.some((chunk) => chunk.includes("Who came?"))) whole.push(chunks);
    }
    expect(whole).not.toBeEmpty();
    expect(whole.flat()).not.toContain("!\n\nWho came?");
  });

  test("repeats about chunkOverlap tokens from a sentence or a word on", async () => {
    const sentences = Array.from({ length: 40 }, (_, index) => `Sentence number ${index} is here.`).join(" ");
    const cutting = await cut([paragraph(sentences)], { chunkSize: 50, chunkOverlap: 12 }, wordCounter);
    expect(cutting.ranges.length).toBeGreaterThan(3);
    for (const { start, fresh } of cutting.ranges.slice(1)) {
      expect(cutting.tokens.cost(start, fresh)).toBe(10);
      expect(cutting.text.slice(start)).toStartWith("Sentence number");
    }
  });

  test("repeats nothing before a heading: what stands there is about something else", async () => {
    const document: Block[] = [
      paragraph("one two three four five six"),
      { kind: "heading", level: 1, text: "The Harbour" },
      paragraph("seven eight nine. Ten eleven twelve. Thirteen fourteen fifteen."),
    ];
    expect(await chunksOf(document, { chunkSize: 9, chunkOverlap: 3 }, wordCounter)).toEqual([
      "one two three four five six",
      "The Harbour\n\nseven eight nine.",
      "seven eight nine. Ten eleven twelve. Thirteen fourteen fifteen.",
    ]);
  });

  test("shares what is left between the last two chunks", async () => {
    const words = Array.from({ length: 104 }, (_, index) => `w${index}`).join(" ");
    const chunks = await chunksOf([paragraph(words)], { chunkSize: 100, chunkOverlap: 0 }, wordCounter);
    expect(chunks).toHaveLength(2);
    for (const chunk of chunks) expect(chunk.split(" ").length).toBeGreaterThan(40);
  });
});

describe("odd text", () => {
  test("of one endless word is cut in linear time", async () => {
    const measure = async (length: number) => {
      const started = performance.now();
      const chunks = await chunksOf([paragraph("x".repeat(length))], { chunkSize: 300, chunkOverlap: 20 }, wordCounter);
      expect(chunks.join("").length).toBe(length);
      return performance.now() - started;
    };
    // The best of some: a machine that is busy with other things only ever makes a run longer.
    const best = async (length: number) =>
      Math.min(await measure(length), await measure(length), await measure(length));
    const [small, large] = [await best(500_000), await best(4_000_000)];
    expect(large).toBeLessThan(Math.max(small, 5) * 8 * 4);
  });

  test("of headings only is cut in linear time", async () => {
    const headings = Array.from(
      { length: 100_000 },
      (_, index): Block => ({ kind: "heading", level: 1, text: `Heading ${index}` }),
    );
    const started = performance.now();
    await chunksOf(headings, { chunkSize: 30, chunkOverlap: 5 }, wordCounter);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test("of no tokens at all still gives chunks of bounded length", async () => {
    const chunks = await chunksOf(
      [paragraph("word ".repeat(10_000))],
      { chunkSize: 10, chunkOverlap: 0 },
      counters.blindCounter,
    );
    expect(chunks.join(" ").split(/\s+/)).toHaveLength(10_000);
    for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(11 * 64);
  });
});
