/** A Tesseract of the machine's own in the place of the one built in: the real one where there is one, and programs that fail. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OcrProgram } from "../../../src/documents/ocr/program.ts";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { plainRecognition, type TextRecognition } from "../../../src/documents/text-recognition.ts";
import { failureOf } from "../../harness.ts";
import { program, testWith } from "../../requirements.ts";
import { english, greyOf, type Grey, pgm, picture, stacked, tiff, turnedRight } from "../pictures/pictures.ts";

setDefaultTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), "lectern-ocr-program-"));
afterAll(() => rmSync(folder, { recursive: true }));

const VERSION = "echo tesseract 5.3.0";
const LIST = `echo 'List of available languages in "/data/" (4):'; echo eng; echo ell; echo osd; echo script/Latin`;
/** The words of a page as Tesseract prints them, and before them lines that are no words. */
const ROWS = [
  "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext",
  "1\t1\t0\t0\t0\t0\t0\t0\t600\t100\t-1\t",
  "5\t1\t1\t1\t1\t1\t10\t10\t80\t20\t96.5\tFrom",
  "5\t1\t1\t1\t1\t2\t100\t10\t80\t20\t91\telsewhere",
].join("\\n");

let made = 0;
/** A program in the place of Tesseract: what it does when it is asked for its version, its languages, and to read what it is given. */
function fake(reads: string, version = VERSION, list = LIST): string {
  const path = join(folder, `fake-${(made += 1)}`);
  const script = `#!/bin/sh\ncase "$1" in\n--version) ${version} ;;\n--list-langs) ${list} ;;\n*) ${reads} ;;\nesac\n`;
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}

async function read(
  name: string,
  bytes: Uint8Array,
  ocrProgram: TextRecognition["ocrProgram"],
  ...ocrLanguages: string[]
): Promise<{ text: string; troubles: string[] }> {
  const troubles: string[] = [];
  const expected = { language: null, ocrLanguages };
  const trouble = (sentence: string) => void troubles.push(sentence);
  const { blocks } = await readBlocks(bytes, name, null, {}, { ...plainRecognition, ocrProgram, expected, trouble });
  return { text: blocks.map(({ text }) => text).join(" "), troubles };
}

const englishGrey = greyOf(picture("english.png"));
const gap: Grey = { width: 300, height: 30, points: new Uint8Array(9_000).fill(255) };
const page = stacked([englishGrey, gap, greyOf(picture("german.png")), gap, englishGrey]);

describe("a tesseract of the machine's", () => {
  const real = { program: "tesseract", seconds: 60 };

  testWith(program("tesseract"))("says what it is", async () => {
    const { version, languages } = await OcrProgram.open(real);
    expect(version).toMatch(/^\d+\.\d+/);
    expect(languages).toContain("eng");
    expect(languages).not.toContain("osd");
  });

  testWith(program("tesseract"))("reads pictures of every format, however they lie", async () => {
    for (const [name, bytes] of [
      ["a.png", picture("english.png")],
      ["a.jpg", picture("english.jpg")],
      ["a.webp", picture("english.webp")],
    ] as const)
      expect(await read(name, bytes, real, "eng")).toEqual({ text: english, troubles: [] });
    for (const quarters of [1, 2, 3])
      expect((await read("a.pgm", pgm(turnedRight(page, quarters)), real)).text).toContain(english);
  });

  testWith(program("tesseract"))("reads pages whose lines slope", async () => {
    const { width, height, points } = page;
    const sloping = { width, height: height + 40, points: new Uint8Array(width * (height + 40)).fill(255) };
    for (const [at, point] of points.entries()) sloping.points[at + width * Math.round((at % width) * 0.06)] = point;
    expect((await read("a.pgm", pgm(sloping), real, "eng", "deu")).text).toContain(english);
  });

  testWith(program("tesseract"))("reads page after page", async () => {
    const { text } = await read("a.tif", tiff([page, page]), real);
    expect(text.split(english)).toHaveLength(5);
  });
});

