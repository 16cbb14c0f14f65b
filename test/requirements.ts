/**
 * Tests that only some machines can run. Elsewhere they are skipped, and their names end with what they need, which `bun run verify`
 * tells once more at its end: nothing is left out in silence.
 */
import { describe, test } from "bun:test";

export interface Requirement {
  readonly isMet: boolean;
  /** What is needed, as it follows "needs". */
  readonly what: string;
}

export const superuser: Requirement = { isMet: process.geteuid?.() === 0, what: "to be run by the superuser" };
export const linux: Requirement = { isMet: process.platform === "linux", what: "Linux" };
export const program = (name: string): Requirement => ({
  isMet: Bun.which(name) !== null,
  what: `the program ${name}`,
});

type Declare = (name: string, body: () => void, milliseconds?: number) => void;

/** `test`, where every requirement is met. */
export const testWith = (...requirements: readonly Requirement[]): Declare => declaring(test, test.skip, requirements);

/** `describe`, where every requirement is met. */
export const describeWith = (...requirements: readonly Requirement[]): Declare =>
  declaring(describe, describe.skip, requirements);

function declaring(run: Declare, skip: Declare, requirements: readonly Requirement[]): Declare {
  const unmet = requirements.filter(({ isMet }) => !isMet).map(({ what }) => what);
  if (unmet.length === 0) return run;
  return (name, ...rest) => skip(`${name} [needs ${unmet.join(", and ")}]`, ...rest);
}
