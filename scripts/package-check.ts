/**
 * `bun run package:check`: makes the packages and tries them: Debian's own check, a Debian with systemd in a container, arm64 by emulation.
 * What a machine does not permit is left out and said. Takes some ten minutes, and fetches those systems from Debian once.
 */
import { join } from "node:path";
import { fetchArm64Root } from "./package/arm64-emulation.ts";
import { makeDebianRoot } from "./package/debian-root.ts";
import { bun, root, step } from "./steps.ts";
import { readTestReport } from "./test-report.ts";

const made = await step("Making the packages", bun("scripts/package.ts"), { show: true });
if (!made.ok) process.exit(1);

const environment: Record<string, string> = { LECTERN_TEST_PACKAGES: join(root, "dist") };
function offer(variable: string, folder: string, obstacle: string | null): void {
  if (obstacle === null) environment[variable] = folder;
  else console.log(`${variable} is left out: ${obstacle}.`);
}
const arm64Root = join(root, "build/arm64-root");
offer("LECTERN_TEST_ARM64_ROOT", arm64Root, fetchArm64Root(arm64Root));
const debianRoot = join(root, "build/debian-root");
offer("LECTERN_TEST_DEBIAN_ROOT", debianRoot, makeDebianRoot(debianRoot));

const tested = await step("Trying the packages", bun("test", "test/packages"), { environment, show: true });
for (const test of readTestReport(tested.output).skipped) console.log(`skipped: ${test}`);
process.exit(tested.ok ? 0 : 1);
