/** Changes to packages that look for their native library in a way that cannot work inside one executable, or lack something we need. */

import type { BunPlugin } from "bun";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PARSER_FILE, parserAdditions } from "../../src/documents/loaders/pdf/parser-additions.ts";

export interface Patch {
  /** The package's file, as the end of its path. */
  readonly file: string;
  readonly find: RegExp;
  readonly replacement: string;
}

/** What is changed, package by package. Libraries are opened from where src/native/addons.ts has unpacked them. */
export function patchesFor(root: string): readonly Patch[] {
  const addons = JSON.stringify(join(root, "src/native/addons.ts"));
  return [
    {
      file: "/node_modules/onnxruntime-node/dist/binding.js",
      find: /require\(`\.\.\/bin\/napi-v6\/[^`]*`\)/,
      replacement: `require(${addons}).loadAddon("onnxruntime")`,
    },
    // The same source makes the same executable wherever it is built: no place on the machine that built it is in it.
    ...["tesseract.js-core/tesseract-core-simd.js", "libarchive-wasm/dist/libarchive.js"].flatMap((file) => [
      { file: `/node_modules/${file}`, find: /\b__filename\b/g, replacement: '""' },
      { file: `/node_modules/${file}`, find: /\b__dirname\b/g, replacement: '"."' },
    ]),
    ...parserAdditions.map((addition) => ({ file: PARSER_FILE, ...addition })),
    ...llamaPatches(root, addons),
  ];
}

/** node-llama-cpp looks for its library in packages of its own, reads its release from a file, and tries the library in a fork of this program. */
function llamaPatches(root: string, addons: string): Patch[] {
  const folder = "/node_modules/node-llama-cpp/dist/bindings/utils";
  const { release } = JSON.parse(
    readFileSync(join(root, "node_modules/node-llama-cpp/llama/binariesGithubRelease.json"), "utf8"),
  ) as { release: string };
  return [
    {
      file: `${folder}/compileLLamaCpp.js`,
      find: /export async function getPrebuiltBinaryPath\(buildOptions, folderName\) \{[\s\S]*?\n\}/,
      replacement: `export async function getPrebuiltBinaryPath(buildOptions, folderName) {
    const folderPath = require(${addons}).libraryFolder("llama");
    return { binaryPath: path.join(folderPath, "llama-addon.node"), folderName, folderPath, extBackendsPath: undefined };
}`,
    },
    {
      file: `${folder}/compileLLamaCpp.js`,
      find: /function getPrebuiltBinariesPackageDirectoryForBuildOptions\(buildOptions\) \{[\s\S]*?\n\}/,
      replacement: "async function getPrebuiltBinariesPackageDirectoryForBuildOptions() {\n    return null;\n}",
    },
    {
      file: `${folder}/binariesGithubRelease.js`,
      find: /export const builtinLlamaCppRelease = await getBinariesGithubRelease\(\);/,
      replacement: `export const builtinLlamaCppRelease = ${JSON.stringify(release)};`,
    },
    {
      file: `${folder}/testBindingBinary.js`,
      find: /export async function testBindingBinary\([\s\S]*$/,
      replacement: "export async function testBindingBinary() {\n    return true;\n}\n",
    },
  ];
}

/** The bundler plugin, and a check that no patch was left over because its package's file was renamed or not used. */
export function patchPlugin(root: string): { plugin: BunPlugin; requireAllApplied(): void } {
  const patches = patchesFor(root);
  const applied = new Set<Patch>();
  const plugin: BunPlugin = {
    name: "patches",
    setup(build) {
      for (const [file, ofFile] of Map.groupBy(patches, (patch) => patch.file)) {
        build.onLoad({ filter: new RegExp(`${RegExp.escape(file)}$`) }, ({ path }) => {
          for (const patch of ofFile) applied.add(patch);
          return { loader: "js", contents: ofFile.reduce(applyPatch, readFileSync(path, "utf8")) };
        });
      }
    },
  };
  return {
    plugin,
    requireAllApplied() {
      const missed = patches.find((patch) => !applied.has(patch));
      if (missed) throw new Error(`the patch for ${missed.file} met no such file: was the package changed?`);
    },
  };
}

/** The package's source with the patch in place; throws when the place is not there. */
export function applyPatch(source: string, { file, find, replacement }: Patch): string {
  if (!find.test(source)) throw new Error(`the patch for ${file} no longer applies: was the package changed?`);
  return source.replace(find, () => replacement);
}
