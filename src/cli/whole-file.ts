/** Files and folders that appear whole or not at all: written aside, flushed, then renamed. */
import { copyFile, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { flush } from "../files/durable.ts";

/** Replaces a file by `text`, mode 0600. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const aside = `${path}.${process.pid}.partial`;
  const handle = await open(aside, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(aside, path);
  await flush(dirname(path));
}

/**
 * Copies the named files of a folder beside `target` and gives the copy its name once `accept` has approved it. Whatever
 * fails, nothing of it stays. Folders 0700, files 0600.
 */
export async function copyFolderWhole(
  source: string,
  files: readonly string[],
  target: string,
  accept: (copy: string) => Promise<void>,
): Promise<void> {
  const aside = join(dirname(target), `.${crypto.randomUUID()}.partial`);
  await mkdir(aside, { recursive: true, mode: 0o700 });
  try {
    for (const file of files) {
      await copyFile(join(source, file), join(aside, file));
      await chmodAndFlush(join(aside, file));
    }
    await accept(aside);
    await flush(aside);
    await rename(aside, target);
    await flush(dirname(target));
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    throw error;
  }
}

/** Removes copies that a killed process left beside others. */
export async function sweepPartialCopies(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [] as string[]);
  await Promise.all(
    names
      .filter((name) => name.startsWith(".") && name.endsWith(".partial"))
      .map((name) => rm(join(folder, name), { recursive: true, force: true })),
  );
}

async function chmodAndFlush(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.chmod(0o600);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
