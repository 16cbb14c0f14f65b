/** How a camera held a picture, from the notes in it. */
import { jpegSegments, viewOf } from "./picture-size.ts";
import { tagsOf } from "./tiff.ts";

const ORIENTATION = 274;
const EXIF = "Exif\0\0";
const NOTES_MARKER = 0xe1;

/** As EXIF numbers it, from 1 to 8; 1, upright, where nothing is said. */
export function orientationOf(bytes: Uint8Array): number {
  const notes = jpegNotes(bytes) ?? webpNotes(bytes);
  if (notes === null) return 1;
  try {
    const view = viewOf(notes);
    const little = view.getUint16(0) === 0x4949;
    const orientation = tagsOf(notes, view.getUint32(4, little)).tags.get(ORIENTATION) ?? 1;
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  } catch {
    // Notes that are cut off say nothing; the picture may be whole.
    return 1;
  }
}

function jpegNotes(bytes: Uint8Array): Uint8Array | null {
  if (bytes[0] !== 0xff) return null;
  for (const { marker, start, end } of jpegSegments(bytes)) {
    const notes = bytes.subarray(start, end);
    if (marker === NOTES_MARKER && startsWith(notes, EXIF)) return notes.subarray(EXIF.length);
  }
  return null;
}

function webpNotes(bytes: Uint8Array): Uint8Array | null {
  if (!startsWith(bytes, "RIFF")) return null;
  const view = viewOf(bytes);
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at + 4, true);
    const chunk = bytes.subarray(at + 8, at + 8 + size);
    if (startsWith(bytes.subarray(at), "EXIF")) return startsWith(chunk, EXIF) ? chunk.subarray(EXIF.length) : chunk;
    at += 8 + size + (size % 2);
  }
  return null;
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return [...text].every((letter, index) => bytes[index] === letter.charCodeAt(0));
}
