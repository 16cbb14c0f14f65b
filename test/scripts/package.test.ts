/** What packages hold beside the executable, which here is a few bytes: the real ones are tested in test/packages/. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debianPackage } from "../../scripts/package/debian-package.ts";
import { portableArchive, portableFiles } from "../../scripts/package/portable-archive.ts";
import { describeRelease } from "../../scripts/package/release.ts";
import { commands } from "../../src/cli/index.ts";
import { options, unknownVariables, variableOf, type OptionName } from "../../src/options/config.ts";
import { projectRoot } from "../../src/native/index.ts";
import { program, testWith, type Requirement } from "../requirements.ts";

const SECONDS = 1_700_000_000;
const release = describeRelease(SECONDS);
const executable = Buffer.from("#!/bin/sh\n");

/** Runs a program on a file with these bytes, or in a folder with it, and returns what it printed. */
function run(command: (path: string) => string[], bytes: Uint8Array | string, name = "file"): string {
  const folder = mkdtempSync(join(tmpdir(), "lectern-package-"));
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const ran = Bun.spawnSync(command(path), { cwd: folder, env: { ...process.env, TZ: "UTC", LC_ALL: "C.UTF-8" } });
  rmSync(folder, { recursive: true });
  expect(ran.stderr.toString()).toBe("");
  return ran.stdout.toString();
}

describe("the archives", () => {
  test("are the same bytes for the same contents", () => {
    expect(portableArchive(release, "linux-x64", executable)).toEqual(
      portableArchive(release, "linux-x64", executable),
    );
    expect(debianPackage(release, "amd64", executable)).toEqual(debianPackage(release, "amd64", executable));
  });

  testWith(program("tar"))(
    "the portable one unpacks into one folder, everything the superuser's and of one time",
    () => {
      const listing = run((path) => ["tar", "tvzf", path], portableArchive(release, "linux-x64", executable))
        .trim()
        .split("\n");
      const top = `lectern-${release.version}-linux-x64/`;
      for (const { path } of portableFiles(release, executable))
        expect(listing).toContainEqual(expect.stringContaining(top + path));
      for (const line of listing) expect(line).toMatch(/ root\/root .* 2023-11-14 22:13 lectern-/);
      expect(listing.find((line) => line.endsWith(`${top}lectern`))).toStartWith("-rwxr-xr-x");
    },
  );
});

