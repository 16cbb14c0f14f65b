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

/** Writes a new or emptied private file, a text or its pieces one after the other, and returns once it is on disk. Its name needs a flush of its folder. */
export async function writeDurably(
  path: string,
  text: string | Iterable<string>,
  mode: "w" | "a" = "w",
): Promise<void> {
  const handle = await open(path, mode, 0o600);
  try {
    for (const piece of typeof text === "string" ? [text] : text) await handle.appendFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
