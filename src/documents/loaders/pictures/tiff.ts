/** The pages of a TIFF: how large each is, and each as a TIFF of its own. */
import { type PictureSize, viewOf } from "./picture-size.ts";

const WIDTH = 256;
const HEIGHT = 257;
const ENTRY_BYTES = 12;
const SHORT = 3;
const LONG = 4;
const LITTLE = 0x4949;

export interface TiffPage extends PictureSize {
  /** Where its directory lies. */
  readonly offset: number;
}

interface Directory {
  /** First values of the tags that are whole numbers. */
  readonly tags: ReadonlyMap<number, number>;
  /** Where the pointer to the next directory lies. */
  readonly end: number;
}

/** A directory of a TIFF, or of EXIF's notes. Throws RangeError where it is cut off. */
export function tagsOf(bytes: Uint8Array, offset: number): Directory {
  const view = viewOf(bytes);
  const little = view.getUint16(0) === LITTLE;
  const count = view.getUint16(offset, little);
  const tags = new Map<number, number>();
  for (let index = 0; index < count; index += 1) {
    const at = offset + 2 + index * ENTRY_BYTES;
    const type = view.getUint16(at + 2, little);
    if (type === SHORT) tags.set(view.getUint16(at, little), view.getUint16(at + 8, little));
    else if (type === LONG) tags.set(view.getUint16(at, little), view.getUint32(at + 8, little));
  }
  return { tags, end: offset + 2 + count * ENTRY_BYTES };
}

/** At most `most` pages, in order; a chain of directories that comes back to one of them ends there. Throws RangeError where one is cut off. */
export function tiffPages(bytes: Uint8Array, most: number): TiffPage[] {
  const view = viewOf(bytes);
  const little = view.getUint16(0) === LITTLE;
  const pages = new Map<number, TiffPage>();
  let offset = view.getUint32(4, little);
  while (offset !== 0 && !pages.has(offset) && pages.size < most) {
    const { tags, end } = tagsOf(bytes, offset);
    pages.set(offset, { offset, width: tags.get(WIDTH) ?? 0, height: tags.get(HEIGHT) ?? 0 });
    offset = end + 4 <= bytes.length ? view.getUint32(end, little) : 0;
  }
  return [...pages.values()];
}

/** The TIFF so that the page is its first. It is changed in place: two pages' are never in use at once. */
export function withFirstPage(tiff: Uint8Array, { offset }: TiffPage): Uint8Array {
  const view = viewOf(tiff);
  view.setUint32(4, offset, view.getUint16(0) === LITTLE);
  return tiff;
}
