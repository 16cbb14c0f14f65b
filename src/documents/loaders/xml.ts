/**
 * XML as documents use it, read in one pass. Nothing is declared by a document: entities other than XML's own stay as they are written,
 * nothing outside is fetched. Names come without their prefix, which each writer chooses freely.
 */
import { Parser } from "htmlparser2";
import { decodeAs } from "../decode-text.ts";

export interface XmlHandler {
  open(name: string, attributes: XmlAttributes): void;
  text(text: string): void;
  close(name: string): void;
}

export type XmlAttributes = Readonly<Record<string, string>>;

export interface XmlElement {
  readonly name: string;
  readonly attributes: XmlAttributes;
  readonly children: (XmlElement | string)[];
}

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
        handler.open(localName(name), attributes);
      },
      ontext: (text) => handler.text(text),
      onclosetag(name) {
        depth -= 1;
        handler.close(localName(name));
      },
    },
    { xmlMode: true },
  );
  parser.write(xml);
  parser.end();
}

/** The root element with all that is in it; null where there is none. Throws XmlRefusal beyond the limits. */
export function parseXml(xml: string, limits: XmlLimits): XmlElement | null {
  const document: XmlElement = { name: "", attributes: {}, children: [] };
  const open = [document];
  let elements = 0;
  readXml(
    xml,
    {
      open(name, attributes) {
        elements += 1;
        if (elements > limits.maxTreeElements)
          throw new XmlRefusal(`one of its parts has more than ${limits.maxTreeElements} elements`);
        const element: XmlElement = { name, attributes, children: [] };
        open.at(-1)!.children.push(element);
        open.push(element);
      },
      text(text) {
        open.at(-1)!.children.push(text);
      },
      close() {
        open.pop();
      },
    },
    limits,
  );
  return elementsOf(document)[0] ?? null;
}

/** The text of XML in the encoding that its mark or its declaration names. */
export async function decodeXml(bytes: Uint8Array): Promise<string> {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const declared =
    /^(?:ï»¿)?\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1]?.toLowerCase() ?? "";
  // What could be read as ASCII up to here is not in two-byte units.
  const isEightBit = declared !== "" && !/^utf|^ucs|^iso-10646/.test(declared);
  return (isEightBit ? await decodeAs(bytes, declared) : null) ?? new TextDecoder().decode(bytes);
}

/** The value of an attribute with a prefix, whichever it is: `r:id` stands beside `id`. */
export function qualified(attributes: XmlAttributes, name: string): string | undefined {
  const suffix = `:${name}`;
  for (const key in attributes) if (key.endsWith(suffix)) return attributes[key];
  return undefined;
}

export function elementsOf(element: XmlElement | undefined | null, name?: string): XmlElement[] {
  const found: XmlElement[] = [];
  for (const child of element?.children ?? [])
    if (typeof child !== "string" && (name === undefined || child.name === name)) found.push(child);
  return found;
}

/** The first element along a path of names. */
export function elementAt(element: XmlElement | undefined | null, ...path: string[]): XmlElement | undefined {
  let at = element ?? undefined;
  for (const name of path) at = elementsOf(at, name)[0];
  return at;
}

/** All elements of these names within an element, in order; not those inside one another. */
export function descendants(element: XmlElement | undefined | null, ...names: string[]): XmlElement[] {
  return elementsOf(element).flatMap((child) => (names.includes(child.name) ? [child] : descendants(child, ...names)));
}

/** All text within an element. */
export function textIn(element: XmlElement | undefined | null): string {
  return (element?.children ?? []).map((child) => (typeof child === "string" ? child : textIn(child))).join("");
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
