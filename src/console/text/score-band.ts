/** What a score is worth. Pure. */

export const SCORE_BANDS = ["high", "relevant", "possible", "weak"] as const;
export type ScoreBand = (typeof SCORE_BANDS)[number];

export function scoreBand(score: number): ScoreBand {
  if (score >= 0.9) return "high";
  if (score >= 0.8) return "relevant";
  return score >= 0.7 ? "possible" : "weak";
}
