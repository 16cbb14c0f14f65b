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

/** `test`, where every requirement is met. */
export const testWith = (...requirements: readonly Requirement[]): typeof test => runnable(test, requirements);

/** `describe`, where every requirement is met. */
export const describeWith = (...requirements: readonly Requirement[]): typeof describe =>
  runnable(describe, requirements);

function runnable<Kind extends typeof test | typeof describe>(kind: Kind, requirements: readonly Requirement[]): Kind {
  const unmet = requirements.filter(({ isMet }) => !isMet).map(({ what }) => what);
  if (unmet.length === 0) return kind;
  return ((name: string, ...rest: [() => void]) =>
    kind.skip(`${name} [needs ${unmet.join(", and ")}]`, ...rest)) as Kind;
}
