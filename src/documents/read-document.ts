/** One file from its bytes to its chunks. This is the work of the child process. */
import { fail, LecternError } from "../foundation/errors.ts";
import { BlockCollector } from "./block-collector.ts";
import { chunkBlocks } from "./chunk.ts";
import { Content } from "./content.ts";
import { defaultReadingLimits } from "./limits.ts";
import type { ReadingLimits } from "./limits.ts";
import { sniff } from "./sniff.ts";
import type { Block } from "./blocks.ts";
import type { ExtractedDocument, ExtractionRequest, TokenCounterLike } from "./types.ts";

/** Something that can be seen or said: not only blanks, format characters and the sign for what could not be decoded. */
const VISIBLE = /[^\s\p{Cf}\p{Cc}\p{Cn}\uFFFD]/u;

/** Throws the errors of DocumentExtractor.extract. */
export async function readDocument(
  request: ExtractionRequest,
  limits: Partial<ReadingLimits>,
  counter: TokenCounterLike,
): Promise<ExtractedDocument> {
  const bytes = await Bun.file(request.path).bytes();
  const { blocks, ...type } = await readBlocks(bytes, request.originalName, request.declaredMimeType, limits);
  const chunks = await chunkBlocks(blocks, request.chunking, counter);
  const { maxChunks } = { ...defaultReadingLimits, ...limits };
  if (chunks.length > maxChunks) {
    const file = request.originalName;
    throw fail(
      "UNREADABLE_FILE",
      {
        file,
        reason: `it makes ${chunks.length} chunks of this size, and the limit is ${maxChunks}; use larger chunks or split it`,
      },
      { file },
    );
  }
  return { ...type, chunks };
}

/** The blocks of a file, never without visible text. */
export async function readBlocks(
  bytes: Uint8Array,
  name: string,
  declaredMimeType: string | null,
  limits: Partial<ReadingLimits> = {},
): Promise<{ loaderId: string; mimeType: string; extension: string; blocks: Block[] }> {
  if (bytes.length === 0) throw fail("EMPTY_FILE", { file: name }, { file: name });
  const content = await Content.of(bytes, name, declaredMimeType, { ...defaultReadingLimits, ...limits });
  const { loader, mimeType, extension } = await sniff(content);
  const collector = new BlockCollector(content);
  try {
    await loader.load(content, collector);
  } catch (error) {
    if (error instanceof LecternError) throw error;
    // Parsers have many words for it, few of them for people; those go to the log.
    throw content.unreadable("it is damaged or not what its type says", error);
  }
  if (!collector.blocks.some(({ text }) => VISIBLE.test(text))) throw fail("NO_TEXT", { file: name }, { file: name });
  return { loaderId: loader.id, mimeType, extension, blocks: collector.blocks };
}
