/** The child's side of extraction. */
import type { TokenCounterLike } from "./types.ts";

export async function runExtractorRole(counter: TokenCounterLike): Promise<void> {
  throw new Error(`not built yet: ${typeof counter}`);
}
