/** Files on disk, for Node, Bun and Deno: uploads that are read while they are sent, and downloads that go on where they were. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { DownloadOptions } from "./download.ts";
import { LecternError } from "./error.ts";
import type { Lectern } from "./lectern.ts";
import type { StoredFile } from "./types.generated.ts";
import type { UploadFile } from "./upload-file.ts";

/** Throws what the system throws for a file that cannot be read. */
export async function fromPath(
  path: string,
  more: Partial<Pick<UploadFile, "name" | "type" | "externalId" | "path">> = {},
): Promise<UploadFile> {
  const found = await stat(path);
  if (!found.isFile()) throw new TypeError(`${path} is no file.`);
  return { name: basename(path), size: found.size, content: () => createReadStream(path), ...more };
}

/**
 * Writes a stored file to `path`, which appears whole or not at all, in place of what is there. Until then its bytes lie in
 * `PATH.FILEID.partial`; called again after an interruption, it goes on with them. Throws LecternError, also where the bytes are not those that
 * were stored (`UNEXPECTED_ANSWER`), and what the system throws.
 */
export async function saveFile(
  lectern: Lectern,
  fileId: string,
  path: string,
  options: Omit<DownloadOptions, "start" | "end"> = {},
): Promise<StoredFile> {
  const file = await lectern.getFile(fileId, options);
  const partial = `${path}.${file.fileId}.partial`;
  const handle = await open(partial, "a");
  const hash = createHash("sha256");
  try {
    let length = (await handle.stat()).size;
    if (file.size !== null && length > file.size) await handle.truncate((length = 0));
    if (length > 0) for await (const bytes of createReadStream(partial)) hash.update(bytes as Uint8Array);
    if (length === 0 || length !== file.size)
      for await (const bytes of await lectern.download(file.fileId, { ...options, start: length })) {
        hash.update(bytes);
        await handle.writeFile(bytes);
      }
    // What goes wrong now is not to be gone on with.
    if (file.sha256 && hash.digest("hex") !== file.sha256) {
      await handle.truncate(0);
      throw new LecternError(
        `What came of ${JSON.stringify(file.originalName)} is not what was stored. Ask for it again.`,
        {
          code: "UNEXPECTED_ANSWER",
          status: 0,
        },
      );
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(partial, path);
  return file;
}
