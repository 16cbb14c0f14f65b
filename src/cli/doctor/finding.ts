/** One thing that `doctor` looked at. */
export interface Finding {
  readonly subject: string;
  readonly state: "good" | "warning" | "bad";
  /** What is so. */
  readonly sentence: string;
  /** How to mend it; null where nothing is to be done. */
  readonly mend: string | null;
}

export const good = (subject: string, sentence: string): Finding => ({ subject, state: "good", sentence, mend: null });
export const bad = (subject: string, sentence: string, mend: string): Finding => ({
  subject,
  state: "bad",
  sentence,
  mend,
});
export const warning = (subject: string, sentence: string, mend: string): Finding => ({
  subject,
  state: "warning",
  sentence,
  mend,
});
