/** A failed test is told again at the end of the whole run, where a log that was cut short still shows it. */
import { expect, test } from "bun:test";
import { failedTests } from "../../scripts/failed-tests.ts";

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

2 tests failed:
(fail) group > wrong [1.66ms]
`;

test("a failed test has its file, its output and its error, a passed one has nothing", () => {
  expect(failedTests(output)).toEqual([
    "test/a.test.ts:\nsaid\nerror: expect(received).toBe(expected)\n      at <anonymous> (/tmp/t/a.test.ts:3:72)\n(fail) group > wrong [1.66ms]",
    "test/b.test.ts:\n(fail) group > times out [100.28ms]\n  ^ this test timed out after 100ms.",
  ]);
});

test("nothing failed, nothing is told", () => {
  expect(failedTests("test/a.test.ts:\n(pass) fine [0.01ms]\n\n 1 pass\n 0 fail\n")).toEqual([]);
});
