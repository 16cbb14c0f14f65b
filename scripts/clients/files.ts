/** The clients as packages hold them: their sources, and the TypeScript one compiled, so that it is installed without a compiler. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../steps.ts";
import { compileTypeScriptClient } from "./compile.ts";

const SOURCES = [
  "*/README.md",
  "*/package.json",
  "*/tsconfig.json",
  "*/src/*.ts",
  "*/pyproject.toml",
  "*/lectern/*.py",
  "*/lectern/py.typed",
  "recipes/*.*",
];

/** Texts by their paths below clients/. Throws where the TypeScript client does not compile. */
export function clientFiles(): Record<string, string> {
  const folder = join(root, "clients");
  const paths = new Set(SOURCES.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(folder)]));
  const compiled = Object.entries(compileTypeScriptClient()).map(([name, text]) => [`typescript/dist/${name}`, text]);
  const sources = [...paths].map((path) => [path, readFileSync(join(folder, path), "utf8")]);
  return Object.fromEntries([...compiled, ...sources].sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)));
}
