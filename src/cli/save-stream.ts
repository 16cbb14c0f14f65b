/** Writes a download to a file that appears whole or not at all, and over no other unless that is wanted. */
import { link, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fail } from "../foundation/errors.ts";

/** Where to write: the path given, or in a folder (by default this one) under the file's own name. Throws OPERATION_FAILED where something is there. */
export async function chooseTarget(output: string | undefined, originalName: string, force: boolean): Promise<string> {
  const place = resolve(output ?? ".");
  const target = (await kindOf(place)) === "folder" ? join(place, safeName(originalName)) : place;
  const kind = await kindOf(target);
  if (kind === "folder" || kind === "other")
    throw fail("OPERATION_FAILED", {
      reason: `${target} is no file that could be written. Choose another with --output.`,
    });
  if (kind === "file" && !force) throw occupied(target);
  return target;
}

/** Throws OPERATION_FAILED where a file is there by now; what the stream and the system throw, and then leaves nothing behind. */
export async function saveStream(content: ReadableStream<Uint8Array>, target: string, force: boolean): Promise<void> {
  const aside = join(dirname(target), `.${crypto.randomUUID()}.partial`);
  try {
    const handle = await open(aside, "wx");
    try {
      for await (const bytes of content) await handle.writeFile(bytes);
    } finally {
      await handle.close();
    }
    if (force) await rename(aside, target);
    // Unlike renaming, it fails where there is one.
    else
      await link(aside, target).catch((error: NodeJS.ErrnoException) => {
        throw error.code === "EEXIST" ? occupied(target) : error;
      });
  } finally {
    await rm(aside, { force: true });
  }
}

const occupied = (target: string): Error =>
  fail("OPERATION_FAILED", {
    reason: `${target} is there already. Choose another with --output, or overwrite it with --force.`,
  });

async function kindOf(path: string): Promise<"file" | "folder" | "other" | null> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (found === null) return null;
  return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
}

/** A name that leads into no other folder and hides nothing; uploaders chose it. */
function safeName(originalName: string): string {
  const name = basename(originalName.replaceAll("\\", "/")).replace(/[\u0000-\u001f\u007f]/g, "_");
  return name.replace(/^\.+/, "") || "file";
}
