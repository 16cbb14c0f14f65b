/** Text drawn on pages as a scanner would see it, a PDF of them, and how much of the text is found again. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ocrLanguages } from "../../src/documents/ocr/languages.ts";
import { FIRST_OBJECT, pdfDocument } from "../../test/documents/fixtures.ts";

export interface Page {
  readonly text: string;
  readonly png: Uint8Array<ArrayBuffer>;
}

/** Points to an inch, and how wide lines are, in 72nds of one. */
const RESOLUTION = 200;
const LINE_WIDTH = 468;
const MARGIN = 72;
const FONTS = ["Serif 11", "Sans 10", "Serif 12"];
/** Characters of a page, of which those of Chinese and Japanese are twice as wide. */
const PAGE_CHARACTERS = 2300;
const WIDE_PAGE_CHARACTERS = 900;
/** A shorter end of a text is no page. */
const LEAST_CHARACTERS = 300;

/** Languages whose letters are drawn otherwise elsewhere, as Pango knows them. */
const TAGS: Readonly<Record<string, string>> = { jpn: "ja", chi_sim: "zh-cn", chi_tra: "zh-tw", kor: "ko" };
const isWide = (code: string): boolean => ["jpn", "chi_sim", "chi_tra"].includes(code);
/** Without blanks between words, pairs of letters stand for words. */
const isUnspaced = (code: string): boolean => isWide(code) || ["tha", "lao", "khm", "mya"].includes(code);

/** Whether a font of this machine has the letters of a language: others are drawn as boxes with numbers in them. */
export function canDraw(code: string): boolean {
  const tag = TAGS[code] ?? ocrLanguages.find((language) => language.code === code)?.tag ?? code;
  const { success, stdout } = Bun.spawnSync(["fc-list", `:lang=${tag}`, "family"]);
  return success && stdout.length > 0;
}

/** Paragraphs, which blank lines part, on as many pages as they fill; a long one is cut. */
export function drawPages(folder: string, code: string, text: string): Page[] {
  const most = isWide(code) ? WIDE_PAGE_CHARACTERS : PAGE_CHARACTERS;
  const texts = [""];
  for (const paragraph of text.split(/\n\s*\n/).map((one) => one.trim().slice(0, most))) {
    if (texts.at(-1)!.length + paragraph.length > most) texts.push("");
    texts[texts.length - 1] += `${paragraph}\n\n`;
  }
  const full = texts.filter(({ length }) => length >= Math.min(LEAST_CHARACTERS, most));
  return full.map((one, at) => ({ text: one, png: draw(folder, code, one, FONTS[at % FONTS.length]!) }));
}

function draw(folder: string, code: string, text: string, font: string): Uint8Array<ArrayBuffer> {
  const [source, picture] = [join(folder, "page.txt"), join(folder, "page.png")];
  writeFileSync(source, text);
  const language = TAGS[code] === undefined ? [] : [`--language=${TAGS[code]}`];
  const layout = [`--dpi=${RESOLUTION}`, `--font=${font}`, `--width=${LINE_WIDTH}`, `--margin=${MARGIN}`];
  const command = [
    "pango-view",
    "--no-display",
    "-q",
    "--wrap=word-char",
    ...layout,
    ...language,
    "-o",
    picture,
    source,
  ];
  const { success, stderr } = Bun.spawnSync(command, { stderr: "pipe" });
  if (!success) throw new Error(`pango-view draws no page: ${stderr}`);
  return new Uint8Array(readFileSync(picture));
}

/** Each page one image over all of it. */
export function scannedDocument(pages: readonly Page[]): Uint8Array<ArrayBuffer> {
  const names = pages.map((_, at) => `/Scan${at} ${FIRST_OBJECT + at} 0 R`);
  const drawn = pages.map((_, at) => `q 612 0 0 612 0 90 cm /Scan${at} Do Q`);
  const parts = { objects: pages.map(({ png }) => image(png)), resources: `/XObject << ${names.join(" ")} >>`, drawn };
  return new Uint8Array(
    pdfDocument(
      pages.map(() => []),
      parts,
    ),
  );
}

/** The data of a PNG is what a PDF packs an image as. */
function image(png: Uint8Array): string {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const colours = png[25] === 0 ? 1 : 3;
  if (png[24] !== 8 || (png[25] !== 0 && png[25] !== 2)) throw new Error("pango-view drew no picture of eight bits");
  const packed: Uint8Array[] = [];
  for (let at = 8; at < png.length; at += 12 + view.getUint32(at))
    if (view.getUint32(at + 4) === IMAGE_DATA) packed.push(png.subarray(at + 8, at + 8 + view.getUint32(at)));
  const data = Buffer.concat(packed).toString("latin1");
  const predicted = `/DecodeParms << /Predictor 15 /Colors ${colours} /BitsPerComponent 8 /Columns ${width} >>`;
  const space = colours === 1 ? "/DeviceGray" : "/DeviceRGB";
  return `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace ${space} /Filter /FlateDecode ${predicted} /Length ${data.length} >>\nstream\n${data}\nendstream`;
}

/** "IDAT". */
const IMAGE_DATA = 0x49444154;

/** The share of the text's words, as often as they stand in it, that were read; of pairs of letters where words have no blanks between them. */
export function shareFound(text: string, read: string, code: string): number {
  const left = new Map<string, number>();
  for (const part of partsOf(read, code)) left.set(part, (left.get(part) ?? 0) + 1);
  const wanted = partsOf(text, code);
  let found = 0;
  for (const part of wanted) {
    const count = left.get(part) ?? 0;
    if (count > 0) found += 1;
    left.set(part, count - 1);
  }
  return found / Math.max(wanted.length, 1);
}

function partsOf(text: string, code: string): readonly string[] {
  const words =
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (!isUnspaced(code)) return words;
  const letters = [...words.join("")];
  return letters.map((letter, at) => letter + (letters[at + 1] ?? ""));
}
