/** Opens the store: starts the writer, then a reading connection. */
import type { Store, StoreOptions } from "./index.ts";

export function openStore(_options: StoreOptions): Promise<Store> {
  throw new Error("not there yet");
}
