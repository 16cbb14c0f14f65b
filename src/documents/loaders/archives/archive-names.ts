/** Names of members of archives: those that say that there is nothing to read, and those that do not say how they are written. */
import { decodeAs } from "../../decode-text.ts";
import { guessEncodings } from "../../guess-encoding.ts";

/** What macOS and Windows put beside files for themselves. */
const SYSTEM_FILE = /(?:^|[\\/])(?:__MACOSX[\\/]|\._[^\\/]*$|(?:\.DS_Store|Thumbs\.db|desktop\.ini)$)/i;

/** Whether a member is a folder, or a file that a system keeps for itself. */
export function isLeftOut(name: string): boolean {
  return /[\\/]$/.test(name) || SYSTEM_FILE.test(name);
}

/** The code pages of the systems on which archives are packed, the usual one first: names are written in theirs. */
const SYSTEM_ENCODINGS = ["cp437", "cp850", "cp852", "cp866", "shift_jis", "gb18030", "euc-kr", "big5"];
/** Bytes of names that are looked at. */
const LARGEST_SAMPLE = 16 * 1024;

/** How names in an encoding that is not declared are read: as is likeliest of all of them together. Gives null where none is likely. */
export async function undeclaredNames(names: readonly Uint8Array[]): Promise<(name: Uint8Array) => string | null> {
  if (names.length === 0) return () => null;
  const sample = Buffer.concat(names.flatMap((name) => [name, Buffer.from("\n")])).subarray(0, LARGEST_SAMPLE);
  const guessed = await guessEncodings(sample, (encoding) => decodeAs(sample, encoding));
  const encoding = guessed.find((name) => SYSTEM_ENCODINGS.includes(name));
  if (encoding === undefined) return () => null;
  const { default: iconv } = await import("iconv-lite");
  return (name) => {
    const text = iconv.decode(Buffer.from(name), encoding);
    return text.includes("\uFFFD") ? null : text;
  };
}
