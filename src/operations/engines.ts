/** What the operations work with: the engines and the stored bytes, opened and closed by the appliance. */
import type { Access } from "../access/index.ts";
import type { Answerer } from "../answers/index.ts";
import type { FileStorage } from "../files/index.ts";
import type { Log } from "../foundation/log.ts";
import type { Store } from "../store/index.ts";
import type { ChunkRoom } from "./chunk-room.ts";
import type { Clearing } from "./clearing.ts";
import type { DatasetTotals } from "./dataset-totals.ts";
import type { DiskRoom } from "./disk-room.ts";
import type { ModelsInUse } from "./models-in-use.ts";
import type { SecondStage } from "./ranking.ts";
import type { RunningSearches } from "./running-searches.ts";
import type { UploadJobs } from "./upload-jobs.ts";

export interface Engines {
  readonly access: Access;
  readonly store: Store;
  /** Embedding models, each with the engines that belong to it. */
  readonly models: ModelsInUse;
  /** Reads candidates of searches; null: they are not read. */
  readonly secondStage: SecondStage | null;
  readonly answerer: Answerer;
  readonly storage: FileStorage;
  readonly datasetTotals: DatasetTotals;
  /** Clears up what was deleted. */
  readonly clearing: Clearing;
  /** Files that are read in the background. */
  readonly uploadJobs: UploadJobs;
  readonly runningSearches: RunningSearches;
  readonly chunkRoom: ChunkRoom;
  readonly diskRoom: DiskRoom;
  readonly log: Log;
  /** Results of a search, 5-10. */
  readonly searchResults: number;
  /** A query is answered from passages that score at least so much; null: as the ranking's calibration says. */
  readonly answerFloor: number | null;
}
