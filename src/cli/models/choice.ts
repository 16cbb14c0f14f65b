/**
 * Which models a data directory uses: the lines `model = "NAME"` (embedding), `answer_model = "NAME"` and `speech_model = "NAME"` in its `lectern.toml`, so
 * that there is one place for it, and an operator can read and write it too. No such line means the built-in model, or none.
 */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../foundation/errors.ts";
import { writeWhole } from "../whole-file.ts";

/** The keys of `lectern.toml` that name a model. */
export type ModelKey = "model" | "answer_model" | "speech_model";

/** Records the choice, in a data directory that need not be there; null leaves the line out. Leaves every other line as it is. Throws OPERATION_FAILED when it cannot. */
export async function recordModelChoice(
  dataDirectory: string,
  name: string | null,
  key: ModelKey = "model",
): Promise<void> {
  const path = join(dataDirectory, "lectern.toml");
  const before = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw fail("OPERATION_FAILED", { reason: `${path} cannot be read: ${error.message}` }, undefined, error);
  });
  const after = withModelLine(before, name, key);
  if (!differOnlyInModel(before, after, name, key)) {
    throw fail("OPERATION_FAILED", {
      reason: `${path} is written in a way that cannot be changed safely. Set ${key} = ${JSON.stringify(name ?? "")} in it by hand.`,
    });
  }
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  await writeWhole(path, after);
}

/** The text with its `model` line replaced, added on top, or (null) left out. Pure. */
export function withModelLine(toml: string, name: string | null, key: ModelKey = "model"): string {
  const lines = toml.split("\n").filter((line) => !new RegExp(`^\\s*${key}\\s*=`).test(line));
  return name === null ? lines.join("\n") : [`${key} = ${JSON.stringify(name)}`, ...lines].join("\n");
}

function differOnlyInModel(before: string, after: string, name: string | null, key: ModelKey): boolean {
  const { [key]: _old, ...othersBefore } = Bun.TOML.parse(before) as Record<string, unknown>;
  const { [key]: chosen, ...othersAfter } = Bun.TOML.parse(after) as Record<string, unknown>;
  return (chosen ?? null) === name && Bun.deepEquals(othersBefore, othersAfter);
}
