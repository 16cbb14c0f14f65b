/** When what is saved of a dataset's vectors is made anew or extended: dead rows, rows outside the checkpoint and rows outside the graph stay few. Pure. */
import type { BuildJob, SearchSettings } from "../types.ts";
import type { VectorIndex } from "./vector-index.ts";

/** A checkpoint or graph is extended when this many rows, or this share of all, are beyond it, whichever is more, up to a limit. */
const TAIL_LEAST = 8192;
const TAIL_SHARE = 0.04;
const TAIL_MOST = 32_768;
/** With more than this share of dead rows an index is built anew without them. */
const DEAD_SHARE = 0.25;
/** Below this many rows dead ones are too few to matter. */
const DEAD_ROWS_LEAST = 1000;

type Rows = Pick<VectorIndex, "liveRows" | "deadShare" | "graphRows" | "savedRows" | "liveChunkIds"> & {
  readonly matrix: Pick<VectorIndex["matrix"], "rows">;
};

/** Whether so many rows are dead that an index is made anew without them. */
export function isCrowded({ matrix: { rows }, liveRows, deadShare }: Rows): boolean {
  return rows > 0 && (liveRows === 0 || (deadShare > DEAD_SHARE && rows - liveRows > DEAD_ROWS_LEAST));
}

/** Whether that is little work, to be done at once and in memory. */
export function isCompactedAtOnce(index: Rows): boolean {
  return isCrowded(index) && index.liveRows < TAIL_LEAST;
}

/** The checkpoint that is to be written of an index; null while what is saved is near enough. `isTrusted`: whether it can be built upon. */
export function plannedBuild(
  datasetId: number,
  index: Rows,
  { modelId, dimensions, parameters, dataDirectory, graphLimit }: SearchSettings,
  isTrusted: boolean,
): BuildJob | null {
  const { rows } = index.matrix;
  const compacts = isCrowded(index);
  const enough = Math.min(TAIL_MOST, Math.max(TAIL_LEAST, rows * TAIL_SHARE));
  const graph = index.liveRows > graphLimit && (rows - index.graphRows >= enough || index.graphRows === 0 || compacts);
  if (!compacts && !graph && rows - index.savedRows < enough) return null;
  const base = compacts || index.savedRows === 0 || !isTrusted ? "nothing" : "checkpoint";
  const savedRows = base === "nothing" ? 0 : index.savedRows;
  const chunkIds = index.liveChunkIds(savedRows);
  return { datasetId, dataDirectory, modelId, dimensions, parameters, base, savedRows, compacts, graph, chunkIds };
}
