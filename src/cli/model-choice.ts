/**
 * Which embedding model a data directory uses: the line `model = "NAME"` in its `lectern.toml`, so that there is one place
 * for it, and an operator can read and write it too. No such line means the built-in model.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../errors.ts";
import { writeWhole } from "./whole-file.ts";

/** Records the choice; null for the built-in model. Leaves every other line as it is. Throws OPERATION_FAILED when it cannot. */
export async function recordModelChoice(dataDirectory: string, name: string | null): Promise<void> {
  const path = join(dataDirectory, "lectern.toml");
  const before = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw fail("OPERATION_FAILED", { reason: `${path} cannot be read: ${error.message}` }, undefined, error);
  });
  const after = withModelLine(before, name);
  if (!differOnlyInModel(before, after, name)) {
    throw fail("OPERATION_FAILED", { reason: `${path} is written in a way that cannot be changed safely. Set model = ${JSON.stringify(name ?? "")} in it by hand.` });
  }
  await writeWhole(path, after);
}

/** The text with its `model` line replaced, added on top, or (null) left out. Pure. */
export function withModelLine(toml: string, name: string | null): string {
  const lines = toml.split("\n").filter((line) => !/^\s*model\s*=/.test(line));
  return name === null ? lines.join("\n") : [`model = ${JSON.stringify(name)}`, ...lines].join("\n");
}

function differOnlyInModel(before: string, after: string, name: string | null): boolean {
  const { model: _old, ...othersBefore } = Bun.TOML.parse(before) as Record<string, unknown>;
  const { model, ...othersAfter } = Bun.TOML.parse(after) as Record<string, unknown>;
  return (model ?? null) === name && Bun.deepEquals(othersBefore, othersAfter);
}
