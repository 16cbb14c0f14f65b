/** What the operations work with: the engines and the stored bytes, opened and closed by the appliance. */
import type { Access } from "../access/index.ts";
import type { Answerer } from "../answers/index.ts";
import type { DocumentExtractor } from "../documents/index.ts";
import type { Embedder } from "../embedding/index.ts";
import type { LexicalIndexes } from "../lexical/index.ts";
import type { Log } from "../log.ts";
import type { Store } from "../store/index.ts";
import type { VectorIndexes } from "../vectors/index.ts";
import type { ChunkRoom } from "./chunk-room.ts";
import type { FileStorage } from "./file-storage.ts";

export interface Engines {
  readonly access: Access;
  readonly store: Store;
  readonly embedder: Embedder;
  readonly vectors: VectorIndexes;
  /** null: searches go by vectors alone. */
  readonly lexical: LexicalIndexes | null;
  readonly extractor: DocumentExtractor;
  readonly answerer: Answerer;
  readonly storage: FileStorage;
  readonly chunkRoom: ChunkRoom;
  readonly log: Log;
  /** Results of a search, 5-10. */
  readonly searchResults: number;
}
