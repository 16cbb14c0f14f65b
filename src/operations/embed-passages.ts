/** A document's passages → vectors and terms, a few at a time, so that a large document costs little more memory than its text. */
import type { Passage } from "../documents/index.ts";
import type { Embedder } from "../embedding/index.ts";
import { spoolChunks, type EmbeddedChunks, type NewFile, type SpooledChunks } from "../store/index.ts";
import type { SpoolPlace } from "./passage-queue.ts";
import { passageText } from "./passage-text.ts";

/**
 * Chunks handed to the embedder at a time, so that one large file neither fills its queue nor holds it for long, and what is done here between
 * two slices is soon over.
 */
const CHUNKS_PER_SLICE = 32;
/** Chunks of a file that are kept in memory with their vectors: some 6 MB. */
const CHUNKS_IN_MEMORY = 1024;

/**
 * The passages with their vectors and terms; those of a large file are laid by, but for the last: in memory they would take
 * several times what their text does. Vectors are held in half precision, which is finer than what is stored.
 */
export async function embedPassages(
  embedder: Embedder,
  passages: AsyncIterable<readonly Passage[]> | Iterable<readonly Passage[]>,
  { path, checkRoom }: SpoolPlace,
  signal: AbortSignal,
): Promise<EmbeddedChunks & Pick<NewFile, "spooled">> {
  let spooled: SpooledChunks | null = null;
  let held = noChunks();
  let before: string | null = null;
  for await (const piece of passages)
    for (let start = 0; start < piece.length; start += CHUNKS_PER_SLICE) {
      signal.throwIfAborted();
      if (held.chunks.length >= CHUNKS_IN_MEMORY) {
        await checkRoom();
        spooled = await spoolChunks(path, spooled, held);
        held = noChunks();
        // The collector would wait until the heap has doubled, several times.
        Bun.gc(false);
      }
      const slice = piece.slice(start, start + CHUNKS_PER_SLICE);
      const texts: string[] = [];
      for (const passage of slice) {
        texts.push(passageText(embedder.manifest, { ...passage, before }));
        before = passage.text;
      }
      const { vectors, terms } = await embedder.embedWithTerms(texts, "passage", "upload");
      held.chunks.push(...slice.map(({ text }) => text));
      held.notes.push(...slice);
      held.vectors.push(...inHalfPrecision(vectors));
      held.terms.push(...terms);
    }
  return { ...held, spooled };
}

/** Lets go of the vectors, which are parts of one buffer: thousands of them would be there until garbage is collected. */
function inHalfPrecision(vectors: readonly Float32Array[]): Float16Array[] {
  const halves = vectors.map((vector) => new Float16Array(vector));
  (vectors[0]?.buffer as ArrayBuffer | undefined)?.transfer(0);
  return halves;
}

function noChunks() {
  return { chunks: [] as string[], notes: [] as Passage[], vectors: [] as Float16Array[], terms: [] as Uint32Array[] };
}
