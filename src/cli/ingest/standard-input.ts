/** Standard input as one file: laid by in a folder of its own, under the name it was given, for as long as it is needed. */
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail } from "../../foundation/errors.ts";
import { fieldLimits } from "../../foundation/field-limits.ts";

export interface InputFile extends AsyncDisposable {
  readonly path: string;
}

/** Bytes of a file's name that every file system takes. */
const LONGEST_NAME = 255;

/** Reads the input to its end. Throws USAGE for a name that no file can have. The file goes when it is disposed of. */
export async function keepInput(input: ReadableStream<Uint8Array>, name: string): Promise<InputFile> {
  checkName(name);
  const folder = await mkdtemp(join(tmpdir(), "lectern-input-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, name);
    const handle = await open(path, "wx", 0o600);
    try {
      for await (const bytes of input) await handle.writeFile(bytes);
    } finally {
      await handle.close();
    }
    return { path, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function checkName(name: string): void {
  const isTooLong = Buffer.byteLength(name) > LONGEST_NAME || name.length > fieldLimits.fileName.maxLength;
  if (["", ".", ".."].includes(name) || /[/\\\p{Cc}]/u.test(name) || isTooLong)
    throw fail("USAGE", { reason: `--name must be the name of a file, such as notes.md, not "${name}".` });
}
