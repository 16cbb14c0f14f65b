/** OpenDocument presentations (.odp, .fodp; ODF 1.3): each slide's title, what is on it, then its notes. */
import { oneLine } from "../../clean-text.ts";
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import type { Loader } from "../loader.ts";
import { type OdfDocument, openOdf, recogniseOdf, runningLines, walkOdf } from "./odf-parts.ts";
import { OdfText } from "./odf-text.ts";
import { qualified } from "../office/xml.ts";
import {
  descendants,
  elementAt,
  elementsOf,
  replayXml,
  textIn,
  XmlTrees,
  type XmlElement,
} from "../office/xml-tree.ts";

const TYPE = "application/vnd.oasis.opendocument.presentation";
/** What stands on all slides alike, or only numbers or dates them. */
const RUNNING: ReadonlySet<string | undefined> = new Set(["header", "footer", "date-time", "page-number", "page"]);
const ON_ALL_SLIDES: ReadonlySet<string | undefined> = new Set([undefined, "header", "footer"]);

export const odpLoader: Loader = {
  id: "odp",
  formats: [
    { mimeType: TYPE, extensions: ["odp"] },
    { mimeType: `${TYPE}-template`, extensions: ["otp"] },
    { mimeType: `${TYPE}-flat-xml`, extensions: ["fodp"] },
  ],
  recognise: (content) => recogniseOdf(odpLoader, content),
  load,
};

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const document = openOdf(content, blocks);
  const text = new OdfText(content, blocks, document.styles, document.objects);
  let number = 0;
  const slides = new XmlTrees("page", content.limits, text, (page) => {
    number += 1;
    blocks.at({ slide: number });
    addSlide(page, number, text, blocks, document);
  });
  walkOdf(content, document, slides);
  text.finish();
  for (const line of runningLines(masterShapes(document))) blocks.add("paragraph", line);
}

/** What the masters of slides show on each of them; placeholders for what slides have of their own are none of it. */
function masterShapes({ parts }: OdfDocument): XmlElement[] {
  const masters = descendants(elementAt(parts.tree("styles.xml"), "master-styles"), "master-page");
  return masters
    .flatMap((master) => elementsOf(master))
    .filter((shape) => shape.name !== "notes" && ON_ALL_SLIDES.has(roleOf(shape)));
}

function addSlide(
  page: XmlElement,
  number: number,
  text: OdfText,
  blocks: BlockCollector,
  { styles }: OdfDocument,
): void {
  const before = blocks.blocks.length;
  const shapes = elementsOf(page).filter((shape) => !RUNNING.has(roleOf(shape)));
  const title = shapes.find((shape) => roleOf(shape) === "title" && lineIn(shape) !== "");
  const isFront = shapes.some((shape) => roleOf(shape) === "subtitle");
  // Without a heading of its own a slide would stand under the one before it.
  const heading = title === undefined ? `Slide ${number}` : lineIn(title);
  const isHidden = styles.isHidden(qualified(page.attributes, "style-name"));
  blocks.add("heading", isHidden ? `${heading} (hidden slide)` : heading, isFront ? 1 : 2);
  for (const shape of shapes) if (shape !== title && shape.name !== "notes") replayXml(shape, text);
  for (const notes of elementsOf(page, "notes")) addNotes(notes, text, blocks);
  if (title === undefined && blocks.blocks.length === before + 1) blocks.cut(before);
}

function addNotes(notes: XmlElement, text: OdfText, blocks: BlockCollector): void {
  const before = blocks.blocks.length;
  blocks.add("heading", "Notes", 3);
  for (const shape of elementsOf(notes)) if (!RUNNING.has(roleOf(shape))) replayXml(shape, text);
  if (blocks.blocks.length === before + 1) blocks.cut(before);
}

/** What of the slide a shape stands for, e.g. "title". */
function roleOf({ attributes }: XmlElement): string | undefined {
  return qualified(attributes, "class");
}

function lineIn(shape: XmlElement): string {
  const paragraphs = descendants(shape, "p", "h").map(textIn);
  return oneLine(paragraphs.join(" "));
}
