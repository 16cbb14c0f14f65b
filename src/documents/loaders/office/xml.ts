/**
 * XML as documents use it, read in one pass. Nothing is declared by a document: entities other than XML's own stay as they are written,
 * nothing outside is fetched. Names come without their prefix, which each writer chooses freely.
 */
import { Parser } from "htmlparser2";

const HEAD_BYTES = 200;
const DECLARED_ENCODING = /^(?:ï»¿)?\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]{1,40})["']/;

export interface XmlHandler {
  /** `tag`: where the tag stands in the text, where it is read from one. */
  open(name: string, attributes: XmlAttributes, tag?: XmlSpan): void;
  text(text: string): void;
  close(name: string, tag?: XmlSpan): void;
}

/** UTF-16 units of a text, the end not included. */
export interface XmlSpan {
  readonly start: number;
  readonly end: number;
}

export type XmlAttributes = Readonly<Record<string, string>>;

export interface XmlLimits {
  /** Elements inside one another. */
  readonly maxNesting: number;
  /** Elements of what is read as a tree. */
  readonly maxTreeElements: number;
}

/** Why XML is refused, as the rest of a sentence about the file. */
export class XmlRefusal extends Error {}

/** Tells the handler what is in the text, in order. Throws XmlRefusal where elements are nested too deep. */
export function readXml(xml: string, handler: XmlHandler, { maxNesting }: Pick<XmlLimits, "maxNesting">): void {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        // The parser looks through all open elements for each end tag.
        if (depth > maxNesting) throw new XmlRefusal(`its elements are nested more than ${maxNesting} deep`);
        handler.open(localName(name), attributes, spanOf(parser));
      },
      ontext: (text) => handler.text(text),
      onclosetag(name) {
        depth -= 1;
        handler.close(localName(name), spanOf(parser));
      },
    },
    { xmlMode: true },
  );
  parser.write(xml);
  parser.end();
}

/** The text of XML in the encoding that its mark or its declaration names. */
export function decodeXml(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, HEAD_BYTES));
  return decoderOf(DECLARED_ENCODING.exec(head)?.[1] ?? "").decode(bytes);
}

/** What could be read as ASCII so far is not in units of two bytes, whatever it says. Unknown encodings are taken for the usual one. */
function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder((/utf|ucs|^$/i.test(encoding) ? "utf-8" : encoding) as Bun.Encoding);
  } catch {
    return new TextDecoder();
  }
}

/** The value of an attribute with a prefix, whichever it is: `r:id` stands beside `id`. */
export function qualified(attributes: XmlAttributes, name: string): string | undefined {
  const suffix = `:${name}`;
  for (const key in attributes) if (key.endsWith(suffix)) return attributes[key];
  return undefined;
}

/** A name without the prefix of its namespace. */
export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function spanOf({ startIndex, endIndex }: Parser): XmlSpan {
  return { start: startIndex, end: endIndex + 1 };
}
