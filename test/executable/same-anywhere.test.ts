/** Nothing in the executable says where it was built, so that the same source makes the same bytes on any machine. */
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { projectRoot } from "../../src/native/index.ts";
import { testWith } from "../requirements.ts";
import { builtExecutable, executable } from "./executable.ts";

testWith(executable)("no path of the folder that it was built in is in it", () => {
  expect(readFileSync(builtExecutable!).indexOf(`${projectRoot}/node_modules`)).toBe(-1);
  expect(readFileSync(builtExecutable!).indexOf(`${projectRoot}/src`)).toBe(-1);
});
