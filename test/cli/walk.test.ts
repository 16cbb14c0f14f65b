/** Which files `ingest` finds. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { walk, type Finding, type WalkOptions } from "../../src/cli/ingest/walk.ts";
import { temporaryFolder } from "./lectern.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const at = (...names: string[]): string => join(folder.path, ...names);
function write(...names: string[]): void {
  mkdirSync(dirname(at(...names)), { recursive: true });
  writeFileSync(at(...names), "text");
}
async function all(paths: readonly string[], patterns: Partial<WalkOptions> = {}): Promise<Finding[]> {
  const options = { passedBy: folder.dataDirectory, include: [], exclude: [], ...patterns };
  return Array.fromAsync(walk(paths, options));
}
/** Paths of what is found, from the test's folder. */
async function found(paths: string[], patterns: Partial<WalkOptions> = {}): Promise<string[]> {
  const findings = await all(paths, patterns);
  expect(findings.filter((finding) => "failure" in finding)).toEqual([]);
  return findings.flatMap((finding) => ("file" in finding ? [relative(folder.path, finding.file.path)] : []));
}
/** How many entries are left out, by reason. */
async function leftOut(paths: string[], patterns: Partial<WalkOptions> = {}): Promise<Record<string, number>> {
  const reasons = (await all(paths, patterns)).flatMap((finding) => ("leftOut" in finding ? [finding.leftOut] : []));
  return Object.fromEntries(
    Map.groupBy(reasons, (reason) => reason)
      .entries()
      .map(([reason, { length }]) => [reason, length]),
  );
}

test("folders are walked in the order of names, hidden entries skipped", async () => {
  for (const path of ["docs/b.md", "docs/a/z.txt", "docs/a/B.txt", "docs/.git/config", "docs/.hidden.md", "docs/c.md"])
    write(...path.split("/"));
  expect(await found([at("docs")])).toEqual(["docs/a/B.txt", "docs/a/z.txt", "docs/b.md", "docs/c.md"]);
});

test("what is named itself is taken even when hidden; nothing is taken twice", async () => {
  write("docs", ".hidden.md");
  write("docs", "a.md");
  expect(await found([at("docs", ".hidden.md"), at("docs", "a.md"), at("docs")])).toEqual([
    "docs/.hidden.md",
    "docs/a.md",
  ]);
});

test("links are followed inside the folder only, circles end, and a linked file counts once", async () => {
  write("docs", "inside", "a.md");
  write("secret", "key.txt");
  symlinkSync(at("secret"), at("docs", "outside"));
  symlinkSync(at("secret", "key.txt"), at("docs", "key.txt"));
  symlinkSync(at("docs"), at("docs", "inside", "circle"));
  symlinkSync(at("docs", "inside", "a.md"), at("docs", "again.md"));
  expect(await found([at("docs")])).toEqual(["docs/again.md"]);
});

test("the data directory inside the folder is left out", async () => {
  write("a.md");
  write("data", "files", "00", "x");
  expect(await found([folder.path])).toEqual(["a.md"]);
});

test("what cannot be opened is told with a sentence, in its place", async () => {
  symlinkSync(at("nowhere"), at("broken"));
  write("a.md");
  expect(await all([at("missing"), folder.path])).toEqual([
    { failure: { path: at("missing"), sentence: "There is no such file or folder." } },
    { file: { path: at("a.md"), relative: "a.md" } },
    { failure: { path: at("broken"), sentence: "There is no such file or folder." } },
  ]);
});

test("a file is known by its path from the folder that was named, composed alike on every machine", async () => {
  const decomposed = "Bu\u0308cher";
  write("docs", decomposed, "u\u0308.md");
  write("docs", "a.md");
  const files = (await all([at("docs"), at("docs", "a.md"), at("docs", decomposed, "u\u0308.md")])).map(
    (finding) => "file" in finding && finding.file,
  );
  expect(files).toEqual([
    { path: at("docs", decomposed, "u\u0308.md"), relative: "B\u00fccher/\u00fc.md" },
    { path: at("docs", "a.md"), relative: "a.md" },
  ]);
  expect(await all([at("docs", "a.md")])).toEqual([{ file: { path: at("docs", "a.md"), relative: "a.md" } }]);
});

test("everything that is left out is counted", async () => {
  for (const path of [
    "docs/a.md",
    "docs/.git/config",
    "docs/.env",
    "docs/node_modules/x/index.md",
    "docs/b.log",
    "docs/drafts/c.md",
    "outside.md",
  ])
    write(...path.split("/"));
  symlinkSync(at("outside.md"), at("docs", "link.md"));
  writeFileSync(at("docs", ".lecternignore"), "drafts/\n");
  expect(await found([at("docs")], { exclude: ["*.log"] })).toEqual(["docs/a.md"]);
  expect(await leftOut([at("docs")], { exclude: ["*.log"] })).toEqual({
    hidden: 2,
    nodeModules: 1,
    patterns: 2,
    outside: 1,
  });
});

