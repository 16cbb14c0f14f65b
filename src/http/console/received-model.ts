/** A model's file while it is received in the console: in a folder of its own in staging, never longer than is allowed, nor than the disk takes. */
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fail } from "../../foundation/errors.ts";
import type { Engines } from "../../operations/engines.ts";
import { tooLarge } from "../limits.ts";

/** Bytes between two looks at the disk. */
const LOOK_EVERY = 64 * 1024 ** 2;
/** What one file is: models in folders are added where they lie. */
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.(gguf|traineddata|traineddata\.gz)$/;

/** Throws INVALID_REQUEST for what is no name of a file that holds a model. */
export function requireModelFile(name: string | null): string {
  if (name === null || !FILE_NAME.test(name) || basename(name) !== name)
    throw fail("INVALID_REQUEST", {
      reason:
        "name is that of a language model's file (NAME.gguf) or of a language of scans (CODE.traineddata). Models that are folders, for embedding and speech, are added on the server: `lectern model add FOLDER`.",
    });
  return name;
}

/**
 * Receives a body into a file of this name, has it worked with, and removes it. Throws PAYLOAD_TOO_LARGE, INSUFFICIENT_STORAGE,
 * INVALID_REQUEST for an empty body, and what the work throws.
 */
export async function withReceivedModel<Result>(
  { storage, diskRoom }: Pick<Engines, "storage" | "diskRoom">,
  request: Request,
  { name, most }: { readonly name: string; readonly most: number },
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  if (request.body === null)
    throw fail("INVALID_REQUEST", { reason: "the body is the model's file, and there is none." });
  const folder = await storage.openStaging();
  try {
    const path = join(folder, name);
    const bytes = await receive(request.body, path);
    if (bytes === 0) throw fail("INVALID_REQUEST", { reason: "the file is empty." });
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }

  async function receive(body: ReadableStream<Uint8Array>, path: string): Promise<number> {
    let received = 0;
    async function* measured(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      let looked = 0;
      await diskRoom.checkReserve();
      for await (const chunk of chunks) {
        received += chunk.byteLength;
        if (received > most) throw tooLarge("The model", most);
        if (received - looked > LOOK_EVERY) {
          looked = received;
          await diskRoom.checkReserve();
        }
        yield chunk;
      }
    }
    await pipeline(Readable.from(measured(body)), createWriteStream(path, { flags: "wx", mode: 0o600 }));
    return received;
  }
}
