/** Reads vectors in pages. */
import type { VectorReader } from "./index.ts";

export function openVectorReader(_options: { dataDirectory: string; dimensions: number }): VectorReader {
  throw new Error("not there yet");
}
