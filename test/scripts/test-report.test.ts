/** A failed or skipped test is told again at the end of the whole run, where a log that was cut short still shows it. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { readTestReport } from "../../scripts/test-report.ts";

const output = `bun test v1.4.4 (38afee6c8)

test/a.test.ts:
(pass) fine [0.01ms]
said
error: expect(received).toBe(expected)
      at <anonymous> (/tmp/t/a.test.ts:3:72)
(fail) group > wrong [1.66ms]

test/b.test.ts:
(fail) group > times out [100.28ms]
  ^ this test timed out after 100ms.
(pass) fine, too [0.11ms]
(skip) group [needs the program strace] > (unnamed)
(skip) group [needs the program strace] > traced

2 tests skipped:
(skip) group [needs the program strace] > traced

2 tests failed:
(fail) group > wrong [1.66ms]

 2 pass
 1 skip
 2 fail
`;

test("a failed test has its file, its output and its error, a passed one has nothing", () => {
  expect(readTestReport(output).failures).toEqual([
    "test/a.test.ts:\nsaid\nerror: expect(received).toBe(expected)\n      at <anonymous> (/tmp/t/a.test.ts:3:72)\n(fail) group > wrong [1.66ms]",
    "test/b.test.ts:\n(fail) group > times out [100.28ms]\n  ^ this test timed out after 100ms.",
  ]);
});

test("a skipped test has its file, its name and what it needs", () => {
  expect(readTestReport(output).skipped).toEqual(["test/b.test.ts: group [needs the program strace] > traced"]);
});

test("what passed and failed is counted", () => {
  expect(readTestReport(output)).toMatchObject({ passed: 2, failed: 2 });
});

test("nothing failed, nothing is told", () => {
  const report = readTestReport("test/a.test.ts:\n(pass) fine [0.01ms]\n\n 1 pass\n 0 fail\n");
  expect(report).toEqual({ passed: 1, failed: 0, failures: [], skipped: [] });
});

const skipping = /\b(?:test|describe|it)(?:\.(?:skip|skipIf|todo|todoIf|if|only)\b)/;

test("no test is skipped but by what it needs, which its name then tells", async () => {
  const folder = join(import.meta.dir, "..");
  const files = [...new Bun.Glob("**/*.test.ts").scanSync(folder)];
  expect(files.length).toBeGreaterThan(100);
  const bare = await Promise.all(
    files.map(async (path) => (skipping.test(await Bun.file(join(folder, path)).text()) ? [path] : [])),
  );
  expect(bare.flat()).toEqual([]);
});
