/** Web pages saved as one file with their pictures (RFC 2557): the page itself is read, as any page is. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { decodePage, writePage } from "../html/html.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";
import { headText, mailBytes, mailFields } from "./mail-fields.ts";
import { declaredText, mimeTree, partBytes } from "./mime-tree.ts";
import type { MimePart } from "./mime-tree.ts";

const format = { mimeType: "multipart/related", extensions: ["mhtml", "mht"] };
const PAGE_TYPES = new Set(["text/html", "application/xhtml+xml"]);

export const mhtmlLoader: Loader = { id: "mhtml", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  const fields = mailFields(content);
  if (fields === null) return null;
  const isPage = /^(?:multipart\/(?:related|alternative)|text\/html)\b/i.test(fields.get("content-type") ?? "");
  const isSent = ["to", "received", "message-id", "delivered-to"].some((name) => fields.has(name));
  const isSaved = /saved by/i.test(fields.get("from") ?? "") || /^content-location:/im.test(headText(content));
  if (isPage && !isSent && isSaved) return { certainty: "certain", format };
  return isPage && namedFormat(mhtmlLoader, content) !== undefined ? { certainty: "likely", format } : null;
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const root = await mimeTree(mailBytes(content), content);
  const page = mainPage(root);
  if (page === undefined) throw content.unreadable("it holds no page");
  const html =
    (await declaredText(page, content)) ??
    (await decodePage(await content.member("page.html", "page.html", partBytes(page), "text/html")));
  await writePage(html, content, blocks);
}

/** The part that the container names as its start, or else the first page in it. */
function mainPage(root: MimePart): MimePart | undefined {
  const pages = [...partsOf(root)].filter(({ contentType }) => PAGE_TYPES.has(contentType.parsed.value));
  const { start } = root.contentType.parsed.params;
  return pages.find(({ contentId }) => start !== undefined && contentId === start) ?? pages[0];
}

function* partsOf(part: MimePart): Generator<MimePart> {
  yield part;
  for (const child of part.childNodes) yield* partsOf(child);
}
