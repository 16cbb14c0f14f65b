/** What must be settled in this process before a native library is loaded. */
import { join } from "node:path";
import type { Config } from "../config.ts";
import { setNativeEnvironment, settleCacheDirectory } from "../native/index.ts";

/** Chooses the folder to unpack into, and sets what native libraries read from the environment. Throws OPERATION_FAILED when the folder cannot be used. */
export async function prepareNative(config: Config): Promise<void> {
  settleCacheDirectory({ directory: config.cacheDirectory, fallback: join(config.dataDirectory, "cache") });
  await setNativeEnvironment();
}
