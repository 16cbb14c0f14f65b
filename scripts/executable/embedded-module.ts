/** Puts a module that names everything embedded in the place of src/native/embedded.ts, which from source is empty. */

import type { BunPlugin } from "bun";
import { join } from "node:path";
import type { PackedFiles } from "./embedded-files.ts";

/** A bundler plugin that answers for src/native/embedded.ts with the packed files. */
export function embeddedModulePlugin(root: string, packed: PackedFiles): BunPlugin {
  const contents = embeddedModule(root, packed);
  return {
    name: "embedded files",
    setup(build) {
      build.onLoad({ filter: /\/src\/native\/embedded\.ts$/ }, () => ({ loader: "ts", contents }));
    },
  };
}

/** The module's text: one import per file, then the table in the shape of `Embedded`. */
function embeddedModule(root: string, packed: PackedFiles): string {
  const imports: string[] = [];
  const embed = (path: string): string => {
    const name = `file${imports.length}`;
    imports.push(`import ${name} from ${JSON.stringify(path)} with { type: "file" };`);
    return name;
  };
  const assets = packed.assets.map((name) => `${JSON.stringify(name)}: ${embed(join(root, name))}`);
  const groups = packed.groups.map(({ name, hash, files }) => {
    const entries = files.map(
      (file) =>
        `${JSON.stringify(file.name)}: { path: ${embed(file.packedPath)}, size: ${file.size}, sha256: ${JSON.stringify(file.sha256)} }`,
    );
    return `${JSON.stringify(name)}: { hash: ${JSON.stringify(hash)}, files: { ${entries.join(", ")} } }`;
  });
  return `${imports.join("\n")}\nexport const embedded = { assets: { ${assets.join(", ")} }, groups: { ${groups.join(", ")} } };\n`;
}
