/** Fills a running server with passages through its own uploads. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { BenchServer } from "./server.ts";

/** How passages become files. */
export interface Filling {
  readonly passagesPerFile: number;
  /** Fields of the upload. */
  readonly chunking: { readonly chunkSize: string; readonly chunkOverlap?: string };
}

export const USUAL: Filling = { passagesPerFile: 20, chunking: { chunkSize: "120" } };

/**
 * Uploads passages, so many to a file, until the dataset holds `chunks` chunks. Every file carries metadata by which a
 * tenth, a hundredth and a thousandth of all can be selected. Returns how many passages were used.
 */
export async function fill(
  server: BenchServer,
  passages: readonly string[],
  chunks: number,
  { passagesPerFile, chunking } = USUAL,
): Promise<number> {
  const counter = new Database(join(server.directory, "lectern.db"), { readonly: true });
  const stored = counter.prepare<{ chunks: number }, []>("SELECT COALESCE(SUM(chunkCount), 0) AS chunks FROM files");
  // Goes on behind what an earlier call has uploaded.
  let file = counter.query<{ files: number }, []>("SELECT COUNT(*) AS files FROM files").get()!.files;
  const uploadNext = async (): Promise<void> => {
    while (stored.get()!.chunks < chunks && file * passagesPerFile < passages.length) {
      const number = file++;
      const text = passages.slice(number * passagesPerFile, (number + 1) * passagesPerFile).join("\n\n");
      const extraMeta = JSON.stringify({
        tenth: number % 10 === 0,
        hundredth: number % 100 === 0,
        thousandth: number % 1000 === 0,
        number,
      });
      await server.upload(`passages-${number}.txt`, text, { ...chunking, extraMeta });
    }
  };
  await Promise.all([uploadNext(), uploadNext(), uploadNext(), uploadNext()]);
  const reached = stored.get()!.chunks;
  counter.close();
  if (reached < chunks)
    throw new Error(`all passages were uploaded and gave ${reached} chunks of ${chunks}: bring more text`);
  console.log(`filled with ${reached} chunks in ${file} files`);
  return file * passagesPerFile;
}
