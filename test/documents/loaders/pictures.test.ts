/** Text in pictures: what is recognised, where it stands, in which languages, and what is refused. */
import { afterAll, beforeEach, describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import type { LecternError } from "../../../src/foundation/errors.ts";
import { Tesseract } from "../../../src/documents/ocr/tesseract.ts";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { BEGUN, plainRecognition, type TextRecognition } from "../../../src/documents/text-recognition.ts";
import { failureOf } from "../../harness.ts";
import { FIRST_OBJECT, pdfDocument } from "../fixtures.ts";
import { expectCleanEnds } from "../mutants.ts";
import {
  bmp,
  english,
  greyOf,
  type Grey,
  codeStream,
  heldAs,
  jbig2,
  largerJp2,
  pgm,
  picture,
  pngHead,
  stacked,
  tiff,
  turnedRight,
} from "../pictures/pictures.ts";

setDefaultTimeout(300_000);

const englishGrey = greyOf(picture("english.png"));
const germanGrey = greyOf(picture("german.png"));
const white: Grey = { width: 300, height: 200, points: new Uint8Array(60_000).fill(255) };
const gap: Grey = { width: 300, height: 30, points: new Uint8Array(9_000).fill(255) };
/** As much text as the detection of orientation needs. */
const page = stacked([englishGrey, gap, germanGrey, gap, englishGrey]);

/** What is the same in all languages that may take part. */
const germanPart = "müde Gäste gehen nach Hause. Die Straße gehört den Katzen, die größer werden, je später es ist.";

const folder = mkdtempSync(join(tmpdir(), "lectern-pictures-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, "ell"));
const greekData = join(import.meta.dir, "../../../node_modules/@tesseract.js-data/ell/4.0.0_best_int");
writeFileSync(join(folder, "ell", "ell.traineddata"), gunzipSync(readFileSync(join(greekData, "ell.traineddata.gz"))));

const read = (name: string, bytes: Uint8Array, recognition: Partial<TextRecognition> = {}) =>
  readBlocks(bytes, name, null, {}, { ...plainRecognition, ...recognition });
const textOf = async (name: string, bytes: Uint8Array, recognition: Partial<TextRecognition> = {}) =>
  (await read(name, bytes, recognition)).blocks.map(({ text }) => text).join(" ");
const inLanguages = (...ocrLanguages: string[]) => ({ expected: { language: null, ocrLanguages } });

describe("the text of a picture", () => {
  const formats: readonly (readonly [name: string, bytes: Uint8Array, mimeType: string])[] = [
    ["a.png", picture("english.png"), "image/png"],
    ["a.jpg", picture("english.jpg"), "image/jpeg"],
    ["a.webp", picture("english.webp"), "image/webp"],
    ["a.jp2", picture("english.jp2"), "image/jp2"],
    ["a.j2k", codeStream(picture("english.jp2")), "image/jp2"],
    ["a.gif", picture("english.gif"), "image/gif"],
    ["a.bmp", bmp(englishGrey), "image/bmp"],
    ["a.tif", tiff([englishGrey]), "image/tiff"],
    ["a.pgm", pgm(englishGrey), "image/x-portable-anymap"],
    ["named-otherwise.txt", picture("english.png"), "image/png"],
  ];
  test.each(formats)("is recognised in %s", async (name, bytes, mimeType) => {
    const { blocks, ...document } = await read(name, bytes, inLanguages("en"));
    expect(blocks.map(({ text }) => text)).toEqual([english]);
    expect(document).toMatchObject({ loaderId: "image", mimeType });
  });

  test("is found however the picture lies", async () => {
    for (const quarters of [1, 2, 3])
      expect(await textOf("a.pgm", pgm(turnedRight(page, quarters)))).toContain(english);
  });

  test("lies as the camera was held", async () => {
    expect(await textOf("a.jpg", heldAs(picture("sideways.jpg"), 6), inLanguages("eng"))).toBe(english);
  });

  test("of many pages says on which it stands, and how far it is", async () => {
    const told: number[] = [];
    const { blocks } = await read("a.tiff", tiff([englishGrey, white, germanGrey]), {
      progress: (fraction) => void told.push(fraction),
    });
    expect(blocks.map(({ place, text }) => [place?.page, text])).toEqual([
      [1, english],
      [3, expect.stringContaining(germanPart)],
    ]);
    expect(told).toEqual([BEGUN, 1 / 3, 2 / 3, 1]);
  });
});

describe("what was found out of a page", () => {
  // The language of the file before is tried first.
  beforeEach(() => textOf("a.png", picture("english.png")));

  const cases: readonly (readonly [
    what: string,
    pages: Grey[],
    settings: Partial<TextRecognition>,
    readings: number,
    detections: number,
  ])[] = [
    // In all languages, then in its own, then each as that one.
    ["is expected of the next", [page, page, page], {}, 4, 1],
    ["is how it lies, too", [2, 2, 2].map((quarters) => turnedRight(page, quarters)), {}, 4, 1],
    ["is found out again where the next is read less surely", [page, turnedRight(page, 2)], {}, 5, 2],
    ["need not be found out of what is named", [page, page], inLanguages("eng", "deu"), 2, 0],
  ];
  test.each(cases)("%s", async (_, pages, settings, readings, detections) => {
    const recognise = spyOn(Tesseract.prototype, "recognise");
    const detect = spyOn(Tesseract.prototype, "detect");
    try {
      const text = await textOf("a.tif", tiff(pages), settings);
      expect(text.split(english.slice(0, 40))).toHaveLength(2 * pages.length + 1);
      expect(recognise).toHaveBeenCalledTimes(readings);
      expect(detect).toHaveBeenCalledTimes(detections);
    } finally {
      recognise.mockRestore();
      detect.mockRestore();
    }
  });
  test("is not asked again in the same way", async () => {
    const recognise = spyOn(Tesseract.prototype, "recognise");
    try {
      // A language that is not its own is less sure, so that every way of searching is tried.
      await textOf("a.png", picture("greek.png"), inLanguages("eng")).catch(() => {});
      const ways = recognise.mock.calls.map(([mode]) => mode);
      expect(ways).toEqual([...new Set(ways)]);
    } finally {
      recognise.mockRestore();
    }
  });
});

describe("languages", () => {
  test("built in are found out", async () => {
    expect(await textOf("a.png", picture("german.png"))).toContain(germanPart);
  });

  test("that were added are found out by their script", async () => {
    const greek = stacked([greyOf(picture("greek.png")), gap, greyOf(picture("greek.png"))]);
    expect(await textOf("a.pgm", pgm(greek), { modelsDirectory: folder })).toContain("πλοία ήξεραν");
    expect(await failureOf(read("a.pgm", pgm(greek)))).toMatchObject({ code: "NO_TEXT" });
  });

  test("that are not here are said with the model that would read them", async () => {
    const refused = await failureOf(read("a.png", picture("greek-page.png")));
    expect(refused).toMatchObject({ code: "NO_OCR_LANGUAGE", status: 400, details: { file: "a.png" } });
    expect((refused as LecternError).message).toContain("lectern model add ell.traineddata");
  });

  test("that are not here are said without a reading in others, also where their writing is much like others", async () => {
    const recognise = spyOn(Tesseract.prototype, "recognise");
    try {
      const refused = await failureOf(read("a.png", picture("chinese.png")));
      expect((refused as LecternError).message).toContain("lectern model add chi_sim.traineddata");
      expect(recognise).not.toHaveBeenCalled();
    } finally {
      recognise.mockRestore();
    }
  });

  const named: readonly (readonly [given: Partial<TextRecognition>, missing: string | null])[] = [
    [inLanguages("de-AT"), null],
    [inLanguages("deu", "en"), null],
    [{ ocrLanguages: ["deu"] }, null],
    [{ expected: { language: "de", ocrLanguages: [] } }, null],
    [{ expected: { language: "sw", ocrLanguages: [] } }, null],
    [inLanguages("ja"), "Japanese (jpn)"],
    [inLanguages("zh-TW"), "Chinese (traditional) (chi_tra)"],
    [inLanguages("../../secret"), "../../secret"],
    [{ ocrLanguages: ["rus"] }, "Russian (rus)"],
  ];
  test.each(named)("named as %j", async (given, missing) => {
    const reading = textOf("a.png", picture("german.png"), given);
    if (missing === null) expect(await reading).toContain(germanPart);
    else {
      const error = (await failureOf(reading)) as LecternError;
      expect(error.code).toBe("NO_OCR_LANGUAGE");
      expect(error.message).toContain(`in ${missing}`);
    }
  });
});

describe("a picture that cannot be read as it is", () => {
  const refused: readonly (readonly [what: string, name: string, bytes: Uint8Array, code: string, said: string])[] = [
    ["nothing on it", "a.pgm", pgm(white), "NO_TEXT", "holds no text"],
    ["a point", "a.png", picture("english.png").subarray(0, 0), "EMPTY_FILE", "empty"],
    ["larger than may be", "a.png", pngHead(30_000, 30_000), "UNREADABLE_FILE", "30000 x 30000 points"],
    ["a head alone", "a.png", pngHead(100, 100), "UNREADABLE_FILE", "damaged or cut off"],
    ["cut off in its head", "a.png", pngHead(100, 100).subarray(0, 20), "UNREADABLE_FILE", "damaged or cut off"],
    ["a JPEG without a frame", "a.jpg", picture("english.jpg").subarray(0, 30), "UNREADABLE_FILE", "damaged"],
    ["JPEG 2000 of more points", "a.jp2", largerJp2(30_000, 30_000), "UNREADABLE_FILE", "30000 x 30000 points"],
    ["JPEG 2000 cut off", "a.jp2", picture("english.jp2").subarray(0, 150), "UNREADABLE_FILE", "damaged or cut off"],
    ["a TIFF without its directory", "a.tif", tiff([englishGrey]).subarray(0, 500), "UNREADABLE_FILE", "damaged"],
  ];
  test.each(refused)("%s", async (_what, name, bytes, code, said) => {
    const error = (await failureOf(read(name, bytes))) as LecternError;
    expect(error.code).toBe(code as typeof error.code);
    expect(error.message).toContain(said);
  });

  test("of pages without end ends", async () => {
    const bytes = Buffer.from(tiff([englishGrey]));
    // Its directory is its own successor.
    bytes.writeUInt32LE(bytes.readUInt32LE(4), bytes.length - 4);
    expect(await textOf("a.tif", bytes, inLanguages("eng"))).toBe(english);
  });

  test("damaged ones are read as far as they go, or refused", async () => {
    for (const name of ["english.png", "english.jpg", "english.webp", "english.gif", "english.jp2"])
      await expectCleanEnds(name, picture(name), 6);
    await expectCleanEnds("a.tif", tiff([englishGrey, englishGrey]), 6);
  });
});

describe("pictures in what contains them", () => {
  test("are members where they hold text, and no fault where they do not", async () => {
    const archive = zipSync({
      "notes.txt": strToU8("Notes of the keeper."),
      "scan.png": picture("english.png"),
      "empty.pgm": pgm(white),
      "broken.png": picture("english.png").subarray(0, 900),
      "huge.png": pngHead(30_000, 30_000),
    });
    const { blocks } = await read("a.zip", archive, inLanguages("eng"));
    expect(blocks.map(({ place, text }) => [place?.member, text])).toEqual([
      ["notes.txt", "Notes of the keeper."],
      ["scan.png", english],
    ]);
  });
});

describe("scanned pages of a PDF", () => {
  const image = ({ width, height, points }: Grey) =>
    `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /DeviceGray /Length ${points.length} >>\nstream\n${Buffer.from(points).toString("latin1")}\nendstream`;
  const scans = (...drawn: string[]) => ({
    objects: [image(page), image(englishGrey)],
    resources: `/XObject << /Page ${FIRST_OBJECT} 0 R /Line ${FIRST_OBJECT + 1} 0 R >>`,
    drawn,
  });
  const whole = "q 612 0 0 684 0 50 cm /Page Do Q";
  const said = [
    { x: 72, y: 700, size: 11, text: "The second page has letters, and needs nobody to recognise them at all." },
  ];

  test("are read in their place between others", async () => {
    const told: number[] = [];
    const { blocks } = await read("a.pdf", pdfDocument([[], said, []], scans(whole, "", whole)), {
      progress: (fraction) => void told.push(fraction),
    });
    const pages = blocks.map(({ place }) => place?.page);
    expect(pages).toEqual(pages.toSorted());
    expect([...new Set(pages)]).toEqual([1, 2, 3]);
    expect(
      blocks
        .filter(({ place }) => place?.page !== 2)
        .map(({ text }) => text)
        .join(" "),
    ).toContain(english);
    expect(told).toEqual([BEGUN, 1 / 3, 2 / 3, 1]);
  });

  const { width, height } = englishGrey;
  const packed: readonly (readonly [how: string, filter: string, data: Uint8Array])[] = [
    ["JPEG 2000", "/Filter /JPXDecode", picture("english.jp2")],
    ["JPEG 2000 without a head", "/Filter /JPXDecode", codeStream(picture("english.jp2"))],
    ["JBIG2", "/Filter /JBIG2Decode", jbig2(picture("english.g4"), englishGrey)],
    ["the code of fax", `/Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns ${width} >>`, picture("english.g4")],
  ];
  test.each(packed)("that are packed in %s", async (_how, filter, data) => {
    const space = filter.includes("JPX") ? "" : "/BitsPerComponent 1 /ColorSpace /DeviceGray";
    const head = `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${space} ${filter} /Length ${data.length} >>`;
    const drawn = [0, 1].map((row) => `q 612 0 0 114 0 ${620 - row * 240} cm /Line Do Q`).join(" ");
    const parts = {
      objects: [`${head}\nstream\n${Buffer.from(data).toString("latin1")}\nendstream`],
      resources: `/XObject << /Line ${FIRST_OBJECT} 0 R >>`,
      drawn: [drawn],
    };
    expect(await textOf("a.pdf", pdfDocument([[]], parts), inLanguages("eng"))).toBe(`${english} ${english}`);
  });

  const laid: readonly (readonly [how: string, drawn: string])[] = [
    ["in strips", [0, 1].map((row) => `q 612 0 0 114 0 ${620 - row * 240} cm /Line Do Q`).join(" ")],
    ["upside down", "q -612 0 0 -684 612 734 cm /Page Do Q"],
    ["on its side", "q 0 612 -612 0 612 50 cm /Page Do Q"],
  ];
  test.each(laid)("that lie %s", async (_how, drawn) => {
    expect(await textOf("a.pdf", pdfDocument([[]], scans(drawn)))).toContain(
      "out at sea knew then where the harbour was",
    );
  });

  test("small pictures beside a few words are no scan", async () => {
    const drawn = "q 60 0 0 12 0 0 cm /Line Do Q";
    const words = [{ x: 72, y: 700, size: 11, text: "Few words." }];
    expect(await textOf("a.pdf", pdfDocument([words], scans(drawn)))).toBe("Few words.");
  });
});
