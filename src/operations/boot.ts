/** Whether the machine has been running ever since the last process worked: then nothing that was written is lost, synced or not. */
import { readFile, rename, rm, writeFile } from "node:fs/promises";

/** Linux makes a new one at each start of the machine. */
const BOOT_ID = "/proc/sys/kernel/random/boot_id";

/**
 * Whether this boot is the one noted at `path`. False where nothing was noted, what is there cannot be read (`doctor` says so), or the
 * system does not tell: then anything may have been lost. Never stops a start.
 */
export async function ranOnSinceLastProcess(path: string): Promise<boolean> {
  const [present, noted] = await Promise.all([readIfPossible(BOOT_ID), readIfPossible(path)]);
  return present !== null && present === noted;
}

/** Notes this boot, once what an earlier one may have lost has been seen to: whoever is interrupted before must see to it again. */
export async function noteBoot(path: string): Promise<void> {
  const present = await readIfPossible(BOOT_ID);
  if (present === null || present === (await readIfPossible(path))) return;
  try {
    await writeFile(`${path}.partial`, present, { mode: 0o600 });
    await rename(`${path}.partial`, path);
  } catch {
    // The next start will not find this boot noted, and be as careful as after a restart of the machine.
    await rm(`${path}.partial`, { force: true });
  }
}

async function readIfPossible(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return null;
  }
}
