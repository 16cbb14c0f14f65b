/**
 * XML as a stream of elements and text. Entities that a document declares itself stay as they are written, and nothing outside of it is
 * fetched, so that nothing grows by being read. What is not well-formed is read as far as it makes sense.
 */
import { localName } from "../office/xml.ts";
import { Parser } from "htmlparser2";

export interface XmlElement {
  /** Without its prefix, which each writer chooses freely. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** What takes an XML document in. The open elements are handed along, the outermost first and the current one last. */
export interface XmlReader {
  open(element: XmlElement, path: readonly XmlElement[]): void;
  text(text: string, path: readonly XmlElement[]): void;
  /** The closed element is still the last of the path. */
  close(element: XmlElement, path: readonly XmlElement[]): void;
  end(): void;
}

/** Thrown when elements are nested deeper than the limit. */
export class TooNested extends Error {}

export function readXmlInto(reader: XmlReader, xml: string, maxDepth: number): void {
  const path: XmlElement[] = [];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        // The parser looks through all open elements for each end tag.
        if (path.length >= maxDepth) throw new TooNested();
        const element = { name: localName(name), attributes };
        path.push(element);
        reader.open(element, path);
      },
      ontext(text) {
        if (path.length > 0) reader.text(text, path);
      },
      onclosetag() {
        reader.close(path.at(-1)!, path);
        path.pop();
      },
    },
    { xmlMode: true },
  );
  parser.write(xml);
  parser.end();
  reader.end();
}

/** Comments and declarations end at the first place where they can: there is only one way to read many of them. */
const ROOT =
  /^(?:\s|<!--(?:(?!-->)[^]){0,5000}-->|<\?[^>]{0,500}\?>|<!DOCTYPE[^[>]{0,500}(?:\[(?:(?!\]\s*>)[^]){0,5000}\]\s*)?>)*<([\w:.-]{1,100})[\s/>]/i;

/** The name of the outermost element of what begins so; "" where there is none. */
export function rootName(head: string): string {
  return localName(ROOT.exec(head)?.[1] ?? "");
}
