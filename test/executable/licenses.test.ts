/** The licences of what is inside the executable, which it prints itself. */
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { thirdPartyNotices } from "../../scripts/executable/notices.ts";
import { projectRoot } from "../../src/native/index.ts";
import { testWith } from "../requirements.ts";
import { command, executable, placeAlone } from "./executable.ts";

testWith(executable)("the executable prints its own licence and all others", () => {
  const alone = placeAlone();
  const { code, stdout } = command(alone, ["licenses"]);
  expect(code).toBe(0);
  expect(stdout).toStartWith(readFileSync(join(projectRoot, "LICENSE"), "utf8"));
  expect(stdout.trim()).toEndWith(thirdPartyNotices(projectRoot).trim());
  alone.remove();
});
