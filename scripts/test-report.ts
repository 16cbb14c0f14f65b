/** What a run of `bun test` said of the tests that failed or were skipped, so that it can be said again where nobody has to look for it. */

export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  /** Of each failed test its file and name with what was printed before it: its own output and the error. */
  readonly failures: readonly string[];
  /** Of each skipped test its file and its name, which ends with what it needs. */
  readonly skipped: readonly string[];
}

/** The line with which a test, or a file's heading, ends what was said of the one before. */
const RESULT = /^\((?:pass|fail|skip|todo)\) |^\S+\.test\.ts:$/;
const FAILED = /^\(fail\) /;
/** A skipped group lists its hooks too, which have no name. */
const SKIPPED = /^\(skip\) (?!.*\(unnamed\)$)/;
/** Below a test's own line, what became of it. */
const REMARK = /^ {2}\^ /;
/** Where bun's own list of names begins, which says nothing of why. */
const CLOSING = /^\d+ tests? (?:failed|skipped|todo):$/m;

/** Reads standard output and standard error of a run. */
export function readTestReport(output: string): TestReport {
  const failures: string[] = [];
  const skipped: string[] = [];
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
    if (SKIPPED.test(line)) skipped.push(`${file} ${line.replace(SKIPPED, "")}`);
    said = [];
  }
  return { passed: countOf("pass", output), failed: countOf("fail", output), failures, skipped };
}

function countOf(word: string, output: string): number {
  return Number(output.match(new RegExp(`^\\s*(\\d+) ${word}$`, "m"))?.[1] ?? 0);
}
