/** The README says what the program does: its table of options is the program's own, and its commands exist. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { optionsTable, tablePlace } from "../scripts/options-table.ts";
import { findCommand, parseArguments } from "../src/cli/arguments.ts";
import { commands } from "../src/cli/index.ts";
import { serve, temporaryFolder } from "./cli/lectern.ts";
import { program, testWith } from "./requirements.ts";

const root = join(import.meta.dir, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const codeLines = readme
  .replaceAll("\\\n", " ")
  .split("\n")
  .filter((line) => line.startsWith("    "))
  .map((line) => line.trim());

test("the table of options is up to date (else: bun scripts/options-table.ts)", () => {
  expect(tablePlace.exec(readme)?.[2]).toBe(optionsTable());
});

test("every command line it shows is one that the program takes", () => {
  const shown = codeLines.filter((line) => /^\.\/lectern (?!--help)/.test(line));
  expect(shown.length).toBeGreaterThan(10);
  for (const line of shown) {
    const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
      .map((match) => match[1] ?? match[2] ?? match[3]!)
      .slice(1);
    const found = findCommand(commands, words);
    expect(found, line).not.toBeNull();
    expect(() => parseArguments(found!.command, found!.rest), line).not.toThrow();
  }
});

testWith(program("curl"))("every curl command it shows does what it says, on a real server", async () => {
  const folder = temporaryFolder();
  const server = await serve(folder.dataDirectory);
  const shown = codeLines.filter((line) => line.startsWith("curl "));
  expect(shown.length).toBeGreaterThan(8);
  let fileId = "";
  for (const line of shown) {
    const child = Bun.spawn(["sh", "-c", line.replaceAll("FILEID", fileId)], {
      cwd: root,
      env: { PATH: process.env.PATH, KEY: server.apiKey!, URL: server.url },
      stdout: "pipe",
    });
    const output = await new Response(child.stdout).text();
    if (line.includes('"stream": true')) expect(output, line).toContain("event: done");
    else expect(JSON.parse(output), line).toMatchObject({ success: true });
    fileId ||= /"fileId":"([^"]+)"/.exec(output)?.[1] ?? "";
  }
  await server.stop();
  folder.remove();
});

test("every package script it names exists", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  for (const [, name] of readme.matchAll(/(?:bun|bun@[\d.]+) run (\w+)/g))
    expect(Object.keys(scripts)).toContain(name!);
});

test("the file formats that samples/ shows are the ones it names", () => {
  for (const format of ["md", "txt", "html", "pdf", "docx", "csv", "json"]) expect(readme).toContain(`\`${format}\``);
});
