/** The images of a page, laid as they lie there → one grey picture of the page, in the form that Netpbm calls PGM. */
import { combined, inverse, type Matrix } from "./matrix.ts";
import { type DecodedImage, greyOf, type PlacedImage } from "./placed-images.ts";

/** Points of the picture to one of the page, of which there are 72 to an inch: finer makes letters no clearer. */
const FINEST = 300 / 72;
/** Letters of coarser images are too small to be found; their points are taken several times. */
const COARSEST = 100 / 72;
/** Points of the picture. */
const MOST_POINTS = 20_000_000;
const WHITE = 255;
const BIT = 1;
const COLOURS = 2;

/** What of the page is seen, in its own units, and how it lies. */
export interface View {
  readonly width: number;
  readonly height: number;
  /** From the page to what is seen, from above to below. */
  readonly matrix: Matrix;
}

export function pagePicture(images: readonly PlacedImage[], view: View): Uint8Array {
  const scale = scaleFor(images, view);
  const width = Math.max(1, Math.round(view.width * scale));
  const height = Math.max(1, Math.round(view.height * scale));
  const head = new TextEncoder().encode(`P5\n${width} ${height}\n${WHITE}\n`);
  const picture = new Uint8Array(head.length + width * height).fill(WHITE);
  picture.set(head);
  const grey = picture.subarray(head.length);
  for (const placed of images)
    paint(placed, combined([scale, 0, 0, scale, 0, 0], combined(view.matrix, placed.matrix)), grey, width, height);
  return picture;
}

/** The share of what is seen that the images cover at most, from 0 to 1. */
export function coverage(images: readonly PlacedImage[], { width, height }: View): number {
  const covered = images.reduce((sum, { matrix: [a, b, c, d] }) => sum + Math.abs(a * d - b * c), 0);
  return Math.min(1, covered / Math.max(width * height, 1));
}

/** That of the finest image. */
function scaleFor(images: readonly PlacedImage[], { width, height }: View): number {
  const scales = images.map(({ image, matrix: [a, b] }) => image.width / Math.max(Math.hypot(a, b), 0.01));
  const finest = Math.max(...scales, 0.01);
  const wanted = finest < COARSEST ? finest * Math.ceil(COARSEST / finest) : Math.min(finest, FINEST);
  return Math.min(wanted, Math.sqrt(MOST_POINTS / Math.max(width * height, 1)));
}

/** `matrix`: from the unit square to the picture. */
function paint({ image, shade }: PlacedImage, matrix: Matrix, grey: Uint8Array, width: number, height: number): void {
  const back = inverse(matrix);
  if (back === null) return;
  const [a, b, c, d, e, f] = matrix;
  const left = Math.max(0, Math.floor(e + Math.min(0, a) + Math.min(0, c)));
  const right = Math.min(width, Math.ceil(e + Math.max(0, a) + Math.max(0, c)));
  const top = Math.max(0, Math.floor(f + Math.min(0, b) + Math.min(0, d)));
  const bottom = Math.min(height, Math.ceil(f + Math.max(0, b) + Math.max(0, d)));
  // Of a finer image so many points beside one another make one.
  const across = Math.max(1, Math.floor(image.width * Math.hypot(back[0], back[2])));
  const down = Math.max(1, Math.floor(image.height * Math.hypot(back[1], back[3])));
  const pointOf = shade === null ? pointReader(image) : maskReader(image, shade);
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const u = back[0] * (x + 0.5) + back[2] * (y + 0.5) + back[4];
      const v = back[1] * (x + 0.5) + back[3] * (y + 0.5) + back[5];
      if (u < 0 || u >= 1 || v < 0 || v >= 1) continue;
      const column = Math.floor(u * image.width);
      const row = Math.floor((1 - v) * image.height);
      const at = y * width + x;
      grey[at] = averageAround(pointOf, image, column, row, across, down, grey[at] ?? WHITE);
    }
  }
}

/** The grey of a point of an image that is drawn over another. */
type PointReader = (column: number, row: number, below: number) => number;

function averageAround(
  pointOf: PointReader,
  image: DecodedImage,
  column: number,
  row: number,
  across: number,
  down: number,
  below: number,
): number {
  if (across === 1 && down === 1) return pointOf(column, Math.min(row, image.height - 1), below);
  const firstColumn = Math.max(0, Math.min(column - (across >> 1), image.width - across));
  const firstRow = Math.max(0, Math.min(row - (down >> 1), image.height - down));
  let sum = 0;
  for (let dy = 0; dy < down; dy += 1)
    for (let dx = 0; dx < across; dx += 1) sum += pointOf(firstColumn + dx, firstRow + dy, below);
  return sum / (across * down);
}

function pointReader({ kind, data, width }: DecodedImage): PointReader {
  if (kind === BIT) return (column, row) => (bitAt(data, width, column, row) === 0 ? 0 : WHITE);
  const channels = kind === COLOURS ? 3 : 4;
  return (column, row, below) => {
    const at = (row * width + column) * channels;
    const own = greyOf(data[at] ?? WHITE, data[at + 1] ?? WHITE, data[at + 2] ?? WHITE);
    const opacity = channels === 4 ? (data[at + 3] ?? WHITE) : WHITE;
    return (own * opacity + below * (WHITE - opacity)) / WHITE;
  };
}

function maskReader({ data, width }: DecodedImage, shade: number): PointReader {
  return (column, row, below) => (bitAt(data, width, column, row) === 0 ? shade : below);
}

function bitAt(data: Uint8Array | Uint8ClampedArray, width: number, column: number, row: number): number {
  return ((data[row * ((width + 7) >> 3) + (column >> 3)] ?? WHITE) >> (7 - (column & 7))) & 1;
}