describe("a program", () => {
  test("is given a picture through a pipe, and is told the languages and how to read", async () => {
    const says = `read -r first; echo "$@" "$first" "$OMP_THREAD_LIMIT" "$HOME" >&2; exit 1`;
    const { troubles } = await read("a.jpg", picture("english.jpg"), { program: fake(says), seconds: 20 }, "eng");
    expect(troubles).toEqual([
      expect.stringMatching(/stdin stdout -l eng --psm 3 -c tessedit_create_tsv=1 \S?PNG\S* 1$/),
    ]);
  });

  test("is believed", async () => {
    const reads = fake(`cat > /dev/null; printf '${ROWS}\\n'`);
    const { text, troubles } = await read("a.png", picture("english.png"), { program: reads, seconds: 20 }, "eng");
    expect([text, troubles]).toEqual(["From elsewhere", []]);
  });

  test("is asked for the languages that it alone has, and for no others", async () => {
    const settings = { program: fake(`cat > /dev/null; printf '${ROWS}\\n'`), seconds: 20 };
    expect((await read("a.png", picture("greek.png"), settings, "el")).text).toBe("From elsewhere");
    expect((await read("a.png", picture("german.png"), settings, "deu")).text).toContain("Straße");
    expect((await read("a.png", picture("english.png"), settings, "deu", "eng")).text).not.toBe("From elsewhere");
    expect(await failureOf(read("a.png", picture("english.png"), settings, "jpn"))).toMatchObject({
      code: "NO_OCR_LANGUAGE",
    });
  });

  const failing: readonly (readonly [what: string, reads: string, said: RegExp])[] = [
    ["hangs", "exec sleep 1000", /it took longer than 1 s/],
    ["hangs behind a shell", "sleep 10", /it took longer than 1 s/],
    ["never ends to compute", "while :; do :; done", /it (took longer than 1 s|ended with)/],
    ["fails", "echo Error opening data file >&2; exit 1", /it ended with exit code 1: Error opening data file/],
    ["breaks", "kill -SEGV $$", /it ended with signal SIGSEGV/],
    ["prints nothing", "exit 0", /what it prints is no table of words/],
    ["prints something else", "cat > /dev/null; echo Hello; echo world", /what it prints is no table of words/],
    ["prints half a table", `cat > /dev/null; printf '${ROWS}\\n5\\t1\\t'`, /what it prints is no table of words/],
    ["prints without end", "exec yes", /it (prints more than any page holds|took longer than 1 s)/],
    ["writes a file", `echo more > ${folder}/written; exit 0`, /it ended with|no table of words/],
  ];
  test.each(failing)("that %s is told of, and the built-in one reads", async (_what, reads, said) => {
    const settings = { program: fake(reads), seconds: 1 };
    const { text, troubles } = await read("a.tif", tiff([englishGrey, englishGrey]), settings, "eng");
    expect(text).toBe(`${english} ${english}`);
    // With the rest of the file it is not tried again.
    expect(troubles).toEqual([expect.stringMatching(said)]);
    expect(troubles[0]).toContain(`A scan is read by the built-in recognition, since ${settings.program} failed: `);
  });

  test("that fails with file after file is not used any more", async () => {
    const settings = { program: fake("exit 1"), seconds: 20 };
    const troubles: number[] = [];
    for (let file = 0; file < 5; file += 1)
      troubles.push((await read("a.png", picture("english.png"), settings, "eng")).troubles.length);
    expect(troubles).toEqual([1, 1, 1, 0, 0]);
  });

  test("that fails in a language of its own leaves the file unread, which says why", async () => {
    const settings = { program: fake("exit 1"), seconds: 20 };
    const failure = await failureOf(read("a.png", picture("greek.png"), settings, "ell"));
    expect(failure).toMatchObject({ code: "UNREADABLE_FILE" });
    expect((failure as Error).message).toContain(
      "the program that reads its language on this server failed: it ended with exit code 1",
    );
  });

  const unusable: readonly (readonly [what: string, program: () => string, said: string])[] = [
    ["that is not there", () => join(folder, "nowhere"), "there is no such program"],
    ["that is none", () => fake("", "echo GNU coreutils"), "it is no Tesseract"],
    ["that is too old", () => fake("", "echo tesseract 3.05.01"), "its version is 3.05.01, and 4 is the oldest"],
    ["without languages", () => fake("", VERSION, "echo osd"), "it has no data of any language"],
    ["that does not say what it is", () => fake("", "exit 3"), "it ended with exit code 3"],
    ["that never says what it is", () => fake("", "exec sleep 1000"), "it took longer than 2 s"],
  ];
  test.each(unusable)("%s is told of, once, and the built-in one reads", async (_what, make, said) => {
    const settings = { program: make(), seconds: 2 };
    const { text, troubles } = await read("a.png", picture("english.png"), settings, "eng");
    expect(text).toBe(english);
    expect(troubles).toEqual([expect.stringContaining(said)]);
    expect((await read("a.png", picture("english.png"), settings, "eng")).troubles).toEqual([]);
    expect(((await failureOf(OcrProgram.open(settings))) as Error).message).toContain(said);
  });
});
