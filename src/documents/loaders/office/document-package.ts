/** Documents that are made of named parts, most of them XML, in whichever container: Office Open XML, OpenDocument, EPUB. Parts are read within the limits. */
import type { Content } from "../../content.ts";
import { ZipRefusal } from "../../zip-container.ts";
import { decodeXml, readXml, type XmlHandler, XmlRefusal } from "./xml.ts";
import { parseXml, type XmlElement } from "./xml-tree.ts";

export abstract class DocumentPackage {
  constructor(protected readonly content: Content) {}

  /** The parts' names as they are compared: in lower case. */
  abstract get names(): readonly string[];

  /** A part's name as it is written. */
  abstract nameOf(name: string): string;

  abstract has(name: string): boolean;

  /** The bytes of a part, null where there is none of the name. Throws UNREADABLE_FILE beyond the limits. */
  abstract read(name: string): Uint8Array | null;

  /** The same as text, in the encoding that it declares. */
  text(name: string): string | null {
    const bytes = this.read(name);
    return bytes === null ? null : decodeXml(bytes);
  }

  /** The root element of a part; null where there is no such part, or nothing in it. */
  tree(name: string): XmlElement | null {
    const xml = this.text(name);
    return xml === null ? null : this.refusing(() => parseXml(xml, this.content.limits));
  }

  /** Tells the handler what is in a part; false where there is no such part. */
  walk(name: string, handler: XmlHandler): boolean {
    const xml = this.text(name);
    if (xml !== null) this.walkText(xml, handler);
    return xml !== null;
  }

  /** Tells the handler what is in a part's text. Throws UNREADABLE_FILE beyond the limits. */
  walkText(xml: string, handler: XmlHandler): void {
    this.refusing(() => readXml(xml, handler, this.content.limits));
  }

  protected refusing<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof ZipRefusal || error instanceof XmlRefusal)
        throw this.content.unreadable(error.message, error);
      throw error;
    }
  }
}

/** The name of a part as another part refers to it: relative to that one's folder, or to the root from "/". */
export function partName(from: string, reference: string): string {
  const path = reference.split(/[?#]/, 1)[0] ?? "";
  const steps = path.startsWith("/") ? [] : from.split("/").slice(0, -1);
  for (const step of path.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return steps.join("/");
}

/** How names are compared. */
export function partKey(name: string): string {
  return name.replaceAll("\\", "/").toLowerCase();
}
