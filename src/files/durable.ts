/** Writes that survive a power loss. */
import { open } from "node:fs/promises";

/** fsync of a file or folder. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a new or emptied private file, and returns once it is on disk. Its name needs a flush of its folder. */
export async function writeDurably(path: string, text: string, mode: "w" | "a" = "w"): Promise<void> {
  const handle = await open(path, mode, 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
