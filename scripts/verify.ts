/**
 * `bun run verify`: installs, checks format, style and types, builds, runs the tests and the quickstart, then the executable alone with the
 * build tree out of reach. What failed, and what was skipped with what it needs, is told once more before the last line, "N passed, N failed,
 * N skipped"; the exit code is 0 when none failed.
 */
import { join } from "node:path";
import { build, bun, install, root, step, type StepResult } from "./steps.ts";
import { readTestReport } from "./test-report.ts";

/** A machine that is busy with other things makes a test slow, not wrong. */
const patience = ["--timeout", "60000"];

let passed = 0;
let failed = 0;
const failures: string[] = [];
const skipped: string[] = [];

/** A step that is one check. */
function count(result: StepResult): boolean {
  if (result.ok) passed++;
  else failed++;
  return result.ok;
}

/** A run of `bun test`: adds its own counts, and one failure when it ended badly without naming any. */
function countTests({ ok, output }: StepResult): void {
  const report = readTestReport(output);
  passed += report.passed;
  failed += report.failed;
  failures.push(...report.failures);
  skipped.push(...report.skipped);
  if (!ok && report.failed === 0) failed++;
}

const installed = count(await install());
if (installed) {
  count(
    await step(
      "Checking format and style",
      bun("node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings"),
    ),
  );
  const typescript = "node_modules/typescript/bin/tsc";
  count(await step("Checking types", bun(typescript, "--noEmit")));
  count(await step("Checking the console's types", bun(typescript, "--noEmit", "--project", "src/console")));
  const built = count(await build());
  // Those of the executable come when it is built, in a run of their own.
  const withoutExecutable = ["--path-ignore-patterns", "test/executable/**"];
  countTests(await step("Running the tests", bun("test", ...patience, ...withoutExecutable), { show: true }));
  if (built) {
    const environment = { LECTERN_TEST_EXECUTABLE: join(root, "dist/lectern") };
    count(await step("Running the quickstart", bun("scripts/quickstart.ts")));
    countTests(
      await step("Running the executable alone", bun("test", ...patience, "test/executable"), {
        environment,
        show: true,
      }),
    );
  }
}
for (const failure of failures) console.log(`\n${failure}\n`);
for (const test of skipped) console.log(`skipped: ${test}`);
console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
process.exit(failed === 0 ? 0 : 1);
