/** Whether the machine has been running ever since the last process worked: then nothing that was written is lost, synced or not. */
import { readFile, rename, writeFile } from "node:fs/promises";

/** Linux makes a new one at each start of the machine. */
const BOOT_ID = "/proc/sys/kernel/random/boot_id";

/**
 * Compares this boot with the one noted at `path`, and notes this one. False where nothing was noted or the system does not tell:
 * then anything may have been lost.
 */
export async function ranOnSinceLastProcess(path: string): Promise<boolean> {
  const [present, noted] = await Promise.all([readIfThere(BOOT_ID), readIfThere(path)]);
  if (present === null || present === noted) return present !== null;
  await writeFile(`${path}.partial`, present, { mode: 0o600 });
  await rename(`${path}.partial`, path);
  return false;
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
