/** Whether bytes begin with the head of a message (RFC 5322, section 2.2), and what stands in it. */
import type { Content } from "../../content.ts";

const HEAD_CHARACTERS = 16 * 1024;
const FIELD = /^([!-9;-~]{1,100})[ \t]*:(.*)$/;
/** What a mailbox puts before each of its messages. */
export const ENVELOPE = /^>?From \S.{0,300}\d{4}/;

/** The fields by their names in lower case, the first of each name; null when the content does not begin with such lines. */
export function mailFields(content: Content): Map<string, string> | null {
  const lines = headText(content).split(/\r\n|\n|\r/);
  const fields = new Map<string, string>();
  let name = "";
  for (const [index, line] of lines.entries()) {
    if (line === "" && fields.size > 0) return fields;
    if (index === 0 && ENVELOPE.test(line)) continue;
    if (name !== "" && /^[ \t]/.test(line)) {
      fields.set(name, `${fields.get(name)} ${line.trim()}`);
      continue;
    }
    const field = FIELD.exec(line);
    // The last line of the sample may be cut off.
    if (field === null) return index === lines.length - 1 && fields.size > 0 ? fields : null;
    name = field[1]!.toLowerCase();
    if (fields.has(name)) name = `${name} again`;
    fields.set(name, field[2]!.trim());
  }
  return fields.size > 0 ? fields : null;
}

/** The beginning of the content. */
export function headText({ decoded, bytes }: Content): string {
  if (decoded !== null) return decoded.text.slice(0, HEAD_CHARACTERS);
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_CHARACTERS)).toString("latin1");
}

/** The message as the parser takes it: mail is ASCII in its structure, which a file in UTF-16 is not. */
export function mailBytes({ decoded, bytes }: Content): Uint8Array {
  return isWide(decoded?.encoding) ? new TextEncoder().encode(decoded!.text) : bytes;
}

/** Whether the file was written in UTF-16 or UTF-32 as a whole, so that the encodings that it declares are not its own. */
export function isWide(encoding: string | undefined): boolean {
  return encoding !== undefined && /^utf-(?:16|32)/.test(encoding);
}
