/** What `doctor` says of one thing, and how it is shown. */
import { columns, print, wrap } from "../terminal.ts";

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

const marks = { good: "ok     ", warning: "warning", bad: "WRONG  " } as const;

export function printFinding({ subject, state, sentence, mend }: Finding): void {
  print(`${marks[state]}  ${subject}: ${sentence}`);
  if (mend !== null) for (const line of wrap(mend, columns() - 11)) print(`           ${line}`);
}
