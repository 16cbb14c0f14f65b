/** XML whose parts must be looked at in another order than they are written in: elements with all that is in them. */
import { readXml, type XmlAttributes, type XmlHandler, type XmlLimits, XmlRefusal } from "./xml.ts";

export interface XmlElement {
  readonly name: string;
  readonly attributes: XmlAttributes;
  readonly children: (XmlElement | string)[];
}

/** The root element with all that is in it; null where there is none. Throws XmlRefusal beyond the limits. */
export function parseXml(xml: string, limits: XmlLimits): XmlElement | null {
  const builder = new XmlTreeBuilder(limits);
  readXml(xml, builder, limits);
  return builder.root;
}

export class XmlTreeBuilder implements XmlHandler {
  private readonly document: XmlElement = { name: "", attributes: {}, children: [] };
  private readonly opened = [this.document];
  private elements = 0;

  constructor(private readonly limits: Pick<XmlLimits, "maxTreeElements">) {}

  open(name: string, attributes: XmlAttributes): void {
    const { maxTreeElements } = this.limits;
    this.elements += 1;
    if (this.elements > maxTreeElements)
      throw new XmlRefusal(`one of its parts has more than ${maxTreeElements} elements`);
    const element: XmlElement = { name, attributes, children: [] };
    this.opened.at(-1)!.children.push(element);
    this.opened.push(element);
  }

  text(text: string): void {
    this.opened.at(-1)!.children.push(text);
  }

  close(): void {
    this.opened.pop();
  }

  get root(): XmlElement | null {
    return elementsOf(this.document)[0] ?? null;
  }
}

/** Hands on what it is told, but elements of one name as trees of their own. */
export class XmlTrees implements XmlHandler {
  private builder: XmlTreeBuilder | null = null;
  private depth = 0;

  constructor(
    private readonly name: string,
    private readonly limits: XmlLimits,
    private readonly rest: XmlHandler,
    private readonly take: (element: XmlElement) => void,
  ) {}

  open(name: string, attributes: XmlAttributes): void {
    if (this.builder === null && name === this.name) this.builder = new XmlTreeBuilder(this.limits);
    if (this.builder === null) return this.rest.open(name, attributes);
    this.depth += 1;
    this.builder.open(name, attributes);
  }

  text(text: string): void {
    (this.builder ?? this.rest).text(text);
  }

  close(name: string): void {
    if (this.builder === null) return this.rest.close(name);
    this.depth -= 1;
    this.builder.close();
    if (this.depth > 0) return;
    const { root } = this.builder;
    this.builder = null;
    if (root !== null) this.take(root);
  }
}

/** Tells the handler of an element what it would be told while the element is read. */
export function replayXml(element: XmlElement, handler: XmlHandler): void {
  handler.open(element.name, element.attributes);
  for (const child of element.children)
    if (typeof child === "string") handler.text(child);
    else replayXml(child, handler);
  handler.close(element.name);
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
