/** The README says what the program does: its table of options is the program's own, and its commands exist. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { optionsTable, tablePlace } from "../scripts/options-table.ts";
import { findCommand, parseArguments } from "../src/cli/arguments.ts";
import { commands } from "../src/cli/index.ts";
import { loaders } from "../src/documents/loaders/registry.ts";
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
  const isRemoval = (line: string) => line.includes("-X DELETE $URL");
  // What removes all comes last: later sections ask about the same documents.
  const shown = codeLines
    .filter((line) => line.startsWith("curl "))
    .sort((a, b) => Number(isRemoval(a)) - Number(isRemoval(b)));
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
    else if (/\/(chat\/completions|embeddings) /.test(line)) expect(JSON.parse(output).object, line).toBeString();
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
  const named = [...readme.matchAll(/(?:bun|bun@[\d.]+) run (\w+)/g)].map(([, name]) => name!);
  expect(named).toContain("verify");
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
});

describe("the file formats", () => {
  const section = /### What it reads\n([^]*?)\n## /.exec(readme)?.[1] ?? "";
  const named = [...section.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(\w+)`/g)].map(([, format]) => format!),
  );

  test("that it names are read", () => {
    const read = loaders.flatMap(({ formats }) => formats.flatMap(({ extensions }) => extensions));
    expect(named).not.toBeEmpty();
    expect(read).toEqual(expect.arrayContaining(named));
  });

  test("that are read are named, each by one of its endings at least", () => {
    const missing = loaders.filter(
      ({ formats }) => !formats.some(({ extensions }) => extensions.some((extension) => named.includes(extension))),
    );
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  test("that samples/ shows are among them, and are ten", () => {
    const shown = new Set(readdirSync(join(root, "samples")).map((name) => extname(name).slice(1)));
    expect(named).toEqual(expect.arrayContaining([...shown]));
    expect(shown.size).toBe(10);
    expect(readme).toMatch(/in `samples\/` \(seventeen\s+languages, ten formats\)/);
  });
});
