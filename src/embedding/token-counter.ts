/** Only the tokenizer of a model, for whoever cuts text into chunks by the model's own tokens. */

import { setNativeEnvironment } from "../native/index.ts";
import type { TokenCounter } from "./types.ts";
import { modelFolder, readManifest } from "./model-folder.ts";
import { ModelTokenizer } from "./tokenizer.ts";

/** Loads the tokenizer of a model folder, null being the built-in model. */
export async function createTokenCounter(modelDirectory: string | null): Promise<TokenCounter> {
  await setNativeEnvironment();
  const manifest = await readManifest(modelDirectory);
  const tokenizer = ModelTokenizer.load(modelFolder(modelDirectory), null);
  tokenizer.quicken();
  const taken = (await tokenizer.specialTokenCount()) + (await tokenizer.count(manifest.passagePrefix));
  return { maxTokens: manifest.maxTokens - taken, offsets: (text) => tokenizer.offsets(text) };
}
