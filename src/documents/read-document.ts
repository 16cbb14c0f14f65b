/** One file from its bytes to its passages. This is the work of the child process. */
import { fail, LecternError } from "../foundation/errors.ts";
import { containerOf, HEAD_BYTES } from "./audio/containers.ts";
import type { Block } from "./blocks.ts";
import { BlockCollector } from "./block-collector.ts";
import { type ByteSource, bytesSource, FileSource } from "./byte-source.ts";
import { passagesOf } from "./passages.ts";
import { Content } from "./content.ts";
import { defaultReadingLimits } from "./limits.ts";
import type { ReadingLimits } from "./limits.ts";
import { memberReader } from "./members.ts";
import type { TextRecognition } from "./text-recognition.ts";
import { sniff, type SniffedType } from "./sniff.ts";
import type { ExtractedDocument, ExtractionRequest, Passage, TokenCounterLike } from "./types.ts";

/** Something that can be seen or said: not only blanks, format characters and the sign for what could not be decoded. */
const VISIBLE = /[^\s\p{Cf}\p{Cc}\p{Cn}\uFFFD]/u;

const DAMAGED = "it is damaged or not what its type says";

/** What is known of a document comes first, then its passages as they are cut. */
export type ReadItem = { readonly document: ExtractedDocument } | { readonly passage: Passage };

/** Throws the errors of DocumentExtractor.extract. */
export async function* readDocument(
  request: ExtractionRequest,
  limits: Partial<ReadingLimits>,
  counter: TokenCounterLike,
  recognition?: TextRecognition,
): AsyncGenerator<ReadItem> {
  const { blocks, content, ...document } = await readFile(request, limits, recognition);
  yield { document };
  const { maxChunks } = content.limits;
  let count = 0;
  for await (const passage of passagesOf(blocks, request.chunking, counter)) {
    count += 1;
    if (count <= maxChunks) yield { passage };
  }
  if (count > maxChunks)
    throw content.unreadable(
      `it makes ${count} chunks of this size, and the limit is ${maxChunks}; use larger chunks or split it`,
    );
}

/** A recording is read piece by piece, however long it is; anything else is taken into memory. */
async function readFile(
  { path, originalName, declaredMimeType }: ExtractionRequest,
  limits: Partial<ReadingLimits>,
  recognition: TextRecognition | undefined,
): Promise<ReadBlocks> {
  const source = new FileSource(path);
  try {
    if (containerOf(source) === null)
      return await readBlocks(await Bun.file(path).bytes(), originalName, declaredMimeType, limits, recognition);
    const head = source.read(0, HEAD_BYTES);
    return await readBlocks(head, originalName, declaredMimeType, limits, recognition, source);
  } finally {
    source.close();
  }
}

/** What is read of a file before it is cut. */
export interface ReadBlocks extends ExtractedDocument {
  readonly content: Content;
  readonly blocks: Block[];
}

/** The blocks of a file, never without visible text. `source`: all of it where `bytes` are its beginning. */
export async function readBlocks(
  bytes: Uint8Array,
  name: string,
  declaredMimeType: string | null,
  limits: Partial<ReadingLimits> = {},
  recognition?: TextRecognition,
  source: ByteSource = bytesSource(bytes),
): Promise<ReadBlocks> {
  const all = { ...defaultReadingLimits, ...limits };
  const content = await contentOf(bytes, name, declaredMimeType, all, recognition, source);
  const collector = new BlockCollector(content);
  const { loader, mimeType, extension } = await readContent(content, collector);
  const { blocks, properties, subtitles } = collector;
  return { content, loaderId: loader.id, mimeType, extension, blocks, properties, subtitles };
}

async function contentOf(
  bytes: Uint8Array,
  name: string,
  declaredMimeType: string | null,
  limits: ReadingLimits,
  recognition: TextRecognition | undefined,
  source: ByteSource,
): Promise<Content> {
  try {
    return await Content.of(bytes, name, declaredMimeType, limits, recognition, undefined, source);
  } catch (error) {
    throw fail("UNREADABLE_FILE", { file: name, reason: DAMAGED }, { file: name }, error);
  }
}

/** Puts the text of a file, or of a member of one, into the collector. Throws when there is none. */
async function readContent(content: Content, collector: BlockCollector): Promise<SniffedType> {
  if (content.bytes.length === 0) throw content.refused("EMPTY_FILE");
  const before = collector.blocks.length;
  const readMember = memberReader(content, collector, async (member) => void (await readContent(member, collector)));
  let type: SniffedType;
  try {
    type = await sniff(content);
    await type.loader.load(content, collector, readMember);
  } catch (error) {
    if (error instanceof LecternError) throw error;
    // Parsers have many words for it, few of them for people; those go to the log.
    throw content.unreadable(DAMAGED, error);
  }
  if (!hasVisibleText(collector.blocks, before)) throw content.refused("NO_TEXT");
  return type;
}

/** Whether one of the blocks from the first on is more than blanks. A container asks for each member, so those before are not looked at. */
function hasVisibleText(blocks: readonly Block[], first: number): boolean {
  for (let index = first; index < blocks.length; index += 1) if (VISIBLE.test(blocks[index]?.text ?? "")) return true;
  return false;
}
