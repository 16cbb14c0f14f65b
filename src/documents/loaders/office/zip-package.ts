/** Documents that are zip containers of named parts, most of them XML: Office Open XML, OpenDocument, EPUB. Parts are read within the limits. */
import type { Content } from "../../content.ts";
import { isZip, zipMembers, type ZipMember, ZipReader, ZipRefusal } from "../../zip-container.ts";
import { namedFormat } from "../loader.ts";
import type { Format, Loader, Recognition } from "../loader.ts";
import { decodeXml, readXml, type XmlHandler, XmlRefusal } from "./xml.ts";
import { parseXml, type XmlElement } from "./xml-tree.ts";

export class ZipPackage {
  private readonly reader: ZipReader;
  private readonly parts = new Map<string, ZipMember>();

  /** Throws ZipRefusal where the container is damaged. */
  constructor(private readonly content: Content) {
    this.reader = new ZipReader(content.bytes, content.limits);
    for (const member of zipMembers(content.bytes, content.limits).values()) this.parts.set(keyOf(member.name), member);
  }

  /** The parts' names as they are compared: in lower case. */
  get names(): readonly string[] {
    return [...this.parts.keys()];
  }

  /** A part's name as it is written. */
  nameOf(name: string): string {
    return this.parts.get(keyOf(name))?.name.replaceAll("\\", "/") ?? name;
  }

  has(name: string): boolean {
    return this.parts.has(keyOf(name));
  }

  /** The bytes of a part, null where there is none of the name. Throws UNREADABLE_FILE beyond the limits. */
  read(name: string): Uint8Array | null {
    const member = this.parts.get(keyOf(name));
    return member === undefined ? null : this.refusing(() => this.reader.read(member));
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

  text(name: string): string | null {
    const bytes = this.read(name);
    return bytes === null ? null : decodeXml(bytes);
  }

  private refusing<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof ZipRefusal || error instanceof XmlRefusal)
        throw this.content.unreadable(error.message, error);
      throw error;
    }
  }
}

/** The file as a package. Throws UNREADABLE_FILE where the container is damaged. */
export function openPackage(content: Content): ZipPackage {
  const found = openOrRefusal(content);
  if (found instanceof ZipRefusal) throw content.unreadable(found.message, found);
  return found;
}

/** A format that packages have by what `formatOf` sees in them. A container too damaged to look into is what its name says; loading it tells what is wrong. */
export function recognisePackage(
  loader: Pick<Loader, "formats">,
  content: Content,
  formatOf: (parts: ZipPackage) => Format | null,
): Recognition | null {
  if (!isZip(content.bytes)) return null;
  const found = openOrRefusal(content);
  if (found instanceof ZipRefusal) {
    const named = namedFormat(loader, content);
    return named === undefined ? null : { certainty: "possible", format: named };
  }
  const format = formatOf(found);
  return format === null ? null : { certainty: "certain", format };
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

/** Each loader is asked whether it knows the same container. */
const opened = new WeakMap<Content, ZipPackage | ZipRefusal>();

function openOrRefusal(content: Content): ZipPackage | ZipRefusal {
  let found = opened.get(content);
  if (found === undefined) {
    found = tryOpen(content);
    opened.set(content, found);
  }
  return found;
}

function tryOpen(content: Content): ZipPackage | ZipRefusal {
  try {
    return new ZipPackage(content);
  } catch (error) {
    if (error instanceof ZipRefusal) return error;
    throw error;
  }
}

function keyOf(name: string): string {
  return name.replaceAll("\\", "/").toLowerCase();
}
