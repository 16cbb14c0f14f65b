/** What the build relies on: its patches fit the installed packages, and every Worker that is started is an entry point. */

import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatch, patchesFor, patchPlugin } from "../../scripts/executable/patches.ts";
import { projectRoot } from "../../src/native/index.ts";
import { workerEntryPoints } from "../../src/native/own-worker.ts";

test("every patch fits the installed package, and a package that changed stops the build", () => {
  const patches = patchesFor(projectRoot);
  expect(patches).not.toBeEmpty();
  for (const patch of patches) {
    const source = readFileSync(join(projectRoot, patch.file), "utf8");
    expect(applyPatch(source, patch)).toContain(patch.replacement);
    expect(() => applyPatch("something else", patch)).toThrow(`${patch.file} no longer applies`);
  }
});

test("a patch whose file was never met stops the build", () => {
  expect(() => patchPlugin(projectRoot).requireAllApplied()).toThrow(/met no such file/);
});

test("the Workers' entry points exist, and no other Worker is started from src", () => {
  expect(workerEntryPoints).not.toBeEmpty();
  for (const path of workerEntryPoints) expect(existsSync(join(projectRoot, path))).toBe(true);
  const strays = [...new Bun.Glob("src/**/*.ts").scanSync(projectRoot)].filter(
    (path) => path !== "src/native/own-worker.ts" && /new Worker\(/.test(readFileSync(join(projectRoot, path), "utf8")),
  );
  expect(strays).toEqual([]);
});
