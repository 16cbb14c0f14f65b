/** Wrapping and cleaning text for a terminal; progress and durations. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { describeProgress, formatDuration, progressLine, startProgress } from "../../src/cli/progress.ts";
import { visible, wrap } from "../../src/cli/terminal.ts";

describe("wrap", () => {
  test("breaks between words, at most so many columns a line", () => {
    expect(wrap("the quick brown fox jumps", 10)).toEqual(["the quick", "brown fox", "jumps"]);
  });

  test("breaks text without spaces, and counts wide characters twice", () => {
    const lines = wrap("绿茶没有经过发酵,最容易氧化变黄。应当用铝箔袋密封。", 20);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(22);
    expect(lines.join("")).toBe("绿茶没有经过发酵,最容易氧化变黄。应当用铝箔袋密封。");
  });

  test("loses nothing but white space, whatever the text", () => {
    const squeeze = (text: string): string => text.replace(/\s+/g, "");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 80 }), (text, width) => {
        expect(squeeze(wrap(text, width).join(" "))).toBe(squeeze(text));
      }),
    );
  });
});

test("text from documents cannot move the cursor, colour the screen or turn its direction", () => {
  expect(visible("a\u001b[2Jb\rc\u202ed\u0007")).toBe("a\ufffd[2Jb\ufffdc\ufffdd\ufffd");
  expect(visible("ä\tb\nश")).toBe("ä\tb\nश");
});

describe("progress", () => {
  test("tells rate and time left", () => {
    expect(describeProgress(25, 100, 5)).toBe("25/100 files, 5.0/s, 0:15 left");
    expect(describeProgress(100, 100, 5)).toBe("100/100 files, 20.0/s");
    expect(formatDuration(59.6)).toBe("1:00");
    expect(formatDuration(3725)).toBe("1:02:05");
  });

  test("without a terminal it writes nothing", () => {
    const written: string[] = [];
    let time = 0;
    const write = (text: string) => void written.push(text);
    const progress = startProgress(12, { tty: false, write, now: () => (time += 1000) });
    for (let index = 0; index < 12; index++) progress.advance("x.md");
    progress.finish();
    expect(written).toEqual([]);
  });

  test.each([10, 20, 30, 40, 60, 80, 200])("on a terminal of %i columns no line is as long as it", (columns) => {
    const written: string[] = [];
    let time = 0;
    const write = (text: string) => void written.push(text);
    const progress = startProgress(12_000, { tty: true, columns: () => columns, write, now: () => (time += 100) });
    for (const name of ["a", "很长的文件名".repeat(30), "\u001b[2Jx".repeat(20)]) progress.advance(name, 4000);
    expect(written).toHaveLength(3);
    for (const line of written) expect(Bun.stringWidth(line)).toBeLessThan(columns);
  });

  test("a narrow line keeps what tells most", () => {
    const line = (width: number) => progressLine("[##--]", ["5/10 files, 1.0/s", "5/10 files"], "handbook.md", width);
    expect([60, 33, 24, 17, 10, 4].map(line)).toEqual([
      "[##--] 5/10 files, 1.0/s handbook.md",
      "[##--] 5/10 files, 1.0/s handbook",
      "[##--] 5/10 files, 1.0/s",
      "5/10 files, 1.0/s",
      "5/10 files",
      "5/10",
    ]);
  });

  test("on a terminal it draws one bar over itself and takes it away", () => {
    const written: string[] = [];
    let time = 0;
    const progress = startProgress(2, {
      tty: true,
      columns: () => 80,
      write: (text) => void written.push(text),
      now: () => (time += 100),
    });
    progress.advance("a\u001b.md");
    progress.advance("b.md");
    progress.finish();
    expect(written[0]).toStartWith("\r\u001b[2K[############------------] 1/2 files");
    expect(written[0]!.slice(5)).not.toContain("\u001b");
    expect(written.at(-1)).toBe("\r\u001b[2K");
  });
});
