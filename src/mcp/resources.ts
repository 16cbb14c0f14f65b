/** Files as resources of an assistant: what is listed, and their text when they are read. */
import { fail } from "../foundation/errors.ts";
import { fieldLimits } from "../foundation/field-limits.ts";
import type { AssistantDocuments } from "./documents.ts";
import { passagesText } from "./shown-text.ts";

const PREFIX = "lectern://files/";
/** Resources on a page of the list. */
const PAGE = 500;
/** Passages of a file that a server gives at once. */
const PART = fieldLimits.passageLimit.maximum;
/** Passages that a resource shows. More are read by the tool. */
const MOST_PASSAGES = 2 * PART;

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

export const resourceTemplate = {
  uriTemplate: `${PREFIX}{fileId}`,
  name: "A file's text",
  description: `The text of a file, passage by passage, at most ${MOST_PASSAGES} of them.`,
  mimeType: "text/plain",
};

/** The files of the dataset that is set, newest first; none where requests name their own. Throws INVALID_REQUEST. */
export async function listResources(
  documents: AssistantDocuments,
  cursor: string | undefined,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  if (documents.datasetId === null) return { resources: [] };
  const skipped = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(skipped) || skipped < 0)
    throw fail("INVALID_REQUEST", { reason: "the cursor is none that a list of resources gave." });
  const resources: Resource[] = [];
  let at = 0;
  for await (const { fileId, originalName } of documents.files(documents.datasetId, null)) {
    if (at++ < skipped) continue;
    if (resources.length === PAGE) return { resources, nextCursor: String(skipped + PAGE) };
    resources.push({ uri: `${PREFIX}${fileId}`, name: originalName, mimeType: "text/plain" });
  }
  return { resources };
}

/** Throws FILE_NOT_FOUND. */
export async function readResource(documents: AssistantDocuments, uri: string): Promise<string> {
  if (!uri.startsWith(PREFIX)) throw fail("FILE_NOT_FOUND");
  const fileId = uri.slice(PREFIX.length);
  const { passages, total } = await documents.passages(fileId, { from: 0, limit: PART });
  const shown = [...passages];
  while (shown.length < Math.min(total, MOST_PASSAGES)) {
    const next = await documents.passages(fileId, { from: shown.length, limit: PART });
    if (next.passages.length === 0) break;
    shown.push(...next.passages);
  }
  const more = total > shown.length ? `\n\n(${total - shown.length} more passages: read_passage reads them)` : "";
  return passagesText(shown) + more;
}
