/** Address cards (vCard 2.1, 3 and 4): each person or organisation under its name. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { shownTimeOf } from "./calendar-times.ts";
import { componentsOf, partsOf, plain } from "./content-lines.ts";
import type { Component, Property } from "./content-lines.ts";
import type { Loader, Recognition } from "../loader.ts";

const format = { mimeType: "text/vcard", extensions: ["vcf", "vcard"] };

/** What is said of a person, in the order in which it is shown. */
const SHOWN = [
  ["NICKNAME", "Nickname"],
  ["TITLE", "Title"],
  ["ROLE", "Role"],
  ["ORG", "Organisation"],
  ["EMAIL", "E-mail"],
  ["TEL", "Phone"],
  ["IMPP", "Chat"],
  ["ADR", "Address"],
  ["URL", "Web"],
  ["BDAY", "Birthday"],
  ["ANNIVERSARY", "Anniversary"],
  ["CATEGORIES", "Categories"],
] as const;
const DAYS = new Set(["BDAY", "ANNIVERSARY"]);
/** Types that say how a number is used; others are for programs. */
const USES = new Set(["home", "work", "cell", "mobile", "fax", "pager", "private"]);

export const vcfLoader: Loader = { id: "vcf", formats: [format], recognise, load };

function recognise({ decoded }: Content): Recognition | null {
  return decoded !== null && /^\s*BEGIN:VCARD[^\S\r\n]*[\r\n]/i.test(decoded.text)
    ? { certainty: "certain", format }
    : null;
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const { maxRows } = content.limits;
  let count = 0;
  for (const card of componentsOf(content.decoded?.text ?? "")) {
    count += 1;
    if (count > maxRows) throw content.unreadable(`it has more than ${maxRows} cards`);
    writeCard(card, blocks);
  }
}

function writeCard(card: Component, blocks: BlockCollector): void {
  const all = (name: string): Property[] => card.properties.filter((property) => property.name === name);
  const name = all("FN").map(({ value }) => plain(value))[0] || nameInParts(all("N")[0]) || shown(all("ORG")[0]);
  blocks.add("heading", name.replace(/\s+/g, " "), 2);
  const lines = SHOWN.flatMap(([property, label]) =>
    all(property).map((each) => {
      const uses = usesOf(each);
      return [uses === "" ? label : `${label} (${uses})`, shown(each)] as const;
    }),
  ).filter(([, value]) => value !== "");
  blocks.add("paragraph", lines.map(([label, value]) => `${label}: ${value}`).join("\n"));
  for (const { value } of all("NOTE")) blocks.add("paragraph", plain(value));
}

function shown(property: Property | undefined): string {
  if (property === undefined) return "";
  if (DAYS.has(property.name)) return shownTimeOf({ ...property, value: property.value.split("T", 1)[0]! });
  const parts = partsOf(property.value.replace(/^(?:tel|mailto):/i, ""), property.name === "CATEGORIES" ? "," : ";");
  return parts.join(", ").replace(/\s+/g, " ");
}

/** A name in its parts stands with the family's name first. */
function nameInParts(property: Property | undefined): string {
  const [family = "", ...given] = partsOf(property?.value ?? "", ";");
  return [...given, family].join(" ").trim();
}

function usesOf({ parameters }: Property): string {
  const types = (parameters.get("TYPE") ?? "").toLowerCase().split(",");
  return [...new Set(types)].filter((type) => USES.has(type)).join(", ");
}
