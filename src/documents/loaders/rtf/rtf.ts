/** RTF documents, of any code page. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import type { Loader, Recognition } from "../loader.ts";
import { RtfFonts } from "./rtf-fonts.ts";
import { RtfText } from "./rtf-text.ts";
import { rtfTokens } from "./rtf-tokens.ts";

const format = { mimeType: "application/rtf", extensions: ["rtf"] };
const SIGNATURE = /^(?:\xef\xbb\xbf)?\s*\{\\rtf[\d\\]/;
const HEAD_BYTES = 64;

export const rtfLoader: Loader = { id: "rtf", formats: [format], recognise, load };

function recognise({ bytes }: Content): Recognition | null {
  return SIGNATURE.test(latin1(bytes.subarray(0, HEAD_BYTES))) ? { certainty: "certain", format } : null;
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const { default: iconv } = await import("iconv-lite");
  new RtfText(content, blocks, new RtfFonts(iconv)).read(rtfTokens(latin1(content.bytes)));
}

/** Each unit is one byte. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
