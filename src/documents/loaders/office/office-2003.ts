/** What the XML files of Office 2003 (SpreadsheetML, WordprocessingML) have in common: their roots, and what they say of themselves. */
import type { DocumentProperties } from "../../../foundation/place.ts";
import type { Content } from "../../content.ts";
import { rootName } from "../data/xml-events.ts";
import type { Format } from "../loader.ts";
import { elementAt, textIn, type XmlElement } from "./xml-tree.ts";

/** By their names they are XML of any kind. */
export const office2003Format: Format = { mimeType: "application/xml", extensions: ["xml"] };

/** The element that says it. */
export const PROPERTIES_2003 = "DocumentProperties";

const HEAD_CHARACTERS = 16 * 1024;

/** Whether the file's outermost element has this name and the namespace is declared at its beginning. */
export function hasRoot2003({ decoded }: Content, root: string, namespace: string): boolean {
  const head = decoded?.text.slice(0, HEAD_CHARACTERS) ?? "";
  return head.includes(namespace) && rootName(head) === root;
}

export function properties2003(said: XmlElement): DocumentProperties {
  const text = (name: string): string => textIn(elementAt(said, name)).trim();
  return {
    title: text("Title"),
    author: text("Author"),
    date: text("LastSaved") || text("Created"),
    subject: text("Subject") || text("Keywords"),
  };
}