describe("the Debian package", () => {
  const bytes = debianPackage(release, "amd64", executable);

  testWith(program("dpkg-deb"))("is one to dpkg, with what it needs and what is a configuration file", () => {
    const fields = run((path) => ["dpkg-deb", "--field", path], bytes, "lectern.deb");
    for (const field of [
      "Package: lectern",
      `Version: ${release.version}`,
      "Architecture: amd64",
      "Depends: libc6 (>= 2.34)",
    ])
      expect(fields).toContain(field);
    expect(run((path) => ["dpkg-deb", "--info", path, "conffiles"], bytes, "lectern.deb")).toBe(
      "/etc/default/lectern\n",
    );
  });

  testWith(program("dpkg-deb"))("puts every file where it belongs, everything the superuser's", () => {
    const listing = run((path) => ["dpkg-deb", "--contents", path], bytes, "lectern.deb")
      .trim()
      .split("\n");
    const expected = [
      ["-rwxr-xr-x", "./usr/bin/lectern"],
      ["-rw-r--r--", "./lib/systemd/system/lectern.service"],
      ["-rw-r--r--", "./etc/default/lectern"],
      ["-rw-r--r--", "./usr/share/man/man1/lectern.1.gz"],
      ["-rw-r--r--", "./usr/share/bash-completion/completions/lectern"],
      ["-rw-r--r--", "./usr/share/zsh/vendor-completions/_lectern"],
      ["-rw-r--r--", "./usr/share/fish/vendor_completions.d/lectern.fish"],
      ["-rw-r--r--", "./usr/share/lectern/clients/typescript/dist/index.js"],
      ["-rw-r--r--", "./usr/share/lectern/clients/python/lectern/client.py"],
      ["-rw-r--r--", "./usr/share/doc/lectern/copyright"],
      ["-rw-r--r--", "./usr/share/doc/lectern/THIRD_PARTY_NOTICES.txt.gz"],
    ];
    for (const [mode, path] of expected)
      expect(listing).toContainEqual(
        expect.stringMatching(new RegExp(`^${mode} root/root .* ${RegExp.escape(path!)}$`)),
      );
  });

  test("its scripts are ones to the shell, and its options are ones of the server", () => {
    const own = (name: string): string => readFileSync(join(projectRoot, "scripts/package/debian", name), "utf8");
    for (const script of ["config", "postinst", "prerm", "postrm"]) run((path) => ["sh", "-n", path], own(script));
    const named = [...own("default").matchAll(/^#?(LECTERN_\w+)=/gm)].map(([, name]) => [name!, ""]);
    expect(named).not.toBeEmpty();
    expect(unknownVariables(Object.fromEntries(named))).toEqual([]);
  });
});

describe("the manual page", () => {
  const shown = (page: string): string => page.replaceAll("\\-", "-");

  test("names every command with its flags, and every option with its variable", () => {
    const page = shown(release.manPage);
    for (const { name, flags } of commands) {
      expect(page).toContain(`.SS "lectern ${name}`);
      for (const flag of Object.keys(flags)) expect(page).toContain(`\\fB--${flag}\\fR`);
    }
    for (const name of Object.keys(options) as OptionName[]) {
      expect(page).toContain(`\\fB--${options[name].flag}\\fR`);
      expect(page).toContain(variableOf(name));
    }
  });

  testWith(program("groff"))("is one to troff, without a warning", () => {
    expect(run((path) => ["groff", "-man", "-ww", "-Tutf8", path], release.manPage)).toContain("LECTERN(1)");
  });
});

describe("the service", () => {
  const analyze: Requirement = {
    isMet: /--offline/.test(Bun.which("systemd-analyze") ? run(() => ["systemd-analyze", "--help"], "") : ""),
    what: "systemd-analyze of systemd 250 or newer",
  };

  testWith(analyze)("is exposed at most 3.0 by systemd's own count, which calls that OK", () => {
    const judged = run(
      (path) => ["systemd-analyze", "security", "--offline=true", "--no-pager", path],
      release.unit,
      "lectern.service",
    );
    const [, score] = /Overall exposure level for lectern.service: ([\d.]+)/.exec(judged)!;
    expect(Number(score)).toBeLessThanOrEqual(3);
  });

  test("sets options that there are, for folders that it makes", () => {
    const set = [...release.unit.matchAll(/(LECTERN_\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!] as const);
    expect(Object.fromEntries(set)).toEqual({
      LECTERN_DATA_DIR: "/var/lib/lectern",
      LECTERN_CACHE_DIR: "/var/cache/lectern",
    });
    for (const line of ["StateDirectory=lectern", "StateDirectoryMode=0700", "CacheDirectory=lectern", "Type=notify"])
      expect(release.unit).toContain(`${line}\n`);
  });
});

describe("the Dockerfile", () => {
  const lines = release.dockerfile.replaceAll("\\\n", " ").split("\n");
  const instructions = lines.filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split(/\s+/));
  const of = (name: string): string[][] => instructions.filter(([word]) => word === name).map(([, ...words]) => words);

  test("copies only what lies beside it in the portable archive", () => {
    const beside = portableFiles(release, executable).map(({ path }) => path);
    const copied = of("COPY").flatMap((words) => words.slice(0, -1));
    expect(copied).toContain("lectern");
    expect(beside).toEqual(expect.arrayContaining(copied));
  });

  test("runs the executable without a shell, as its own user, and asks it for its health", () => {
    expect(of("USER")).toEqual([["lectern"]]);
    expect(of("VOLUME")).toEqual([["/var/lib/lectern"]]);
    const json = (words: string[]): unknown => JSON.parse(words.join(" "));
    expect(of("ENTRYPOINT").map(json)).toEqual([["/usr/bin/lectern"]]);
    expect(of("CMD").map(json)).toEqual([["serve"]]);
    const [check] = of("HEALTHCHECK");
    expect(json(check!.slice(check!.indexOf("CMD") + 1))).toEqual(["/usr/bin/lectern", "health"]);
    expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(["serve", "health"]));
    const variables = of("ENV").flatMap((words) => words.map((word) => [word.split("=")[0]!, ""]));
    expect(unknownVariables(Object.fromEntries(variables))).toEqual([]);
  });
});
