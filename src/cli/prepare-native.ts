/** What must be settled in this process before a native library is loaded. */
import { join } from "node:path";
import type { Config } from "../options/config.ts";
import { log } from "../foundation/log.ts";
import { setNativeEnvironment, settleCacheDirectory, type CacheCheck } from "../native/index.ts";

/** A server says once, at its start, what it did not load. */
const logged: CacheCheck = {
  onDistrust: (reason) =>
    log.warn("Native libraries in the cache folder were not trusted and are unpacked anew", { reason }),
};

/** Chooses the folder to unpack into, and sets what native libraries read from the environment. Throws OPERATION_FAILED when the folder cannot be used. */
export async function prepareNative(config: Config, check = logged): Promise<void> {
  settleCacheDirectory({ directory: config.cacheDirectory, fallback: join(config.dataDirectory, "cache") }, check);
  await setNativeEnvironment();
}
