/** The envelope of file operations, written piecewise so that a listing of a hundred thousand files does not hold up other requests. */
import { toFileObject } from "../operations/file-object.ts";
import type { StoredFile } from "../store/index.ts";
import type { Exchange } from "./exchange.ts";

/** Files written at one go: about a millisecond. */
const FILES_AT_ONCE = 500;

/** `{"success": true, "message", "files"}`. */
export async function answerFiles(exchange: Exchange, message: string, files: readonly StoredFile[]): Promise<Response> {
  const pieces: string[] = [];
  for (let start = 0; start < files.length; start += FILES_AT_ONCE) {
    if (start > 0) await new Promise<void>((resolve) => setImmediate(resolve));
    pieces.push(...files.slice(start, start + FILES_AT_ONCE).map((file) => JSON.stringify(toFileObject(file))));
  }
  return new Response(`{"success":true,"message":${JSON.stringify(message)},"files":[${pieces.join(",")}]}`, { headers: exchange.headers });
}

/** "1 file", "3 files". */
export function countFiles(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}
