/** What packages say of themselves in Dublin Core's terms: Office Open XML, OpenDocument and EPUB write them nearly alike. */
import type { DocumentProperties } from "../../../foundation/place.ts";
import { writtenDate } from "../../written-date.ts";
import { elementsOf, textIn, type XmlElement } from "./xml-tree.ts";

/**
 * The properties among an element's children. Several of one kind are joined. A document's date is when it was last changed, a book's when
 * it was published.
 */
export function dublinCore(metadata: XmlElement | undefined | null): DocumentProperties {
  const said = new Map<string, string[]>();
  for (const element of elementsOf(metadata)) {
    const text = textIn(element).trim();
    if (text !== "") said.set(element.name, [...(said.get(element.name) ?? []), text]);
  }
  const first = (...names: string[]) => names.flatMap((name) => said.get(name) ?? [])[0];
  const joined = (name: string) => said.get(name)?.join(", ");
  const date = ["modified", "date", "created", "creation-date"].flatMap((name) => said.get(name) ?? []);
  return {
    title: first("title"),
    author: first("initial-creator") ?? joined("creator"),
    date: date.find((text) => writtenDate(text) !== undefined),
    subject: joined("subject") ?? first("keywords") ?? joined("keyword"),
    language: first("language"),
  };
}
