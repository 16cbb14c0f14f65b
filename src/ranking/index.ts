/**
 * The second look at a search's candidates: reads each word by word, by the built-in table's own vectors, and says which answer the
 * question best and how surely. Works in a Worker of its own. How each part works: units.ts (tokens → words),
 * asked.ts (a question's words and their weights), unit-vectors.ts (words → signs), reading.wat (the inner loops), inputs.ts (what the network is
 * given), network.ts (the judgement).
 */
import type { Ranking, RankingOptions } from "./types.ts";
import { RankingClient } from "./ranking-client.ts";

export { chooseCandidates } from "./candidates.ts";
export { plainSum } from "./inputs.ts";
export { joinedSimilarity } from "./joined-similarity.ts";
export type * from "./types.ts";

/** The database must be there. Throws OPERATION_FAILED when the built-in model's files cannot be read. */
export const openRanking = ({ onTrouble = () => {}, ...options }: RankingOptions): Promise<Ranking> =>
  RankingClient.open(options, onTrouble);
