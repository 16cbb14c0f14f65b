/** The TypeScript client as JavaScript with declarations, which Node reads. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../steps.ts";

/** Texts by their paths below dist/. Throws with the compiler's words where it refuses. */
export function compileTypeScriptClient(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "lectern-client-"));
  try {
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const project = join(root, "clients/typescript");
    const { exitCode, stdout } = Bun.spawnSync([process.execPath, compiler, "--project", project, "--outDir", folder]);
    if (exitCode !== 0) throw new Error(`The TypeScript client does not compile:\n${stdout.toString()}`);
    return Object.fromEntries(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name, parentPath }) => [
          join(parentPath, name).slice(folder.length + 1),
          readFileSync(join(parentPath, name), "utf8"),
        ]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
