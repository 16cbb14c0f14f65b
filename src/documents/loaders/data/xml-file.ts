/** XML: feeds, books and articles as such, everything else as the data that it is. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { decodeAs } from "../../decode-text.ts";
import { FEED_ROOTS, FeedReader } from "./feed.ts";
import { namedFormat } from "../loader.ts";
import type { Format, Loader, Recognition } from "../loader.ts";
import { readXmlInto, rootName, TooNested } from "./xml-events.ts";
import type { XmlReader } from "./xml-events.ts";
import { PROSE_ROOTS, ProseReader } from "./xml-prose.ts";
import { RecordReader } from "./xml-records.ts";

const xml: Format = {
  mimeType: "application/xml",
  extensions: "xml tei dbk docbook dita ditamap fb2 rdf xsd xsl xslt wsdl kml gpx opml plist xliff xlf resx".split(" "),
};
const rss: Format = { mimeType: "application/rss+xml", extensions: ["rss"] };
const atom: Format = { mimeType: "application/atom+xml", extensions: ["atom"] };
const svg: Format = { mimeType: "image/svg+xml", extensions: ["svg"] };
const BY_ROOT: ReadonlyMap<string, Format> = new Map([
  ["rss", rss],
  ["feed", atom],
  ["svg", svg],
]);

const HEAD_CHARACTERS = 16 * 1024;
const DECLARED_ENCODING = /^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.-]{2,40})["']/;

export const xmlLoader: Loader = { id: "xml", formats: [xml, rss, atom, svg], recognise, load };

function recognise(content: Content): Recognition | null {
  const head = content.decoded?.text.slice(0, HEAD_CHARACTERS) ?? "";
  if (!/^\s*</.test(head)) return null;
  const root = rootName(head);
  if (root === "") return null;
  const format = BY_ROOT.get(root) ?? namedFormat(xmlLoader, content) ?? xml;
  const isDeclared = /^\s*<\?xml\s/.test(head) || (BY_ROOT.has(root) && head.includes("xmlns"));
  if (isDeclared) return { certainty: "certain", format };
  return namedFormat(xmlLoader, content) === undefined ? null : { certainty: "likely", format };
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const text = await decoded(content);
  const { maxElementDepth, maxNesting } = content.limits;
  try {
    readXmlInto(readerFor(rootName(text.slice(0, HEAD_CHARACTERS)), blocks, maxElementDepth), text, maxNesting);
  } catch (error) {
    if (error instanceof TooNested)
      throw content.unreadable(`its elements are nested more than ${maxNesting} deep`, error);
    throw error;
  }
}

function readerFor(root: string, blocks: BlockCollector, maxDepth: number): XmlReader {
  if (FEED_ROOTS.has(root)) return new FeedReader(blocks, maxDepth);
  return PROSE_ROOTS.has(root) ? new ProseReader(blocks) : new RecordReader(blocks);
}

/** A declared encoding is believed unless the bytes are valid UTF-8 or carry a mark. */
async function decoded({ decoded: found, bytes }: Content): Promise<string> {
  const text = found?.text ?? "";
  const declared = DECLARED_ENCODING.exec(text)?.[1]?.toLowerCase();
  if (found?.sure || declared === undefined || declared.startsWith("utf")) return text;
  return (await decodeAs(bytes, declared)) ?? text;
}
