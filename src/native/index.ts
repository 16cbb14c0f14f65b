/** The libraries and files inside the executable, reached in the same way from source. */

export { embeddedFileBytes, isCompiled, projectRoot, readAsset, readAssetText } from "./assets.ts";
export { embeddedGroupFolder, settleCacheDirectory, unpackEverything, type CacheCheck } from "./unpack.ts";
export { answerEnvironment, childEnvironment } from "./child-environment.ts";
export { ownCommand } from "./own-command.ts";
export { importOwnModule } from "./own-module.ts";
export { startOwnWorker, type WorkerEntryPoint } from "./own-worker.ts";
export { loadAddon } from "./addons.ts";
export { setNativeEnvironment } from "./environment.ts";
export { endWithParent } from "./end-with-parent.ts";
export { openServiceManager, type ServiceManager } from "./service-manager.ts";
export { beExpendable, giveWay, lowerThreadPriority, takeShortTurns } from "./thread-priority.ts";
export {
  loadUsearch,
  type CompiledIndex,
  type Usearch,
  type UsearchMetric,
  type UsearchScalar,
  type UsearchVector,
} from "./usearch.ts";
