/** The RTF that Outlook keeps packed in its messages (MS-OXRTFCP). */

const HEADER_BYTES = 16;
const PACKED = 0x75465a4c;
const STORED = 0x414c454d;
const WINDOW = 4096;
/** Two bytes stand for 17 at most. */
const MOST_GROWTH = 9;
/** What the window holds at the beginning: words that most documents begin with. */
const FIRST_WORDS =
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

/**
 * The RTF; null when the bytes are not packed so. What is cut off ends early. At most nine times as much comes out
 * as goes in, and at most `most` bytes.
 */
export function unpackedRtf(bytes: Uint8Array, most = Infinity): Uint8Array | null {
  if (bytes.length < HEADER_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = view.getUint32(4, true);
  const kind = view.getUint32(8, true);
  if (kind === STORED) return bytes.subarray(HEADER_BYTES, HEADER_BYTES + size);
  return kind === PACKED ? unpacked(bytes, Math.min(size, most, bytes.length * MOST_GROWTH)) : null;
}

function unpacked(bytes: Uint8Array, size: number): Uint8Array {
  const window = new Uint8Array(WINDOW);
  window.set(Buffer.from(FIRST_WORDS, "latin1"));
  let write = FIRST_WORDS.length;
  const out = new Uint8Array(size);
  let length = 0;
  const put = (byte: number): void => {
    out[length] = byte;
    length += 1;
    window[write] = byte;
    write = (write + 1) % WINDOW;
  };
  for (let at = HEADER_BYTES; at < bytes.length && length < size; ) {
    const flags = bytes[at]!;
    at += 1;
    for (let bit = 0; bit < 8 && at < bytes.length; bit += 1) {
      if ((flags & (1 << bit)) === 0) {
        put(bytes[at]!);
        at += 1;
        continue;
      }
      const reference = (bytes[at]! << 8) | (bytes[at + 1] ?? 0);
      at += 2;
      let read = reference >> 4;
      if (read === write) return out.subarray(0, length);
      for (let left = (reference & 0xf) + 2; left > 0; left -= 1) {
        put(window[read]!);
        read = (read + 1) % WINDOW;
      }
    }
  }
  return out.subarray(0, length);
}
