/** The shapes of a slide, or of its notes, in the order in which they are read aloud; groups are gone into. */
import { elementAt, elementsOf, type XmlElement } from "../office/xml-tree.ts";

export interface Shape {
  readonly element: XmlElement;
  /** What of the slide it stands for, e.g. "title"; "" for a content placeholder, undefined where it stands for nothing. */
  readonly role: string | undefined;
  /** What is said of a picture for those who do not see it. */
  readonly description: string;
}

const FILE_NAME = /\.\w{3,4}$/;

/** `slide` is the root of the part. Hidden shapes are left out. */
export function shapesOf(slide: XmlElement | null): Shape[] {
  return shapesIn(elementAt(slide, "cSld", "spTree"));
}

function shapesIn(container: XmlElement | undefined): Shape[] {
  return elementsOf(container).flatMap((element): Shape[] => {
    if (element.name === "AlternateContent") return shapesIn(elementsOf(element)[0]);
    const own = elementsOf(element).find(({ name }) => name.startsWith("nv"));
    const { descr = "", hidden } = elementAt(own, "cNvPr")?.attributes ?? {};
    if (hidden === "1" || hidden === "true") return [];
    if (element.name === "grpSp") return shapesIn(element);
    if (own === undefined || element.name === "nvGrpSpPr") return [];
    const placeholder = elementAt(own, "nvPr", "ph");
    const role = placeholder === undefined ? undefined : (placeholder.attributes.type ?? "");
    // Programs put the name of the picture's file there.
    return [{ element, role, description: FILE_NAME.test(descr.trim()) ? "" : descr }];
  });
}
