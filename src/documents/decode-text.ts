/** Bytes → text in whatever encoding they are, or the verdict that they are not text at all. */
import { isUtf8 } from "node:buffer";
import { guessEncodings } from "./guess-encoding.ts";
import { unmarkedUnicode } from "./unmarked-unicode.ts";

export interface DecodedText {
  text: string;
  /** The name of the encoding, lower case, e.g. "utf-8", "shift_jis". */
  encoding: string;
  /** True when a byte order mark or valid UTF-8 leaves no doubt, false when the encoding is a guess. */
  sure: boolean;
}

/** Share of control characters that text in UTF-8 may hold; binary files that happen to be valid UTF-8 hold more. */
const MOST_CONTROLS_UTF8 = 0.1;
/** The same for other encodings, where nearly any bytes are valid. */
const MOST_CONTROLS_LEGACY = 0.005;
/** Share of undecodable bytes among the non-ASCII ones up to which a file is damaged UTF-8 and not another encoding. */
const MOST_DAMAGE = 0.02;
/** The same of a part of the file, in which all its damage may lie. */
const MOST_DAMAGE_OF_SAMPLE = 0.5;
/** Bytes shown to the statistical detection. */
const DETECTION_BYTES = 64 * 1024;

/** The sequences that switch to Japanese in seven-bit mail; each ends with a switch back. */
const ISO_2022_JP = /\x1b\$[@B][^\x1b]{2,}\x1b\([BJ]/;

/** Byte order marks, longest first. */
const MARKS: ReadonlyArray<readonly [string, readonly number[]]> = [
  ["utf-32le", [0xff, 0xfe, 0, 0]],
  ["utf-32be", [0, 0, 0xfe, 0xff]],
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** The text of a file without its byte order mark; null for binary data. */
export async function decodeText(bytes: Uint8Array): Promise<DecodedText | null> {
  const mark = MARKS.find(([, magic]) => magic.every((byte, index) => bytes[index] === byte));
  if (mark !== undefined) {
    const [encoding, magic] = mark;
    const text = await decodeAs(bytes.subarray(magic.length), encoding);
    return text !== null && controlShare(text) <= MOST_CONTROLS_UTF8 ? { text, encoding, sure: true } : null;
  }
  const utf8 = decodeUtf8(bytes);
  if (utf8?.sure && ISO_2022_JP.test(utf8.text))
    return { text: new TextDecoder("iso-2022-jp").decode(bytes), encoding: "iso-2022-jp", sure: false };
  if (utf8?.sure) return utf8;
  const unicode = unmarkedUnicode(bytes.subarray(0, DETECTION_BYTES), bytes.length);
  const text = unicode === null ? null : await decodeAs(bytes, unicode);
  if (unicode !== null && text !== null) return { text, encoding: unicode, sure: false };
  return utf8 ?? (await decodeLegacy(bytes));
}

/** Decodes by the name of an encoding; null when the name is unknown. Undecodable bytes become U+FFFD. */
export async function decodeAs(bytes: Uint8Array, encoding: string): Promise<string | null> {
  if (encoding === "utf-8" || encoding === "utf-16le") return new TextDecoder(encoding).decode(bytes);
  const { default: iconv } = await import("iconv-lite");
  if (!iconv.encodingExists(encoding)) return null;
  return iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding);
}

function decodeUtf8(bytes: Uint8Array): DecodedText | null {
  const isValid = isUtf8(bytes);
  // Most files that are no text show it early; they may be large.
  if (!isValid && !isDamagedUtf8(decodedUtf8(sampleAroundForeign(bytes)), MOST_DAMAGE_OF_SAMPLE)) return null;
  const text = decodedUtf8(bytes);
  if (controlShare(text) > MOST_CONTROLS_UTF8) return null;
  // Valid bytes may hold the replacement character itself, where another program had to give up.
  if (isValid) return { text, encoding: "utf-8", sure: true };
  return isDamagedUtf8(text, MOST_DAMAGE) ? { text, encoding: "utf-8", sure: false } : null;
}

function decodedUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8").decode(bytes);
}

/** Whether hardly any of what is not ASCII could not be decoded. */
function isDamagedUtf8(text: string, most: number): boolean {
  let foreign = 0;
  let damaged = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) foreign += 1;
    if (unit === 0xfffd) damaged += 1;
  }
  return damaged <= foreign * most;
}

async function decodeLegacy(bytes: Uint8Array): Promise<DecodedText | null> {
  if (bytes.includes(0)) return null;
  const sample = sampleAroundForeign(bytes);
  for (const encoding of await guessEncodings(sample, (name) => decodeAs(sample, name))) {
    const text = await decodeAs(bytes, encoding);
    if (text !== null && controlShare(text) <= MOST_CONTROLS_LEGACY) return { text, encoding, sure: false };
  }
  return null;
}

/** Statistics need what is not ASCII, which may come late in a file. */
function sampleAroundForeign(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte >= 0x80 || byte === 0x1b);
  const from = Math.max(0, first - 256);
  return bytes.subarray(from, from + DETECTION_BYTES);
}

/** Share of the text that is control characters other than white space and escape (which ISO-2022 text may keep). */
function controlShare(text: string): number {
  let controls = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const isControl =
      unit < 0x20
        ? (unit < 9 || unit > 13) && unit !== 0x1b && unit !== 0x1a
        : unit >= 0x7f && unit < 0xa0 && unit !== 0x85;
    if (isControl) controls += 1;
  }
  return text.length === 0 ? 0 : controls / text.length;
}
