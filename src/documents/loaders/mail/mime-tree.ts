/** A message's tree of parts (RFC 2045 to 2049), as postal-mime reads it, with the bytes of each part decoded from its transfer encoding. */
import type { Content } from "../../content.ts";
import { decodeAs, decodeText } from "../../decode-text.ts";
import { isWide } from "./mail-fields.ts";
import { unflowed } from "./flowed-text.ts";

interface StructuredField {
  readonly value: string;
  readonly params: Readonly<Record<string, string>>;
}

/** What the parser leaves behind of each part; its types do not name it. */
export interface MimePart {
  readonly contentType: { readonly parsed: StructuredField; readonly multipart: string | false };
  readonly contentDisposition: { readonly parsed: StructuredField };
  readonly contentTransferEncoding: { readonly encoding: string };
  readonly contentId?: string;
  readonly headers: ReadonlyArray<{ readonly key: string; readonly value: string }>;
  readonly content: ArrayBuffer | null;
  readonly childNodes: readonly MimePart[];
}

/** Labels under which everything is sent. */
const SAYS_NOTHING = /^(?:|us-ascii|ascii|unknown-8bit|x-unknown|default|none|binary)$/;

/** What parts are parted by, and the ways of writing that down which are not looked into. */
const BOUNDARY = /\bboundary\s*=\s*(?:"([^"\r\n]{1,1000})"|([^\s";]{1,1000}))/gi;
const BOUNDARY_OTHERWISE = /\bboundary\s*(?:\*|=\s*(?:\(|"[^"\r\n]{0,1000}[\\\r\n]))/i;

/** Throws UNREADABLE_FILE where parts are too many or nested too deep, or the heads of all are too long together. */
export async function mimeTree(bytes: Uint8Array, content: Content): Promise<MimePart> {
  const { maxPartDepth, maxHeadBytes, maxMembers } = content.limits;
  if (hasMoreParts(bytes, maxMembers)) throw content.unreadable(`it has more than ${maxMembers} parts`);
  const { default: PostalMime } = await import("postal-mime");
  const parser = new PostalMime({
    maxNestingDepth: maxPartDepth,
    maxHeadersSize: maxHeadBytes,
    // Messages in the message are documents of their own.
    forceRfc822Attachments: true,
  });
  try {
    await parser.parse(bytes);
  } catch (error) {
    throw content.unreadable(
      `its parts are nested more than ${maxPartDepth} deep, or their heads take more than ${maxHeadBytes} bytes`,
      error,
    );
  }
  return (parser as unknown as { readonly root: MimePart }).root;
}

/** Whether it may have more parts than these: the parser makes much of each, however little there is in it. */
function hasMoreParts(bytes: Uint8Array, most: number): boolean {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = data.indexOf("\n--"); at >= 0 && count <= most; at = data.indexOf("\n--", at + 1)) count += 1;
  if (count <= most) return false;
  // Lines that begin so may be those of a text.
  const text = data.toString("latin1");
  if (BOUNDARY_OTHERWISE.test(text)) return true;
  const boundaries = new Set<string>();
  for (const [, quoted, bare = ""] of text.matchAll(BOUNDARY)) boundaries.add((quoted ?? bare).trimEnd());
  count = 0;
  for (const [, line = ""] of text.matchAll(/\n--([^\n]*)/g)) if (boundaries.has(line.trimEnd())) count += 1;
  return count > most;
}

export function partBytes({ content }: MimePart): Uint8Array {
  return content === null ? new Uint8Array() : new Uint8Array(content);
}

/** The text of a part by the encoding it declares; null when it declares none that is known, or one that says nothing. */
export async function declaredText(part: MimePart, { decoded }: Content): Promise<string | null> {
  const { encoding } = part.contentTransferEncoding;
  const isPacked = encoding === "base64" || encoding === "quoted-printable";
  const declared = part.contentType.parsed.params.charset?.trim().toLowerCase() ?? "";
  const bytes = partBytes(part);
  if (isWide(decoded?.encoding) && !isPacked) return new TextDecoder().decode(bytes);
  if (SAYS_NOTHING.test(declared)) return null;
  try {
    // These know what browsers know: that ISO 8859-1 stands for Windows-1252, and EUC-KR for its extension.
    return new TextDecoder(declared as "utf-8").decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) return decodeAs(bytes, declared);
    throw error;
  }
}

/** The text of a part of type text/plain, its lines joined where they were only broken for the transport. */
export async function plainText(part: MimePart, content: Content): Promise<string> {
  const text = (await declaredText(part, content)) ?? (await decodeText(partBytes(part)))?.text ?? "";
  const { format = "", delsp = "" } = part.contentType.parsed.params;
  return /^flowed$/i.test(format) ? unflowed(text, /^yes$/i.test(delsp)) : text;
}
