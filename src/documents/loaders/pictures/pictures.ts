/** Pictures and scans: PNG, JPEG, JPEG 2000, TIFF of many pages, WebP, BMP, GIF (its first frame) and PNM. Their text is recognised. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { TextRecogniser } from "../../ocr/recogniser.ts";
import { LecternError } from "../../../foundation/errors.ts";
import type { Format, Loader, Recognition } from "../loader.ts";
import { orientationOf } from "./exif.ts";
import { decodedJpeg2000 } from "./jpeg-2000.ts";
import { type PictureSize, sizeReaders } from "./picture-size.ts";
import { tiffPages, withFirstPage } from "./tiff.ts";

interface PictureFormat extends Format {
  /** How it is told by its first bytes, as Latin-1. */
  readonly begins: RegExp;
  /** A TIFF says of each page how large it is. */
  readonly size: ((bytes: Uint8Array) => PictureSize | null) | null;
  /** Makes a picture of it that Leptonica decodes, where it cannot decode the file itself. */
  readonly decoded?: (content: Content, size: PictureSize) => Promise<Uint8Array>;
}

const formats: readonly [PictureFormat, ...PictureFormat[]] = [
  { mimeType: "image/png", extensions: ["png"], begins: /^\x89PNG\r\n\x1a\n/, size: sizeReaders.png },
  { mimeType: "image/jpeg", extensions: ["jpg", "jpeg", "jpe"], begins: /^\xff\xd8\xff/, size: sizeReaders.jpeg },
  {
    mimeType: "image/jp2",
    extensions: ["jp2", "jpx", "jpf", "j2k", "j2c", "jpc"],
    begins: /^(?:\0\0\0\x0cjP \x20\r\n\x87\n|\xff\x4f\xff\x51)/,
    size: sizeReaders.jpeg2000,
    decoded: decodedJpeg2000,
  },
  { mimeType: "image/tiff", extensions: ["tif", "tiff"], begins: /^(?:II\*\0|MM\0\*)/, size: null },
  { mimeType: "image/webp", extensions: ["webp"], begins: /^RIFF[^]{4}WEBP/, size: sizeReaders.webp },
  { mimeType: "image/gif", extensions: ["gif"], begins: /^GIF8[79]a/, size: sizeReaders.gif },
  {
    mimeType: "image/bmp",
    extensions: ["bmp"],
    begins: /^BM[^]{4}\0{4}[^]{4}[\x0c\x28\x6c\x7c]\0\0\0/,
    size: sizeReaders.bmp,
  },
  {
    mimeType: "image/x-portable-anymap",
    extensions: ["pnm", "pgm", "ppm", "pbm"],
    begins: /^P[4-6]\s(?:#[^\n]*\n\s*)*\d{1,9}\s+\d{1,9}\s/,
    size: sizeReaders.pnm,
  },
];

/** Bytes by which the formats are told. */
const HEAD_BYTES = 64;
/** Smaller ones, in points of either side, hold no text that could be read: icons, lines, points that count readers. */
const LEAST_SIDE = 12;

export const picturesLoader: Loader = { id: "image", formats, recognise, load };

function recognise(content: Content): Recognition | null {
  const format = formatOf(content);
  if (format === undefined) return null;
  // Few letters, with which a text may begin as well.
  return { certainty: format.extensions.includes("pnm") ? "possible" : "certain", format };
}

function formatOf({ bytes }: Content): PictureFormat | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, HEAD_BYTES));
  return formats.find(({ begins }) => begins.test(head));
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  if (content.budget.pictures >= content.limits.maxPictures) throw content.refused("NO_TEXT");
  try {
    await readPicture(content, blocks);
  } catch (error) {
    if (content.memberPath === null) throw error instanceof LecternError ? error : undecodable(content, error);
    // What contains it is read for its documents: a picture that cannot be read is no fault of it.
    if (error instanceof LecternError && content.budget.isSpent) throw error;
    throw content.refused("NO_TEXT");
  }
}

async function readPicture(content: Content, blocks: BlockCollector): Promise<void> {
  const { size, decoded } = formatOf(content) ?? { size: null };
  if (size === null) return readTiff(content, blocks);
  const found = size(content.bytes);
  if (found === null) throw new RangeError("the head says no size");
  if (!isLegible(content, found)) return;
  const recogniser = await TextRecogniser.for(content);
  const picture = decoded === undefined ? content.bytes : await decoded(content, found);
  const { paragraphs } = await recogniser.read(picture, orientationOf(content.bytes));
  for (const text of paragraphs) blocks.add("paragraph", text);
  toldOfPicture(content, 1, 1);
}

async function readTiff(content: Content, blocks: BlockCollector): Promise<void> {
  const pages = tiffPages(content.bytes, content.limits.maxPages + 1);
  if (pages.length > content.limits.maxPages)
    throw content.unreadable(`it has more than ${content.limits.maxPages} pages`);
  // All are looked at before the first is read, so that nobody waits for what is refused in the end.
  const legible = pages.filter((page) => isLegible(content, page));
  if (legible.length === 0) return;
  const recogniser = await TextRecogniser.for(content);
  const bytes = new Uint8Array(content.bytes);
  for (const [index, page] of pages.entries()) {
    if (!legible.includes(page)) continue;
    const { paragraphs } = await recogniser.read(withFirstPage(bytes, page));
    if (pages.length > 1) blocks.at({ page: index + 1 });
    for (const text of paragraphs) blocks.add("paragraph", text);
    toldOfPicture(content, index + 1, pages.length);
  }
}

/** Whether text could be read in it; throws UNREADABLE_FILE when it is larger than may be. */
function isLegible(content: Content, { width, height }: PictureSize): boolean {
  const { maxPicturePoints } = content.limits;
  if (width * height > maxPicturePoints)
    throw content.unreadable(
      `it is a picture of ${width} x ${height} points, and at most ${maxPicturePoints} points are read; make it smaller`,
    );
  return Math.min(width, height) >= LEAST_SIDE;
}

/** How far the file is: the share of its pages, or as one of many members, of which nobody knows how many there are, a bit further each time. */
function toldOfPicture(content: Content, page: number, pages: number): void {
  if (content.depth === 0) content.recognition.progress(page / pages);
  else {
    content.budget.pictures += 1;
    content.recognition.progress(content.budget.pictures / (content.budget.pictures + 1));
  }
}

function undecodable(content: Content, cause: unknown): LecternError {
  return content.unreadable("the picture is damaged or cut off", cause);
}
