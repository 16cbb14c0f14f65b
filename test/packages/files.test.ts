/** The packages as files: their sums, what Debian's own check says of them, and the executable in the portable one. */
import { expect, setDefaultTimeout } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { program, testWith } from "../requirements.ts";
import { debian, packages, unpack } from "./packages.ts";

setDefaultTimeout(300_000);

testWith(packages.requirement)("SHA256SUMS is right for every package", () => {
  const checked = Bun.spawnSync(["sha256sum", "--check", "SHA256SUMS"], { cwd: packages.folder });
  expect(checked.exitCode).toBe(0);
  for (const name of [
    `lectern-${version}-linux-x64.tar.gz`,
    `lectern_${version}_arm64.deb`,
    `lectern-${version}.cdx.json`,
  ])
    expect(checked.stdout.toString()).toContain(`${name}: OK\n`);
});

testWith(packages.requirement, program("lintian"))("lintian finds nothing in the Debian package", () => {
  const checked = Bun.spawnSync(["lintian", "--allow-root", "--fail-on", "error,warning", debian("amd64")]);
  expect(checked.stdout.toString()).toBe("");
  expect(checked.exitCode).toBe(0);
});

testWith(packages.requirement)(
  "the executable of the portable archive prints its version, its licences and its completions",
  () => {
    const { folder, remove } = unpack(`linux-${process.arch}`);
    const print = (...words: string[]): string => {
      const ran = Bun.spawnSync([join(folder, "lectern"), ...words], { env: { PATH: process.env.PATH, HOME: folder } });
      expect(ran.stderr.toString()).toBe("");
      return ran.stdout.toString();
    };
    const read = (name: string): string => readFileSync(join(folder, name), "utf8");
    expect(print("version")).toStartWith(`lectern ${version} (linux-${process.arch}`);
    const licences = print("licenses");
    expect(licences).toContain(read("LICENSE"));
    expect(licences).toContain(read("THIRD_PARTY_NOTICES.txt").trim());
    expect(print("completions", "zsh")).toBe(read("completions/_lectern"));
    remove();
  },
);
