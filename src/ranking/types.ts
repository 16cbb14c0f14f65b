/** How candidates are judged, and what the main thread knows of it. */
import type { Ranking } from "./index.ts";

export type RankingMode = "full" | "fast";

/** What the thread tells when it has opened. */
export type RankingTraits = Pick<Ranking, "floor" | "typicalCosine">;
