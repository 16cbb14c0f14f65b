/** What a run of `bun test` said of the tests that failed, so that it can be said again where nobody has to look for it. */

/** The line with which a test, or a file's heading, ends what was said of the one before. */
const RESULT = /^\((?:pass|fail|skip|todo)\) |^\S+\.test\.ts:$/;
const FAILED = /^\(fail\) /;
/** Below a test's own line, what became of it. */
const REMARK = /^ {2}\^ /;
/** Where bun's own list of names begins, which says nothing of why. */
const CLOSING = /^\d+ tests? (?:failed|skipped|todo):$/m;

/** Each failed test's file and name with what was printed before it: its own output and the error. */
export function failedTests(output: string): string[] {
  const failures: string[] = [];
  let file = "";
  let said: string[] = [];
  const lines = output.split(CLOSING, 1)[0]!.split("\n");
  for (const [at, line] of lines.entries()) {
    if (!RESULT.test(line)) {
      said.push(line);
      continue;
    }
    if (line.endsWith(":")) file = line;
    if (FAILED.test(line)) {
      const remark = lines[at + 1] ?? "";
      failures.push(
        [file, ...said.filter((one) => !REMARK.test(one)), line, ...(REMARK.test(remark) ? [remark] : [])].join("\n"),
      );
    }
    said = [];
  }
  return failures;
}
