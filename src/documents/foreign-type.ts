/** Names the type of a file that no loader reads, so that an error can say what it is. */
import type { Content } from "./content.ts";
import { isSplitArchive } from "./loaders/archives/split-archives.ts";
import { isCompoundFile, holdsStream } from "./compound-file.ts";

/** Formats that are text to the eye and yet useless as text. */
const TEXT_SIGNATURES: ReadonlyArray<readonly [RegExp, string]> = [
  [/^%!PS(?:-Adobe|\s*?[\r\n])/, "a PostScript document"],
];

const SPLIT = "one part of a split archive (put its parts together, or unpack them, before they are uploaded)";

/** Streams by which the older Office formats, which share one container, are told apart. */
const COMPOUND_TYPES: ReadonlyArray<readonly [string, string]> = [
  ["EncryptedPackage", "an Office document protected with a password"],
];

const READABLE_NAMES: Readonly<Record<string, string>> = {
  zip: "a ZIP container of another program",
  jar: "a Java program",
  apk: "an Android program",
  xlsx: "an Excel workbook (.xlsx)",
  ods: "an OpenDocument spreadsheet (.ods)",
  exe: "a Windows program",
  elf: "a Linux program",
};

/**
 * A type with its article, e.g. "an image (PNG)"; null when it is not known. When a loader could read the file, only what
 * merely looks like text to it is named.
 */
export async function foreignType(content: Content, readable: boolean): Promise<string | null> {
  if (content.decoded !== null) {
    const { text } = content.decoded;
    return TEXT_SIGNATURES.find(([signature]) => signature.test(text))?.[1] ?? null;
  }
  if (readable) return null;
  if (isSplitArchive(content)) return SPLIT;
  if (isCompoundFile(content.bytes)) {
    return COMPOUND_TYPES.find(([stream]) => holdsStream(content.bytes, stream))?.[1] ?? "an OLE compound file";
  }
  const { fileTypeFromBuffer } = await import("file-type");
  const found = await fileTypeFromBuffer(content.bytes);
  if (found === undefined) return null;
  const [kind] = found.mime.split("/");
  if (kind === "image") return `an image (${found.ext.toUpperCase()})`;
  if (kind === "audio") return `an audio file (${found.ext.toUpperCase()})`;
  if (kind === "video") return `a video (${found.ext.toUpperCase()})`;
  return READABLE_NAMES[found.ext] ?? `a file of type ${found.mime}`;
}
