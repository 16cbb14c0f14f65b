/**
 * Builds the one executable: `bun scripts/build.ts [--target linux-x64|linux-arm64] [--outfile dist/lectern]`.
 *
 * Code is compiled to bytecode; native libraries and the built-in model are packed inside (executable/embedded-files.ts), and
 * packages that look for their libraries in node_modules are patched to open ours (executable/patches.ts). The licences
 * of what is inside are written beside it.
 */

import { copyFileSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { separateEntryPoints } from "../src/native/own-module.ts";
import { workerEntryPoints } from "../src/native/own-worker.ts";
import { packEmbeddedFiles } from "./executable/embedded-files.ts";
import { embeddedModulePlugin } from "./executable/embedded-module.ts";
import { patchPlugin } from "./executable/patches.ts";

const root = resolve(import.meta.dir, "..");

/** Bun's name for each target we build. */
const targets = {
  "linux-x64": { arch: "x64", bun: "bun-linux-x64" },
  "linux-arm64": { arch: "arm64", bun: "bun-linux-arm64" },
} as const;

/** The program, every file that is started as a Worker, and what is loaded apart. */
const entryPoints = ["src/main.ts", ...workerEntryPoints, ...separateEntryPoints];

interface BuildOptions {
  readonly target: keyof typeof targets;
  readonly outfile: string;
}

function readOptions(): BuildOptions {
  const { values } = parseArgs({
    options: {
      target: { type: "string", default: `linux-${process.arch}` },
      outfile: { type: "string", default: "dist/lectern" },
    },
  });
  if (!Object.hasOwn(targets, values.target)) throw new Error(`--target is one of ${Object.keys(targets).join(", ")}`);
  return { target: values.target as keyof typeof targets, outfile: resolve(values.outfile) };
}

/** Builds and returns nothing; throws with every message of the bundler when it fails. */
async function build({ target, outfile }: BuildOptions): Promise<void> {
  const { arch, bun } = targets[target];
  const embedded = await packEmbeddedFiles(root, arch);
  const patches = patchPlugin(root);
  mkdirSync(dirname(outfile), { recursive: true });
  const isHost = process.platform === "linux" && process.arch === arch;
  const result = await Bun.build({
    entrypoints: entryPoints.map((path) => join(root, path)),
    root,
    target: "bun",
    format: "esm",
    bytecode: true,
    // Whitespace and syntax only: names stay readable in stack traces.
    minify: { whitespace: true, syntax: true, identifiers: false },
    plugins: [embeddedModulePlugin(root, embedded), patches.plugin],
    compile: {
      outfile,
      // For the host the running Bun itself becomes the executable; for another machine its Bun is fetched from npm.
      ...(isHost ? {} : { target: bun }),
      // A server must not change its behaviour by files that lie in the folder it is started from.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
    throw: false,
  });
  if (!result.success) throw new Error(result.logs.map(String).join("\n"));
  patches.requireAllApplied();
  copyFileSync(join(root, "build/THIRD_PARTY_NOTICES.txt"), join(dirname(outfile), "THIRD_PARTY_NOTICES.txt"));
}

const options = readOptions();
const start = performance.now();
await build(options);
const megabytes = (statSync(options.outfile).size / 1e6).toFixed(1);
console.log(
  `Built ${relative(process.cwd(), options.outfile)} for ${options.target}: ${megabytes} MB in ${((performance.now() - start) / 1000).toFixed(1)} s.`,
);
