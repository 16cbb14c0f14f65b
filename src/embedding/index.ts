/**
 * Text → vector, and text → token positions, by any model folder with a manifest.
 *
 * The model runs in its own Worker, so nothing here blocks the calling thread; what others need is in types.ts.
 */

import type { Embedder, EmbedderOptions, TokenCounter } from "./types.ts";

export type { ModelManifest, SearchMode } from "./manifest.ts";
export type * from "./types.ts";
export { modelFolder, modelIdentity, readManifest, verifyModelFiles } from "./model-folder.ts";

/** Opens a model: reads its manifest, starts its Worker and resolves once one text has been embedded correctly. */
export async function openEmbedder(options: EmbedderOptions): Promise<Embedder> {
  const { startEmbedder } = await import("./embedder.ts");
  return startEmbedder(options);
}

/** Opens only the tokenizer of a model folder. */
export async function openTokenCounter(options: { readonly modelDirectory: string | null }): Promise<TokenCounter> {
  const { createTokenCounter } = await import("./token-counter.ts");
  return createTokenCounter(options.modelDirectory);
}
