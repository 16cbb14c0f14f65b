/** Changes to packages that look for their native library in a way that cannot work inside one executable. */

import type { BunPlugin } from "bun";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Patch {
  /** The package's file, as the end of its path. */
  readonly file: string;
  readonly find: RegExp;
  readonly replacement: string;
}

/** One entry per package. The replacement opens the unpacked library through src/native/addons.ts. */
export function patchesFor(root: string): readonly Patch[] {
  const addons = JSON.stringify(join(root, "src/native/addons.ts"));
  return [
    {
      file: "/node_modules/onnxruntime-node/dist/binding.js",
      find: /require\(`\.\.\/bin\/napi-v6\/[^`]*`\)/,
      replacement: `require(${addons}).loadAddon("onnxruntime")`,
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
      for (const patch of patches) {
        build.onLoad({ filter: new RegExp(`${RegExp.escape(patch.file)}$`) }, ({ path }) => {
          applied.add(patch);
          return { loader: "js", contents: applyPatch(readFileSync(path, "utf8"), patch) };
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
