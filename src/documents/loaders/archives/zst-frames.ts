/**
 * The frames of a file packed by Zstandard, as far as their ends are told by them: what unpacks them takes a frame that is cut off for one that
 * ends. Format: RFC 8878, 3.1.
 */

const MAGIC = 0xfd2fb528;
/** Frames without content, in which programs keep notes of their own; their last digit differs. */
const SKIPPABLE = 0x184d2a50;
const DICTIONARY_BYTES = [0, 1, 2, 4];
const RUN = 1;
const RESERVED = 3;

/** Whether the bytes begin with a frame that holds something, perhaps behind others that do not. */
export function isZst(bytes: Uint8Array): boolean {
  const view = viewOf(bytes);
  let at = 0;
  while (isSkippable(view, at)) at += 8 + view.getUint32(at + 4, true);
  return at + 4 <= bytes.length && view.getUint32(at, true) === MAGIC;
}

/** Throws where a frame is cut off, or something else follows the last one. */
export function checkZstFrames(bytes: Uint8Array): void {
  const view = viewOf(bytes);
  for (let at = 0; at < bytes.length; ) {
    at = isSkippable(view, at) ? at + 8 + view.getUint32(at + 4, true) : frameEnd(view, at);
    if (at > bytes.length) throw new RangeError("a frame is cut off");
  }
}

/** Throws RangeError where it is not in the bytes. */
function frameEnd(view: DataView, start: number): number {
  if (view.getUint32(start, true) !== MAGIC) throw new Error("no frame begins here");
  const descriptor = view.getUint8(start + 4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeBytes = descriptor < 0x40 ? Number(isSingleSegment) : 1 << (descriptor >> 6);
  let at = start + 5 + Number(!isSingleSegment) + DICTIONARY_BYTES[descriptor & 3]! + sizeBytes;
  for (let isLast = false; !isLast; ) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    const type = (header >> 1) & 3;
    if (type === RESERVED) throw new Error("a block is of no known kind");
    at += 3 + (type === RUN ? 1 : header >> 3);
    isLast = (header & 1) === 1;
  }
  return at + ((descriptor & 4) === 0 ? 0 : 4);
}

function isSkippable(view: DataView, at: number): boolean {
  return at + 8 <= view.byteLength && (view.getUint32(at, true) & ~0xf) >>> 0 === SKIPPABLE;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
