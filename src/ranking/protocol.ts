/** What the main thread asks the ranking Worker. */
import type { Candidate, Question, Ranking } from "./index.ts";

export type RankingMode = "full" | "fast";

/** What the Worker replies when it has opened. */
export type RankingTraits = Pick<Ranking, "floor" | "typicalCosine">;

export type RankingRequest =
  | { readonly type: "open"; readonly dataDirectory: string; readonly mode: RankingMode }
  | { readonly type: "rank"; readonly question: Question; readonly candidates: readonly Candidate[] }
  | { readonly type: "read"; readonly question: Question; readonly texts: readonly Uint32Array[] }
  | { readonly type: "close" };
