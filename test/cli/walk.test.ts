/** Which files `ingest` finds. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { findFiles } from "../../src/cli/walk.ts";
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
async function found(...paths: string[]): Promise<string[]> {
  const { files, failures } = await findFiles(paths, folder.dataDirectory);
  expect(failures).toEqual([]);
  return files.map((file) => relative(folder.path, file));
}

test("folders are walked in the order of names, hidden entries skipped", async () => {
  for (const path of ["docs/b.md", "docs/a/z.txt", "docs/a/B.txt", "docs/.git/config", "docs/.hidden.md", "docs/c.md"])
    write(...path.split("/"));
  expect(await found(at("docs"))).toEqual(["docs/a/B.txt", "docs/a/z.txt", "docs/b.md", "docs/c.md"]);
});

test("what is named itself is taken even when hidden; nothing is taken twice", async () => {
  write("docs", ".hidden.md");
  write("docs", "a.md");
  expect(await found(at("docs", ".hidden.md"), at("docs", "a.md"), at("docs"))).toEqual([
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
  expect(await found(at("docs"))).toEqual(["docs/again.md"]);
});

test("the data directory inside the folder is left out", async () => {
  write("a.md");
  write("data", "files", "00", "x");
  expect(await found(folder.path)).toEqual(["a.md"]);
});

test("what cannot be opened is told with a sentence", async () => {
  symlinkSync(at("nowhere"), at("broken"));
  const { failures } = await findFiles([at("missing"), folder.path], folder.dataDirectory);
  expect(failures).toEqual([
    { path: at("missing"), sentence: "There is no such file or folder." },
    { path: at("broken"), sentence: "There is no such file or folder." },
  ]);
});