describe("patterns", () => {
  const tree = ["a.md", "a.txt", "build/out.md", "sub/a.md", "sub/build/keep.md", "sub/deep/a.log", "sub/deep/b.md"];
  type Case = [what: string, files: Record<string, string>, patterns: Partial<WalkOptions>, expected: string[]];
  const cases: Case[] = [
    ["none", {}, {}, tree],
    [
      "a file of patterns holds for its folder and all below",
      { "": "*.log\nbuild/" },
      {},
      ["a.md", "a.txt", "sub/a.md", "sub/deep/b.md"],
    ],
    ["one further in holds for its folder alone", { sub: "/a.md" }, {}, tree.filter((path) => path !== "sub/a.md")],
    ["the nearest decides", { "": "build\n*.md", sub: "!build\n!a.md" }, {}, ["a.txt", "sub/a.md", "sub/deep/a.log"]],
    [
      "nothing in a folder that is left out comes back",
      { "": "sub/\n!sub/a.md" },
      {},
      ["a.md", "a.txt", "build/out.md"],
    ],
    ["--exclude", {}, { exclude: ["build", "*.txt"] }, ["a.md", "sub/a.md", "sub/deep/a.log", "sub/deep/b.md"]],
    [
      "--exclude comes before the files",
      { sub: "!*.log" },
      { exclude: ["*.log"] },
      tree.filter((path) => !path.endsWith(".log")),
    ],
    [
      "and takes back what they leave out",
      { "": "*.md" },
      { exclude: ["!sub/*.md"] },
      ["a.txt", "sub/a.md", "sub/deep/a.log"],
    ],
    ["--include", {}, { include: ["*.txt", "*.log"] }, ["a.txt", "sub/deep/a.log"]],
    ["a folder to include is included whole", {}, { include: ["deep/"] }, ["sub/deep/a.log", "sub/deep/b.md"]],
    ["--exclude wins over --include", {}, { include: ["*.md"], exclude: ["sub/"] }, ["a.md", "build/out.md"]],
    ["--include brings nothing back", { "": "a.txt" }, { include: ["*.txt"] }, []],
  ];
  test.each(cases)("%s", async (_what, files, patterns, expected) => {
    for (const path of tree) write("docs", ...path.split("/"));
    for (const [place, text] of Object.entries(files)) writeFileSync(at("docs", place, ".lecternignore"), text);
    expect(await found([at("docs")], patterns)).toEqual(expected.map((path) => `docs/${path}`));
  });

  test("they hold for a file that is named itself only from the command line", async () => {
    write("docs", "a.md");
    writeFileSync(at("docs", ".lecternignore"), "a.md");
    expect(await found([at("docs", "a.md")])).toEqual(["docs/a.md"]);
    expect(await leftOut([at("docs", "a.md")], { exclude: ["a.*"] })).toEqual({ patterns: 1 });
    expect(await leftOut([at("docs", "a.md")], { include: ["*.txt"] })).toEqual({ patterns: 1 });
  });

  test("where a file of patterns cannot be read, nothing of its folder is taken", async () => {
    write("docs", "sub", "a.md");
    write("docs", "z.md");
    symlinkSync(at("nowhere"), at("docs", "sub", ".lecternignore"));
    expect(await all([at("docs")])).toEqual([
      { failure: { path: at("docs", "sub", ".lecternignore"), sentence: expect.stringContaining("no such file") } },
      { file: { path: at("docs", "z.md"), relative: "z.md" } },
    ]);
  });
});

describe("a path that is a pattern itself", () => {
  const tree = [
    "docs/a.md",
    "docs/b.txt",
    "docs/sub/c.md",
    "docs/sub/.d.md",
    "docs/sub/node_modules/e.md",
    "other/f.md",
  ];
  test.each<[pattern: string, expected: string[]]>([
    ["docs/*.md", ["docs/a.md"]],
    ["docs/**/*.md", ["docs/a.md", "docs/sub/c.md"]],
    ["*/*.md", ["docs/a.md", "other/f.md"]],
    ["**/*.{md,txt}", ["docs/a.md", "docs/b.txt", "docs/sub/c.md", "other/f.md"]],
    ["docs/s*", ["docs/sub/c.md"]],
    ["docs/[ab].*", ["docs/a.md", "docs/b.txt"]],
  ])("%s", async (pattern, expected) => {
    for (const path of tree) write(...path.split("/"));
    expect(await found([at(pattern)])).toEqual(expected);
  });

  test("one that nothing matches is a failure, and so is one in a folder that is not there", async () => {
    write("docs", "a.md");
    const sentences = (await all([at("docs", "*.pdf"), at("missing", "*.md")])).map(
      (finding) => "failure" in finding && finding.failure.sentence,
    );
    expect(sentences).toEqual(["Nothing that is taken matches this pattern.", "There is no such file or folder."]);
  });

  test("a file of such a name is that file", async () => {
    write("docs", "[a].md");
    expect(await found([at("docs", "[a].md")])).toEqual(["docs/[a].md"]);
  });
});
