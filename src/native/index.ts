/** The libraries and files inside the executable, reached in the same way from source. */

export { isCompiled, projectRoot, readAsset, readAssetText } from "./assets.ts";
export { settleCacheDirectory, unpackGroup } from "./cache.ts";
export { ownCommand } from "./own-command.ts";
export { loadAddon } from "./addons.ts";
export { setNativeEnvironment } from "./environment.ts";
export { loadUsearch, type CompiledIndex, type Usearch, type UsearchMetric, type UsearchScalar, type UsearchVector } from "./usearch.ts";
