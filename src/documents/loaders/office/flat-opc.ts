/** Office Open XML in one XML file instead of a zip container, as Word and PowerPoint save "XML documents" ("Flat OPC"). */
import type { Content } from "../../content.ts";
import type { Format } from "../loader.ts";
import { FlatPackage, type FlatPart } from "./flat-package.ts";
import { decodeXml, qualified, readXml, type XmlAttributes, type XmlHandler, type XmlSpan } from "./xml.ts";

/** By its name it is XML of any kind. */
export const flatOpcFormat: Format = { mimeType: "application/xml", extensions: ["xml"] };

const HEAD_CHARACTERS = 16 * 1024;
const ROOT = /<(?:[\w.-]{1,40}:)?package\s[^<>]{0,4000}http:\/\/schemas\.microsoft\.com\/office\/2006\/xmlPackage\b/;
/** Elements in which a part's content lies, and whether it lies there as base 64. */
const CONTENTS: ReadonlyMap<string, boolean> = new Map([
  ["xmlData", false],
  ["binaryData", true],
]);
/** Elements around a part's content: the package and the part. */
const DEPTH = 2;

export function isFlatOpc({ decoded }: Content): boolean {
  return decoded !== null && ROOT.test(decoded.text.slice(0, HEAD_CHARACTERS));
}

/** Throws XmlRefusal where elements are nested too deep. */
export function openFlatOpc(content: Content): FlatPackage {
  const xml = decodeXml(content.bytes);
  const parts = new FlatParts(xml, content.limits.maxMembers);
  readXml(xml, parts, content.limits);
  return new FlatPackage(content, parts.found);
}

class FlatParts implements XmlHandler {
  readonly found: FlatPart[] = [];
  private depth = 0;
  private name = "";
  private start = 0;

  constructor(
    private readonly xml: string,
    private readonly most: number,
  ) {}

  open(name: string, attributes: XmlAttributes, tag: XmlSpan): void {
    if (this.depth === DEPTH - 1) this.name = name === "part" ? (qualified(attributes, "name") ?? "") : "";
    if (this.depth === DEPTH) this.start = tag.end;
    this.depth += 1;
  }

  text(): void {}

  close(name: string, tag: XmlSpan): void {
    this.depth -= 1;
    const isBase64 = CONTENTS.get(name);
    if (this.depth !== DEPTH || isBase64 === undefined || this.name === "" || this.found.length >= this.most) return;
    this.found.push({ name: this.name.replace(/^\/+/, ""), text: this.xml.slice(this.start, tag.start), isBase64 });
  }
}
